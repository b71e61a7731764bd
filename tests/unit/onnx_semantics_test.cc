// What the standard says of corners that are easily taken otherwise; expected values by hand.
#include <cmath>

#include "bitexact/model_run.h"
#include "onnx_graph_maker.h"

namespace bitexact::onnx {
namespace {

constexpr int32_t kOne = 65536;

Attribute integer(const char* name, int64_t value) {
  Attribute a;
  a.name = name;
  a.kind = Kind::i;
  a.i = value;
  return a;
}

Status refusal(const Maker& m) { return lower(m.graph, {}, nullptr).status(); }

template <class T, class Out = T>
std::vector<Out> outputs(const Maker& m, const std::vector<T>& in) {
  const auto file = lower(m.graph, {}, nullptr);
  EXPECT_TRUE(file.ok()) << file.status().text();
  return file.ok() ? run<T, Out>(file->model, in) : std::vector<Out>{};
}

TEST(OnnxSemantics, ANodeOfAnotherDomainIsNotTakenIntoAConvolution) {
  for (const char* op : {"Add", "BatchNormalization", "Relu"}) {
    Maker m;
    m.input("x", {1, 1, 1, 2}).output("y").reals("w", {1, 1, 1, 1}, {1}).reals("b", {1}, {3});
    m.add(node("Conv", {"x", "w"}, "c"));
    Node other = node(op, {"c", "b"}, "y");
    other.domain = "com.example";
    EXPECT_EQ(refusal(m.add(other)).code, Code::unsupported) << op;
  }
}

TEST(OnnxSemantics, TheBiasOfAConvolutionHasOneNumberForEachChannel) {
  Maker m;
  m.input("x", {1, 1, 1, 1}).output("y").reals("w", {2, 1, 1, 1}, {1, 1}).reals("b", {1}, {3}).reals("d", {1}, {1});
  m.add(node("Conv", {"x", "w", "b"}, "c")).add(node("Add", {"c", "d"}, "y"));
  EXPECT_EQ(refusal(m).code, Code::shape);
}

// 20000 and 20000 leave Q16.16 on their way to their mean, 30000 + 30000 on its way to 30000.
TEST(OnnxSemantics, SumsAndMeansOfSeveralSaturateAtTheEnd) {
  Maker mean;
  mean.input("x", {2}).output("y").reals("b", {1}, {20000}).add(node("Mean", {"x", "b"}, "y"));
  EXPECT_EQ(outputs<int32_t>(mean, {20000 * kOne, 0}), (std::vector<int32_t>{20000 * kOne, 10000 * kOne}));
  Maker sum;
  sum.input("x", {2, 1}).output("y").reals("b", {1}, {30000}).reals("c", {1, 2}, {-30000, 1});
  sum.add(node("Sum", {"x", "b", "c"}, "y"));
  EXPECT_EQ(outputs<int32_t>(sum, {30000 * kOne, 5 * kOne}),
            (std::vector<int32_t>{30000 * kOne, 2147483647, 5 * kOne, 30006 * kOne}));
}

// Both constants, the second as integers of 1/2.
TEST(OnnxSemantics, ADequantizedConstantIsJoinedAsReals) {
  Maker m;
  m.input("x", {2}).output("y").reals("a", {1}, {1.5}).reals("s", {}, {0.5}).integers("q", Type::i32, {1}, {3});
  m.add(node("DequantizeLinear", {"q", "s"}, "b")).add(node("Concat", {"a", "b"}, "c", {integer("axis", 0)}));
  m.add(node("Add", {"x", "c"}, "y"));
  EXPECT_EQ(outputs<int32_t>(m, {0, kOne}), (std::vector<int32_t>{kOne * 3 / 2, kOne * 5 / 2}));
}

// 161290 is no Q16.16; a thousandth of it is.
TEST(OnnxSemantics, SumsOfIntegersAreScaledBeforeTheyAreReals) {
  Maker m;
  m.input("x", {1, 10}, Type::u8).output("y").reals("s", {1}, {0.0009765625});
  m.integers("w", Type::i8, {10, 1}, Dims(10, 127));
  m.add(node("MatMulInteger", {"x", "w"}, "i")).add(node("Cast", {"i"}, "r", {integer("to", 1)}));
  m.add(node("Mul", {"r", "s"}, "y"));
  // 10 * 127 * 127 / 1024
  EXPECT_EQ((outputs<uint8_t, int32_t>(m, std::vector<uint8_t>(10, 127))), (std::vector<int32_t>{161290 * 64}));
}

// 2049 and 2051 lie between the float16 numbers 2048, 2050 and 2052; a third is 0.333251953125 there.
TEST(OnnxSemantics, ACastToHalfPrecisionRounds) {
  Maker m;
  m.input("x", {3}).output("y").reals("a", {3}, {2049, 2051, 1.0 / 3});
  m.add(node("Cast", {"a"}, "h", {integer("to", 10)})).add(node("Mul", {"h", "k"}, "b")).reals("k", {}, {0.125});
  m.add(node("Add", {"x", "b"}, "y"));
  EXPECT_EQ(outputs<int32_t>(m, {0, 0, 0}), (std::vector<int32_t>{256 * kOne, 513 * kOne / 2, 2730}));
}

// u8 about 128: padding that counts is 0, and 128 as an integer. 4 * 9 / 9, 4 * 9 / 9 ... of real 9 each.
TEST(OnnxSemantics, PaddingThatCountsIsZeroAndNotTheIntegerZero) {
  Maker m;
  m.input("x", {1, 1, 2, 2}, Type::u8).output("y").reals("s", {}, {1}).integers("z", Type::u8, {}, {128});
  m.add(node("DequantizeLinear", {"x", "s", "z"}, "r"));
  m.add(node("AveragePool", {"r"}, "p",
             {ints("kernel_shape", {3, 3}), ints("pads", {1, 1, 1, 1}), integer("count_include_pad", 1)}));
  m.add(node("QuantizeLinear", {"p", "s", "z"}, "y"));
  EXPECT_EQ(outputs<uint8_t>(m, {137, 137, 137, 137}), (std::vector<uint8_t>{132, 132, 132, 132}));
}

TEST(OnnxSemantics, TheColumnOfAGemmIsNoBiasOfItsRows) {
  Maker m;
  m.input("x", {2, 2}, Type::i8).output("y").reals("s", {}, {1}).integers("z", Type::i8, {}, {0});
  m.integers("w", Type::i8, {2, 2}, {1, 0, 0, 1}).reals("c", {2, 1}, {10, 20});
  m.add(node("DequantizeLinear", {"x", "s", "z"}, "r")).add(node("DequantizeLinear", {"w", "s", "z"}, "v"));
  m.add(node("Gemm", {"r", "v", "c"}, "g")).add(node("QuantizeLinear", {"g", "s", "z"}, "y"));
  EXPECT_EQ(outputs<int8_t>(m, {1, 2, 3, 4}), (std::vector<int8_t>{11, 12, 23, 24}));
}

TEST(OnnxSemantics, TheOutputsTypeIsThatOfItsZeroPoint) {
  for (const Type type : {Type::u8, Type::i8}) {
    Maker m;
    m.input("x", {1, 1, 1, 3}, Type::u8).output("y").reals("s", {}, {1}).integers("z", Type::u8, {}, {128});
    m.integers("w", Type::i8, {1, 1, 1, 1}, {1}).integers("zw", Type::i8, {}, {0}).integers("zy", type, {}, {0});
    m.add(node("QLinearConv", {"x", "s", "z", "w", "s", "zw", "s", "zy"}, "y"));
    const Status s = refusal(m);
    EXPECT_EQ(s.code, type == Type::u8 ? Code::ok : Code::unsupported) << s.text();
  }
}

// ARITHMETIC 9 holds in every group: a weight of 1e-5 is no multiple of 2^-16.
TEST(OnnxSemantics, GroupsOfATransposedConvolutionHaveScaledWeights) {
  Maker m;
  m.input("x", {1, 4, 1, 1}).output("y").reals("w", {4, 2, 1, 1}, {0x1p-17, 1, 0x1p-17, 2, 3, 0x1p-16, 4, 0x1p-16});
  m.reals("b", {4}, {0, 1, 2, 3}).add(node("ConvTranspose", {"x", "w", "b"}, "y", {integer("group", 2)}));
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(ops_of(file->model), std::vector{Op::conv_transpose2d_w16});
  const std::vector<int32_t> x{8 * kOne, 16 * kOne, 2 * kOne, 4 * kOne};
  // 24 * 2^-17; 8 + 32 + 1; 6 + 16 + 2; 6 * 2^-16 + 3
  EXPECT_EQ(run<int32_t>(file->model, x), (std::vector<int32_t>{12, 41 * kOne, 24 * kOne, 6 + 3 * kOne}));
}

// 2^15 * 1024 * 127 leaves 32 bits, whatever the input is.
TEST(OnnxSemantics, SumsThatMayLeaveTheirAccumulatorAreRefused) {
  for (const int64_t k : {512, 1024}) {
    Maker m;
    m.input("x", {1, k}, Type::i16).output("y").reals("s", {}, {1}).reals("sy", {}, {262144});
    m.integers("z", Type::i16, {}, {0}).integers("zw", Type::i8, {}, {0});
    m.integers("w", Type::i8, {k, 1}, Dims(static_cast<size_t>(k), 127));
    m.add(node("DequantizeLinear", {"x", "s", "z"}, "r")).add(node("DequantizeLinear", {"w", "s", "zw"}, "v"));
    m.add(node("MatMul", {"r", "v"}, "g")).add(node("QuantizeLinear", {"g", "sy", "z"}, "y"));
    auto file = lower(m.graph, {}, nullptr);
    ASSERT_TRUE(file.ok()) << file.status().text();
    const Status s = prepare_model(std::move(*file), "", {}).status();
    EXPECT_EQ(s.code, k == 512 ? Code::ok : Code::unsupported) << s.text();
    EXPECT_EQ(s.text().find("sums in 32 bits under tflm") == std::string::npos, s.ok()) << s.text();
  }
}

// torch's x.expand(-1, 3): Where(Equal(shape, -1), ones, shape).
TEST(OnnxSemantics, ArithmeticWithShapesIsFolded) {
  Maker m;
  m.input("x", {2, 1}).output("y").integers("wanted", Type::i64, {2}, {-1, 3}).integers("open", Type::i64, {}, {-1});
  m.integers("ones", Type::i64, {2}, {1, 1}).add(node("Equal", {"wanted", "open"}, "is_open"));
  m.add(node("Where", {"is_open", "ones", "wanted"}, "shape")).add(node("Expand", {"x", "shape"}, "y"));
  EXPECT_EQ(outputs<int32_t>(m, {5, 7}), (std::vector<int32_t>{5, 5, 5, 7, 7, 7}));
  Maker floor;
  floor.input("x", {4}).output("y").reals("half", {}, {2.5}).add(node("Floor", {"half"}, "two"));
  floor.add(node("Cast", {"two"}, "n", {integer("to", 7)})).integers("row", Type::i64, {1}, {2});
  floor.add(node("Unsqueeze", {"n", "zero"}, "column")).integers("zero", Type::i64, {1}, {0});
  floor.add(node("Concat", {"row", "column"}, "shape", {integer("axis", 0)}));
  floor.add(node("ReduceProd", {"shape"}, "count", {integer("keepdims", 1)}));
  floor.add(node("Reshape", {"x", "shape"}, "square")).add(node("Reshape", {"square", "count"}, "y"));
  EXPECT_EQ(outputs<int32_t>(floor, {1, 2, 3, 4}), (std::vector<int32_t>{1, 2, 3, 4}));
}

TEST(OnnxSemantics, LogicOfKnownValues) {
  for (const auto& [op, expected] : {std::pair{"Greater", Dims{0, 0, 1}},
                                     {"GreaterOrEqual", {0, 1, 1}},
                                     {"Less", {1, 0, 0}},
                                     {"LessOrEqual", {1, 1, 0}},
                                     {"Equal", {0, 1, 0}}}) {
    Maker m;
    m.input("x", {3}).output("y").integers("a", Type::i64, {3}, {1, 2, 3}).integers("b", Type::i64, {}, {2});
    m.reals("t", {}, {1}).reals("f", {}, {0}).add(node(op, {"a", "b"}, "c")).add(node("Not", {"c"}, "n"));
    m.add(node("Not", {"n"}, "nn")).add(node("And", {"c", "nn"}, "d")).add(node("Or", {"d", "c"}, "e"));
    m.add(node("Where", {"e", "t", "f"}, "w")).add(node("Mul", {"x", "w"}, "y"));
    std::vector<int32_t> scaled;
    for (const int64_t v : expected) scaled.push_back(static_cast<int32_t>(v) * kOne);
    EXPECT_EQ(outputs<int32_t>(m, {kOne, kOne, kOne}), scaled) << op;
  }
  Maker computed;
  computed.input("x", {3}).output("y").reals("b", {}, {2}).add(node("Greater", {"x", "b"}, "y"));
  EXPECT_EQ(refusal(computed).code, Code::unsupported);
}

// Weights that were trained with their rounding: a scale for each of two filters.
TEST(OnnxSemantics, ConstantsAreQuantizedByChannel) {
  Maker m;
  m.input("x", {1, 1, 1, 1}).output("y").reals("w", {2, 1, 1, 1}, {0.7, 0.7}).reals("s", {2}, {0.5, 0.25});
  m.integers("z", Type::i8, {2}, {0, 0}).add(node("QuantizeLinear", {"w", "s", "z"}, "q", {integer("axis", 0)}));
  m.add(node("DequantizeLinear", {"q", "s", "z"}, "v", {integer("axis", 0)})).add(node("Conv", {"x", "v"}, "y"));
  EXPECT_EQ(outputs<int32_t>(m, {kOne}), (std::vector<int32_t>{kOne / 2, kOne * 3 / 4}));
}

// 5/3 is no binary32; 1.7 is no ratio of 3 and a whole number.
TEST(OnnxSemantics, AScaleThatMeansARatioIsOne) {
  for (const double scale : {5.0 / 3, 1.7}) {
    Maker m;
    m.input("x", {1, 1, 1, 3}).output("y").reals("s", {4}, {1, 1, 1, scale});
    Attribute mode, rounding;
    mode.name = "coordinate_transformation_mode";
    rounding.name = "nearest_mode";
    mode.kind = rounding.kind = Kind::s;
    mode.s = "asymmetric";
    rounding.s = "floor";
    m.add(node("Resize", {"x", "", "s"}, "y", {mode, rounding}));
    EXPECT_EQ(refusal(m).code, scale == 1.7 ? Code::unsupported : Code::ok);
    if (scale == 1.7) continue;
    EXPECT_EQ(outputs<int32_t>(m, {1, 2, 3}), (std::vector<int32_t>{1, 1, 2, 2, 3}));
  }
}

TEST(OnnxSemantics, GraphsThatAreNoneAreRefused) {
  for (const char* op :
       {"Concat", "Expand", "Flatten", "Gather", "Reshape", "Slice", "Split", "Squeeze", "Transpose", "Unsqueeze"}) {
    Maker m;
    m.input("x", {2}).output("y").integers("i", Type::i64, {1}, {0}).add(node(op, {"", "i"}, "y"));
    EXPECT_NE(refusal(m).code, Code::ok) << op;
  }
  for (const Type type : {Type::i8, Type::i32, Type::i64}) {
    Maker m;
    m.input("x", {2, 3}).output("y").integers("w", type, {3, 2}, {1, 2, 3, 4, 5, 6}).add(node("Gemm", {"x", "w"}, "y"));
    EXPECT_EQ(refusal(m).code, Code::unsupported);
  }
  Maker scalar;
  scalar.input("x", {}).output("y").integers("i", Type::i64, {1}, {0}).add(node("Gather", {"x", "i"}, "y"));
  EXPECT_EQ(refusal(scalar).code, Code::argument);
  Maker pad;
  pad.graph.opset = 18;
  pad.input("x", {}).output("y").integers("p", Type::i64, {2}, {1, 0}).integers("a", Type::i64, {1}, {-4});
  EXPECT_EQ(refusal(pad.add(node("Pad", {"x", "p", "", "a"}, "y"))).code, Code::argument);
  Maker nan;
  nan.input("x", {1}).output("y").reals("k", {1}, {NAN}).add(node("Mul", {"x", "k"}, "y"));
  EXPECT_NE(refusal(nan).text().find("NaN"), std::string::npos) << refusal(nan).text();
}

TEST(OnnxSemantics, SmallFilesOfManyCopiesAreRefused) {
  Maker identities;
  identities.input("x", {1, 1 << 16}, Type::u8).output("y");
  identities.reals("s", {1 << 16}, std::vector<double>(1 << 16, 1));
  identities.add(node("DequantizeLinear", {"x", "s"}, "i0"));
  for (int i = 0; i < 2000; ++i)
    identities.add(node("Identity", {"i" + std::to_string(i)}, i == 1999 ? "y" : "i" + std::to_string(i + 1)));
  EXPECT_EQ(refusal(identities).code, Code::too_large);
  Maker many;
  Node sum = node("Sum", std::vector<std::string>(1025, "x"), "y");
  EXPECT_EQ(refusal(many.input("x", {1}).output("y").add(sum)).code, Code::unsupported);
}

}  // namespace
}  // namespace bitexact::onnx
