// Graphs made by hand: what nodes become, what is folded, and how problems are told.
#include <cmath>

#include "onnx_graph_maker.h"

namespace bitexact::onnx {
namespace {

constexpr int32_t kOne = 65536;

// Conv, BatchNormalization and Relu are one operator under the last one's name.
TEST(OnnxLower, NormalisationAndActivationBecomePartOfAConvolution) {
  Maker m;
  m.input("x", {1, 1, 1, 2})
      .output("y")
      .reals("w", {1, 1, 1, 1}, {2})
      .reals("gamma", {1}, {3})
      .reals("beta", {1}, {-1});
  m.reals("mean", {1}, {4}).reals("var", {1}, {4});
  Attribute epsilon;
  epsilon.name = "epsilon";
  epsilon.kind = Kind::f;
  m.add(node("Conv", {"x", "w"}, "c"));
  m.add(node("BatchNormalization", {"c", "gamma", "beta", "mean", "var"}, "n", {epsilon}))
      .add(node("Relu", {"n"}, "y"));
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(ops_of(file->model), std::vector{Op::conv2d_w16});
  EXPECT_EQ(file->model.values[file->model.outputs[0]].name, "y");
  EXPECT_EQ(file->file_nodes, 3U);
  // 3 (2x - 4) / 2 - 1 = 3x - 7
  EXPECT_EQ(run<int32_t>(file->model, {5 * kOne, 1 * kOne}), (std::vector<int32_t>{8 * kOne, 0}));
}

TEST(OnnxLower, AnAddBecomesABiasOnlyWhereItIsOneForEachChannel) {
  for (const bool channel : {true, false}) {
    Maker m;
    m.input("x", {1, 1, 1, 2}).output("y").reals("w", {1, 1, 1, 1}, {1}).add(node("Conv", {"x", "w"}, "c"));
    if (channel)
      m.reals("b", {1, 1, 1, 1}, {3});
    else
      m.reals("b", {1, 1, 1, 2}, {3, 3});
    const auto file = lower(m.add(node("Add", {"c", "b"}, "y")).graph, {}, nullptr);
    ASSERT_TRUE(file.ok()) << file.status().text();
    EXPECT_EQ(file->model.nodes.size(), channel ? 1U : 2U);
    EXPECT_EQ(run<int32_t>(file->model, {kOne, 0}), (std::vector<int32_t>{4 * kOne, 3 * kOne}));
  }
}

// DequantizeLinear, Conv, Relu, QuantizeLinear on u8: real = 0.5 (q - 2), weights 0.25 * 4 = 1, bias 3, output 0.5 (q -
// 1).
Maker between_quantized() {
  Maker m;
  m.input("x", {1, 1, 1, 3}, Type::u8)
      .output("y")
      .reals("sx", {}, {0.5})
      .reals("sw", {1}, {0.25})
      .reals("sb", {}, {0.125});
  m.integers("zx", Type::u8, {}, {2}).integers("zw", Type::i8, {1}, {0}).integers("zy", Type::u8, {}, {1});
  m.integers("w", Type::i8, {1, 1, 1, 1}, {4}).integers("b", Type::i32, {1}, {24}).integers("zb", Type::i32, {}, {0});
  Attribute axis;
  axis.name = "axis";
  axis.kind = Kind::i;
  m.add(node("DequantizeLinear", {"x", "sx", "zx"}, "xr"))
      .add(node("DequantizeLinear", {"w", "sw", "zw"}, "wr", {axis}));
  m.add(node("DequantizeLinear", {"b", "sb", "zb"}, "br")).add(node("Conv", {"xr", "wr", "br"}, "c"));
  m.add(node("Relu", {"c"}, "r")).add(node("QuantizeLinear", {"r", "sx", "zy"}, "y"));
  return m;
}

TEST(OnnxLower, QuantizedNodesStayOnIntegers) {
  for (const Requant rule : {Requant::tflm, Requant::xnnpack}) {
    ReadOptions options;
    options.requant = rule;
    const auto file = lower(between_quantized().graph, options, nullptr);
    ASSERT_TRUE(file.ok()) << file.status().text();
    ASSERT_EQ(ops_of(file->model), std::vector{Op::q_conv2d});
    EXPECT_EQ(file->model.values[file->model.outputs[0]].name, "y");
    // x: 4 is 1, plus 3 is 4, of 0.5 is 8, plus 1. 2 is 0. Below -3 there is only the activation's 0.
    EXPECT_EQ(run<uint8_t>(file->model, {4, 2, 0}), (std::vector<uint8_t>{9, 7, 5}));
  }
}

TEST(OnnxLower, WhatIsNotQuantizedAfterwardsIsComputedWithReals) {
  Maker m = between_quantized();
  m.graph.nodes.pop_back();
  m.graph.outputs[0].name = "r";
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(ops_of(file->model), (std::vector{Op::dequantize, Op::conv2d_w16}));
}

// Moves between quantized nodes move integers, and a QuantizeLinear of the same scale is nothing.
TEST(OnnxLower, ScalesMoveAlong) {
  Maker m;
  m.input("x", {2, 3}, Type::i8).output("y").reals("s", {}, {0.5}).integers("z", Type::i8, {}, {3});
  m.add(node("DequantizeLinear", {"x", "s", "z"}, "r")).add(node("Transpose", {"r"}, "t"));
  m.add(node("QuantizeLinear", {"t", "s", "z"}, "y"));
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(ops_of(file->model), std::vector{Op::transpose});
  EXPECT_EQ(run<int8_t>(file->model, {1, 2, 3, 4, 5, 6}), (std::vector<int8_t>{1, 4, 2, 5, 3, 6}));
}

// Shape, Gather, Unsqueeze, Concat, Reshape: as frameworks write x.view(x.size(0), -1).
TEST(OnnxLower, ShapeArithmeticIsFolded) {
  Maker m;
  m.input("x", {2, 3, 4}).output("y").integers("zero", Type::i64, {}, {0}).integers("rest", Type::i64, {1}, {-1});
  m.integers("axes", Type::i64, {1}, {0});
  Attribute axis;
  axis.name = "axis";
  axis.kind = Kind::i;
  m.add(node("Shape", {"x"}, "shape")).add(node("Gather", {"shape", "zero"}, "n"));
  m.add(node("Unsqueeze", {"n", "axes"}, "n1")).add(node("Concat", {"n1", "rest"}, "to", {axis}));
  m.add(node("Reshape", {"x", "to"}, "y"));
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_EQ(ops_of(file->model), std::vector{Op::reshape});
  EXPECT_EQ(std::get<ReshapeAttrs>(file->model.nodes[0].attrs).shape, (Dims{2, 12}));
}

TEST(OnnxLower, AnInputBecomesAConstantWhereOneIsNeeded) {
  Maker m;
  m.input("x", {2, 3}).input("to", {1}, Type::i64).output("y").add(node("Reshape", {"x", "to"}, "y"));
  const auto without = lower(m.graph, {}, nullptr);
  ASSERT_FALSE(without.ok());
  EXPECT_NE(without.status().why.find("must be a constant"), std::string::npos);
  const auto six = make_constant(Type::i64, {1}, Dims{6});
  ReadOptions options;
  options.constants["to"] = six->bytes;
  options.constants["x"] = six->bytes;  // nobody needs it
  const auto with = lower(m.graph, options, nullptr);
  ASSERT_TRUE(with.ok()) << with.status().text();
  ASSERT_EQ(with->model.inputs.size(), 1U);
  EXPECT_EQ(with->model.values[with->model.inputs[0]].name, "x");
  options.constants["to"] = std::span(six->bytes).first(4);
  EXPECT_EQ(lower(m.graph, options, nullptr).status().code, Code::argument);
}

// Report D033: a batch baked into a Reshape.
TEST(OnnxLower, AReshapeThatDoesNotFitSaysHowItWould) {
  Maker m;
  m.input("x", {-1, 16, 4, 4}).output("y").integers("to", Type::i64, {2}, {1, 256});
  m.add(node("Reshape", {"x", "to"}, "y"));
  EXPECT_TRUE(lower(m.graph, {}, nullptr).ok());
  ReadOptions options;
  options.shapes["x"] = {2, 16, 4, 4};
  const auto file = lower(m.graph, options, nullptr);
  ASSERT_FALSE(file.ok());
  for (const char* word : {"Reshape_y", "[2, 16, 4, 4]", "[1, 256]", "-1"})
    EXPECT_NE(file.status().why.find(word), std::string::npos) << word << " in " << file.status().why;
}

TEST(OnnxLower, EveryProblemIsToldAtOnce) {
  Maker m;
  m.input("x", {1, 1, 2, 2}).output("y").add(node("Celu", {"x"}, "a")).add(node("Relu", {"a"}, "b"));
  m.add(node("MaxPool", {"x"}, "c", {ints("kernel_shape", {1, 1, 1})})).add(node("Det", {"b"}, "d"));
  m.add(node("Add", {"c", "d"}, "y"));
  std::vector<ModelProblem> problems;
  const auto file = lower(m.graph, {}, &problems);
  ASSERT_FALSE(file.ok());
  ASSERT_EQ(problems.size(), 3U);  // what follows from them is none
  EXPECT_EQ(problems[0].op, "Celu");
  EXPECT_EQ(problems[1].name, "MaxPool_c");
  EXPECT_EQ(problems[2].node, 3U);
  EXPECT_EQ(problems[2].version, 13);
  for (const char* word : {"'Celu_a' (Celu, opset 13)", "MaxPool_c", "Det_d", "Supported are: Abs Add"})
    EXPECT_NE(file.status().why.find(word), std::string::npos) << word << " in " << file.status().why;
}

TEST(OnnxLower, OutputsThatAreInputsOrConstantsAreTensorsOfTheirOwn) {
  Maker m;
  m.input("x", {2}).output("y").output("k").output("z").reals("k", {1}, {1.5});
  m.add(node("Identity", {"x"}, "y")).add(node("Identity", {"x"}, "z"));
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  const Model& model = file->model;
  ASSERT_EQ(model.outputs.size(), 3U);
  EXPECT_EQ(model.values[model.outputs[0]].name, "y");
  EXPECT_EQ(model.values[model.outputs[1]].name, "k");
  EXPECT_EQ(model.values[model.outputs[2]].name, "z");
  EXPECT_EQ(model.values[model.inputs[0]].name, "x");
  EXPECT_EQ(run<int32_t>(model, {kOne, 2 * kOne}), (std::vector<int32_t>{kOne, 2 * kOne}));
}

// Padding of the window's size and more is an operator of its own.
TEST(OnnxLower, PadsBeyondTheWindow) {
  Maker m;
  m.input("x", {1, 1, 1, 1}).output("y").reals("w", {1, 1, 1, 1}, {1}).reals("b", {1}, {2});
  const auto file = lower(m.add(node("Conv", {"x", "w", "b"}, "y", {ints("pads", {0, 1, 0, 1})})).graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(run<int32_t>(file->model, {kOne}), (std::vector<int32_t>{2 * kOne, 3 * kOne, 2 * kOne}));
}

// Softmax before opset 13 is over everything from its axis on.
// PyTorch counts padding unless told otherwise, ONNX does not: 16 / 4, or 16 / 9.
TEST(OnnxLower, B015_ALostCountIncludePadIsNoted) {
  const auto pool = [](std::vector<Attribute> more, int64_t size = 3) {
    Maker m;
    more.push_back(ints("kernel_shape", {size, size}));
    m.input("x", {1, 1, 2, 2}).output("y").add(node("Relu", {"x"}, "a")).add(node("AveragePool", {"a"}, "y", more));
    return lower(m.graph, {}, nullptr);
  };
  const Attribute pads = ints("pads", {1, 1, 1, 1});
  Attribute counted;
  counted.name = "count_include_pad";
  counted.kind = Kind::i;
  const std::vector<int32_t> fours(4, 4 * kOne);
  const auto lost = pool({pads});
  ASSERT_TRUE(lost.ok()) << lost.status().text();
  EXPECT_EQ(run(lost->model, fours), fours);
  ASSERT_EQ(lost->notes.size(), 1U);
  EXPECT_EQ(lost->notes[0].node, 1U);
  EXPECT_EQ(lost->notes[0].name, "AveragePool_y");
  EXPECT_EQ(lost->notes[0].op, "AveragePool");
  EXPECT_NE(lost->notes[0].text.find("padding does not count"), std::string::npos);
  // Nothing to note where the file says it, or nothing is padded.
  EXPECT_TRUE(pool({pads, counted})->notes.empty());
  EXPECT_TRUE(pool({}, 2)->notes.empty());
  EXPECT_TRUE(pool({ints("pads", {0, 0, 0, 0})}, 2)->notes.empty());
  counted.i = 1;
  const auto with = pool({pads, counted});
  EXPECT_TRUE(with->notes.empty());
  EXPECT_EQ(run(with->model, fours), std::vector<int32_t>(4, (2 * 16 * kOne + 9) / 18));
}

// The same Resize by another version: 7 of 4 elements, the sixth at 5 * 4 / 7 = 2.9 or at 5.5 * 4 / 7 - 1/2 = 2.6.
TEST(OnnxLower, D031_ResizeIsThatOfItsVersion) {
  const auto resized = [](int64_t opset, std::vector<std::string> inputs) {
    Maker m;
    m.graph.opset = opset;
    m.input("x", {1, 1, 1, 4}).output("y").reals("scales", {4}, {1, 1, 1, 1.75});
    m.add(node("Resize", std::move(inputs), "y"));
    const auto file = lower(m.graph, {}, nullptr);
    EXPECT_TRUE(file.ok()) << file.status().text();
    return file.ok() ? run(file->model, std::vector<int32_t>{0, 1, 2, 3}) : std::vector<int32_t>{};
  };
  EXPECT_EQ(resized(10, {"x", "scales"}), (std::vector<int32_t>{0, 0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(resized(11, {"x", "", "scales"}), (std::vector<int32_t>{0, 0, 1, 1, 2, 3, 3}));
}

TEST(OnnxLower, OldSoftmaxIsOverAllThatFollows) {
  Maker m;
  m.graph.opset = 12;
  m.input("x", {1, 2, 2}).output("y").add(node("Softmax", {"x"}, "y"));
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(run<int32_t>(file->model, {0, 0, 0, 0}), (std::vector<int32_t>(4, kOne / 4)));
}

}  // namespace
}  // namespace bitexact::onnx
