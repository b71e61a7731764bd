// ConvInteger and MatMulInteger. Expected values are worked out by hand.
#include "onnx_graph_maker.h"

namespace bitexact::onnx {
namespace {

using Bytes = std::vector<uint8_t>;
using Sums = std::vector<int32_t>;

Sums run_of(const Maker& m, const Bytes& in) {
  const auto file = lower(m.graph, {}, nullptr);
  EXPECT_TRUE(file.ok()) << file.status().text();
  return file.ok() ? run<uint8_t, int32_t>(file->model, in) : Sums{};
}

Maker product(Dims a, Dims b, const Dims& elements) {
  Maker m;
  m.input("a", std::move(a), Type::u8).output("y").integers("b", Type::i8, std::move(b), elements);
  return m;
}

void expect_refused(const Maker& m, const char* part) {
  const auto file = lower(m.graph, {}, nullptr);
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.status().why.find(part), std::string::npos) << file.status().why;
}

TEST(OnnxInteger, AConvolutionOfRowsGroupsAndZerosOfChannels) {
  Maker m;
  m.input("x", {1, 2, 3}, Type::u8).output("y").integers("w", Type::i8, {2, 1, 2}, {1, -1, 2, 3});
  m.integers("zx", Type::u8, {}, {1}).integers("zw", Type::i8, {2}, {0, 1});
  Attribute group;
  group.name = "group";
  group.kind = Kind::i;
  group.i = 2;
  m.add(node("ConvInteger", {"x", "w", "zx", "zw"}, "y", {group, ints("pads", {1, 0})}));
  EXPECT_EQ(run_of(m, {1, 2, 3, 10, 20, 30}), (Sums{0, -1, -1, 18, 47, 77}));
}

// A pad as large as the window is an operator of its own, which must pad with the zero point.
TEST(OnnxInteger, PaddingIsTheZeroPoint) {
  Maker m;
  m.input("x", {1, 1, 1, 1}, Type::u8).output("y").integers("w", Type::u8, {1, 1, 1, 1}, {3});
  m.integers("zx", Type::u8, {}, {7});
  m.add(node("ConvInteger", {"x", "w", "zx"}, "y", {ints("pads", {0, 2, 0, 0})}));
  EXPECT_EQ(run_of(m, {9}), (Sums{0, 0, 6}));
}

TEST(OnnxInteger, ZerosOfRowsAndColumns) {
  Maker m = product({2, 2}, {2, 2}, {5, 6, 7, 8});
  m.integers("za", Type::u8, {2}, {1, 2}).integers("zb", Type::i8, {2}, {-1, 6});
  m.add(node("MatMulInteger", {"a", "b", "za", "zb"}, "y"));
  EXPECT_EQ(run_of(m, {1, 2, 3, 4}), (Sums{8, 2, 22, 4}));
}

TEST(OnnxInteger, ZerosOfEveryMatrix) {
  Maker m = product({2, 1, 2}, {2, 2, 1}, {1, 2, 3, 4});
  m.integers("za", Type::u8, {2, 1, 1}, {1, 2}).integers("zb", Type::i8, {2, 1, 1}, {0, 2});
  m.add(node("MatMulInteger", {"a", "b", "za", "zb"}, "y"));
  EXPECT_EQ(run_of(m, {1, 2, 3, 4}), (Sums{2, 5}));
}

TEST(OnnxInteger, VectorsAreARowAndAColumn) {
  Maker m = product({2}, {2}, {3, -4});
  m.add(node("MatMulInteger", {"a", "b"}, "y"));
  EXPECT_EQ(run_of(m, {200, 100}), (Sums{200}));
  const auto file = lower(m.graph, {}, nullptr);
  EXPECT_EQ(file->model.values[file->model.outputs[0]].shape.rank(), 0U);
}

TEST(OnnxInteger, WhatDoesNotFitIsRefused) {
  const auto with = [](const char* name, Type type, Dims dims, const Dims& zeros) {
    Maker m = product({2, 2}, {2, 2}, {5, 6, 7, 8});
    m.integers(name, type, std::move(dims), zeros).integers("none", Type::u8, {}, {0});
    m.add(node("MatMulInteger", {"a", "b", "za"}, "y"));
    return m;
  };
  expect_refused(with("za", Type::i8, {}, {1}), "a zero point of int8 for u8");
  expect_refused(with("za", Type::u8, {1, 2}, {1, 2}), "along what is summed");
  expect_refused(with("za", Type::u8, {2, 1, 1}, {1, 2}), "of 3 dimensions");
  expect_refused(with("za", Type::u8, {3}, {1, 2, 3}), "input_zero has 3 elements");
  expect_refused(with("zb", Type::u8, {}, {1}), "nothing makes input 'za'");
  Maker computed = product({2, 2}, {2, 2}, {5, 6, 7, 8});
  computed.input("za", {}, Type::u8).add(node("MatMulInteger", {"a", "b", "za"}, "y"));
  expect_refused(computed, "('za') must be a constant");
  Maker reals;
  reals.input("a", {2, 2}).output("y").integers("b", Type::i8, {2, 2}, {5, 6, 7, 8});
  reals.add(node("MatMulInteger", {"a", "b"}, "y"));
  expect_refused(reals, "in is q16");
}

// Integers with a scale are reals to whoever reads them.
TEST(OnnxInteger, DequantizedInputsAreNoIntegers) {
  for (const char* op : {"MatMulInteger", "ConvInteger"}) {
    Maker m = product({1, 1, 2, 2}, {1, 1, 2, 2}, {5, 6, 7, 8});
    m.reals("s", {}, {0.5}).integers("z", Type::u8, {}, {0}).add(node("DequantizeLinear", {"a", "s", "z"}, "r"));
    m.add(node(op, {"r", "b"}, "y"));
    expect_refused(m, "input 'r' is of reals");
  }
}

TEST(OnnxInteger, SumsThatCouldLeave32BitsAreRefused) {
  const int64_t most = ((int64_t{1} << 31) - 1) / (255 * 255);
  for (const int64_t k : {most, most + 1}) {
    Maker m;
    m.input("a", {1, k}, Type::u8).input("b", {k, 1}, Type::u8).output("y").add(node("MatMulInteger", {"a", "b"}, "y"));
    const auto file = lower(m.graph, {}, nullptr);
    ASSERT_TRUE(file.ok()) << file.status().text();
    const auto plan = prepare(file->model);
    EXPECT_EQ(plan.ok(), k == most);
    if (plan.ok()) continue;
    EXPECT_EQ(plan.status().code, Code::unsupported);
    EXPECT_NE(plan.status().why.find("'MatMulInteger_y': no kernel for u8 with sums of 33 bits"), std::string::npos)
        << plan.status().why;
  }
}

}  // namespace
}  // namespace bitexact::onnx
