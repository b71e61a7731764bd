// Operators that treat elements alone, and products. Expected values are worked out from ARITHMETIC and OPERATORS.md.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "bitexact/fx.h"
#include "bitexact/operator.h"

namespace bitexact::test {
namespace {

constexpr int32_t k1 = FIXED_ONE;
using Values = std::vector<int64_t>;

struct In {
  Shape shape;
  Values data;
};

void store(const Tensor& t, size_t i, int64_t v) {
  if (t.dtype == DType::i8) t.as<int8_t>()[i] = static_cast<int8_t>(v);
  if (t.dtype == DType::q16) t.as<int32_t>()[i] = static_cast<int32_t>(v);
  if (t.dtype == DType::i64) t.as<int64_t>()[i] = v;
}
int64_t load(const Tensor& t, size_t i) {
  return t.dtype == DType::i8 ? t.as<int8_t>()[i] : t.dtype == DType::i64 ? t.as<int64_t>()[i] : t.as<int32_t>()[i];
}

struct Ran {
  Status status;
  Shape shape;
  Values data;
};
Ran run(const char* op, const char* attrs, const std::vector<In>& in, DType dtype = DType::q16) {
  const auto names = operator_inputs(op, in.size());
  std::vector<OwnedTensor> owned;
  std::vector<NamedTensor> inputs;
  for (const In& i : in) {
    owned.push_back(std::move(*make_tensor({dtype, i.shape})));
    for (size_t k = 0; k < i.data.size(); ++k) store(owned.back().view, k, i.data[k]);
    inputs.push_back({names[inputs.size()], owned.back().view});
  }
  const auto out = run_operator(op, attrs, inputs);
  if (!out.ok()) return {out.status(), {}, {}};
  Ran r{{}, out->view.shape, {}};
  for (size_t i = 0; i < out->view.count(); ++i) r.data.push_back(load(out->view, i));
  return r;
}
In row(Values v) { return {{static_cast<int64_t>(v.size())}, std::move(v)}; }
Values of(const char* op, Values in, const char* attrs = "") { return run(op, attrs, {row(std::move(in))}).data; }

TEST(Broadcast, Shapes) {
  const auto infer = [](const Shape& a, const Shape& b) {
    const NamedType in[] = {{"in", {DType::q16, a}}, {"b", {DType::q16, b}}};
    return infer_operator("add", "", in);
  };
  const auto shape = [&](const Shape& a, const Shape& b) { return infer(a, b)->shape; };
  EXPECT_EQ(shape({2, 1, 3}, {4, 1}), (Shape{2, 4, 3}));
  EXPECT_EQ(shape({}, {2, 2}), (Shape{2, 2}));
  EXPECT_EQ(shape({0}, {1}), (Shape{0}));
  EXPECT_EQ(shape({-1, -1, -1}, {5, 1, -1}), (Shape{5, -1, -1}));
  const Status bad = infer({2, 3}, {2}).status();
  EXPECT_EQ(bad.text(), "shape: [2, 3] and [2] do not broadcast");
  EXPECT_FALSE(infer({0}, {2}).ok());
}

TEST(Broadcast, ElementsMeet) {
  const Ran r = run("add", "", {{{2, 1, 3}, {1, 2, 3, 4, 5, 6}}, {{2, 1}, {10, 20}}});
  ASSERT_TRUE(r.status.ok()) << r.status.text();
  EXPECT_EQ(r.shape, (Shape{2, 2, 3}));
  EXPECT_EQ(r.data, (Values{11, 12, 13, 21, 22, 23, 14, 15, 16, 24, 25, 26}));
}

TEST(Broadcast, NothingIsWalkedWhereNothingIs) {
  const Ran r = run("add", "", {{{int64_t{1} << 40, 0}, {}}, {{1}, {7}}});
  EXPECT_TRUE(r.status.ok()) << r.status.text();
  EXPECT_EQ(r.shape, (Shape{int64_t{1} << 40, 0}));
}

// Report B061: a loop counter of 16 bits leaves most of a matrix untouched.
TEST(Elementwise, B061_EverySizeIsCoveredWhole) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{255, 257}, {256, 256}, {256, 257}, {300, 300}}) {
    const In zeros{{rows, cols}, {}};
    EXPECT_EQ(run("clamp", R"({"act_min": 7})", {zeros}).data, Values(static_cast<size_t>(rows * cols), 7));
    EXPECT_EQ(run("add", "", {zeros, row({7})}).data, Values(static_cast<size_t>(rows * cols), 7));
  }
}

TEST(Elementwise, B071_ProductsRoundTiesUp) {
  EXPECT_EQ(run("mul", "", {row({-3, -1, 1, 3}), row({32768})}).data, (Values{-1, 0, 1, 2}));
}

// Report B073: half added before a shift overflows at both ends. Here x * 2^-16 rounds x to an integer, ties up.
TEST(Elementwise, B073_RoundingDoesNotOverflowAtTheEnds) {
  EXPECT_EQ(run("mul", "", {row({FIXED_MIN, FIXED_MAX, 32768, -32768}), row({1})}).data, (Values{-32768, 32768, 1, 0}));
}

TEST(Elementwise, SumsAndDifferencesSaturate) {
  EXPECT_EQ(run("add", "", {row({FIXED_MAX, FIXED_MIN}), row({1, -1})}).data, (Values{FIXED_MAX, FIXED_MIN}));
  EXPECT_EQ(run("sub", "", {row({FIXED_MAX, FIXED_MIN}), row({-1, 1})}).data, (Values{FIXED_MAX, FIXED_MIN}));
  EXPECT_EQ(run("mul", R"({"act_max": 5})", {row({k1}), row({k1, 4})}).data, (Values{5, 4}));
}

// The kernel divides digit by digit; fixed_div of fx.h, whose values are worked out in fx_scalar_test.cc, does not.
TEST(Elementwise, DivisionIsFixedDivOfEveryPair) {
  Values a;
  for (const int64_t v : {0, 1, 2, 3, 7, 9, 32767, 32768, 65535, 65536, 65537, 131072, 0x12345678, 0x7fffffff})
    a.insert(a.end(), {v, -v});
  a.push_back(FIXED_MIN);
  const auto n = static_cast<int64_t>(a.size());
  const Ran r = run("div", "", {{{n, 1}, a}, row(a)});
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j)
      EXPECT_EQ(r.data[i * a.size() + j], fixed_div(static_cast<int32_t>(a[i]), static_cast<int32_t>(a[j])))
          << a[i] << " / " << a[j];
  }
}

TEST(Elementwise, BoundsBeyondTheDtypeAreItsEnds) {
  EXPECT_EQ(run("clamp", R"({"act_min": -1000, "act_max": 100})", {row({-128, 127})}, DType::i8).data,
            (Values{-128, 100}));
  EXPECT_EQ(run("maximum", R"({"act_max": 3})", {row({-9, 5}), row({-4})}, DType::i8).data, (Values{-4, 3}));
  const int64_t far = int64_t{1} << 60;
  EXPECT_EQ(run("minimum", "", {row({far, -far}), row({far - 1})}, DType::i64).data, (Values{far - 1, -far}));
  EXPECT_EQ(run("clamp", R"({"act_min": -2})", {row({far, -far})}, DType::i64).data, (Values{far, -2}));
}

TEST(Elementwise, PreluHasASlopeForEachColumn) {
  EXPECT_EQ(run("prelu", "", {{{2, 2}, {-k1, -k1, k1, -3}}, row({k1 / 2, 2 * k1})}).data,
            (Values{-k1 / 2, -2 * k1, k1, -6}));
  EXPECT_EQ(run("prelu", "", {row({1, 2}), {{2, 1}, {1, 2}}}).status.code, Code::shape);
}

TEST(Elementwise, HardSigmoidAndHardSwish) {
  EXPECT_EQ(of("hard_sigmoid", {0, k1, -3 * k1, 3 * k1, FIXED_MIN, FIXED_MAX}), (Values{32768, 45875, 0, k1, 0, k1}));
  // x (x + 3) / 6: 4/6, -2/6, -2.25/6; the smallest come to little more than a half, and less.
  EXPECT_EQ(of("hard_swish", {k1, -k1, -3 * k1 / 2, 1, -1, 3 * k1, 3 * k1 + 1, FIXED_MAX, -3 * k1, FIXED_MIN}),
            (Values{43691, -21845, -24576, 1, 0, 3 * k1, 3 * k1 + 1, FIXED_MAX, 0, 0}));
}

TEST(Elementwise, WrongAttributesAndDtypes) {
  EXPECT_EQ(run("clamp", R"({"act_min": 2, "act_max": 1})", {row({0})}).status.code, Code::argument);
  EXPECT_EQ(run("add", R"({"act_min": 2, "act_max": 1})", {row({0}), row({0})}).status.code, Code::argument);
  EXPECT_EQ(run("add", "", {row({0}), row({0})}, DType::i8).status.code, Code::unsupported);
  EXPECT_EQ(run("exp", "", {row({0})}, DType::i64).status.code, Code::unsupported);
  EXPECT_EQ(run("softmax", R"({"axis": 1})", {row({0})}).status.code, Code::argument);
  EXPECT_EQ(run("softmax", "", {{{2, 0}, {}}}).status.code, Code::shape);
  EXPECT_TRUE(run("softmax", "", {{{0, 2}, {}}}).status.ok());
}

// Decimals of exp(1), exp(3), 1/(1+exp(-1)) and tanh(1) times 65536: 178145.32, 1316325.75, 47910.66, 49911.83.
TEST(Transcendental, KnownValuesAndEnds) {
  EXPECT_EQ(of("exp", {0, k1, 3 * k1, FIXED_MIN, FIXED_MAX}), (Values{k1, 178145, 1316326, 0, FIXED_MAX}));
  EXPECT_EQ(of("sigmoid", {0, k1, -k1, FIXED_MIN, FIXED_MAX}), (Values{32768, 47911, k1 - 47911, 0, k1}));
  EXPECT_EQ(of("tanh", {0, k1, -k1, FIXED_MIN, FIXED_MAX}), (Values{0, 49912, -49912, -k1, k1}));
}

// 32768.5 - 8 / (48 * 2^32), and its mirror image.
TEST(Transcendental, TheSigmoidClosestToATie) { EXPECT_EQ(of("sigmoid", {2, -2}), (Values{32768, 32768})); }

TEST(Transcendental, SoftmaxOverAnyAxis) {
  const Values in{0, FIXED_MIN, 5, FIXED_MAX};
  EXPECT_EQ(run("softmax", R"({"axis": 0})", {{{2, 2}, in}}).data, (Values{32767, 0, 32769, k1}));
  EXPECT_EQ(run("softmax", "", {{{2, 2}, in}}).data, (Values{k1, 0, 0, k1}));
  EXPECT_EQ(run("softmax", "", {row(Values(3, -9))}).data, Values(3, 21845));
}

TEST(Products, SumsBeyond64BitsAreExact) {
  // 2^62 twice, less (2^31 - 1)^2 twice: 2^33 - 2.
  const Values a{FIXED_MIN, FIXED_MIN, FIXED_MAX, FIXED_MAX}, b{FIXED_MIN, FIXED_MIN, -FIXED_MAX, -FIXED_MAX};
  EXPECT_EQ(run("fully_connected", "", {{{1, 4}, a}, {{1, 4}, b}, row({-1})}).data, Values{131071});
  EXPECT_EQ(run("matmul", "", {{{1, 4}, a}, {{4, 1}, b}}).data, Values{131072});
}

TEST(Products, MatmulBatchesBroadcast) {
  const Ran r = run("matmul", "", {{{2, 1, 1, 2}, {k1, 2 * k1, 3 * k1, 4 * k1}}, {{2, 2, 1}, {1, 10, 100, 1000}}});
  ASSERT_TRUE(r.status.ok()) << r.status.text();
  EXPECT_EQ(r.shape, (Shape{2, 2, 1, 1}));
  EXPECT_EQ(r.data, (Values{21, 2100, 43, 4300}));
}

TEST(Products, WrongShapes) {
  const In m{{2, 3}, {}};
  EXPECT_EQ(run("matmul", "", {m, m}).status.code, Code::shape);
  EXPECT_EQ(run("matmul", "", {m, row({0, 0, 0})}).status.code, Code::shape);
  EXPECT_EQ(run("matmul", "", {{{2, 0}, {}}, {{0, 2}, {}}}).status.code, Code::shape);
  EXPECT_EQ(run("fully_connected", "", {m, {{4, 2}, {}}}).status.code, Code::shape);
  EXPECT_EQ(run("fully_connected", "", {m, {{4, 3}, {}}, row({0})}).status.code, Code::shape);
  EXPECT_EQ(run("batch_norm", R"({"axis": 0})", {m, row({0, 0, 0}), row({0, 0, 0})}).status.code, Code::shape);
  EXPECT_EQ(run("batch_norm", R"({"axis": 2})", {m, row({0}), row({0})}).status.code, Code::argument);
}

TEST(Products, BatchNormHasAScaleForEachChannel) {
  EXPECT_EQ(
      run("batch_norm", R"({"axis": 0})", {{{2, 2}, {k1, -1, FIXED_MIN, 3}}, row({k1, k1 / 2}), row({5, FIXED_MIN})})
          .data,
      (Values{k1 + 5, 4, FIXED_MIN, FIXED_MIN + 2}));
}

// [1 2 3] spread by 2 under the kernel [1 10 100]: 1 10 100+2 20 200+3 30 300.
TEST(ConvTranspose, EachInputSpreadsTheKernel) {
  const auto of = [](const char* attrs) {
    return run("conv_transpose2d", attrs, {{{1, 1, 3, 1}, {k1, 2 * k1, 3 * k1}}, {{1, 1, 3, 1}, {1, 10, 100}}});
  };
  EXPECT_EQ(of(R"({"stride": [1, 2]})").data, (Values{1, 10, 102, 20, 203, 30, 300}));
  EXPECT_EQ(of(R"({"stride": [1, 2], "pad": [0, 1, 0, 2], "output_padding": [0, 1]})").data,
            (Values{10, 102, 20, 203, 30}));
  EXPECT_EQ(of(R"({"stride": [1, 2], "pad": "SAME_UPPER"})").data, (Values{1, 10, 102, 20, 203, 30}));
  EXPECT_EQ(of(R"({"stride": [1, 2], "pad": "SAME_LOWER"})").data, (Values{10, 102, 20, 203, 30, 300}));
  EXPECT_EQ(of(R"({"stride": [1, 2], "output_size": [1, 8]})").data, (Values{1, 10, 102, 20, 203, 30, 300, 0}));
  EXPECT_EQ(of(R"({"dilation": [1, 2]})").data, (Values{1, 2, 3 + 10, 20, 30 + 100, 200, 300}));
  for (const char* wrong : {R"({"pad": "FULL"})", R"({"pad": [0, -1, 0, 0]})", R"({"output_padding": [0, 1]})",
                            R"({"stride": [0, 1]})", R"({"output_size": [1, 0]})", R"({"groups": 0})"})
    EXPECT_EQ(of(wrong).status.code, Code::argument) << wrong;
  EXPECT_EQ(of(R"({"pad": [0, 2, 0, 3]})").status.code, Code::shape);
  EXPECT_EQ(of(R"({"groups": 2})").status.code, Code::shape);
  EXPECT_EQ(of(R"({"stride": [1, 2147483647]})").status.code, Code::too_large);
  EXPECT_EQ(of(R"({"stride": [1, 9223372036854775807]})").status.code, Code::too_large);
}

// Two groups of one input and two outputs, kernels of one element: 2, 3 of the first input and 5, 7 of the second.
TEST(ConvTranspose, GroupsOwnTheirOutputsInBothLayouts) {
  const In bias = row({0, 0, 0, 1});
  EXPECT_EQ(
      run("conv_transpose2d", R"({"groups": 2})", {{{1, 1, 1, 2}, {k1, -k1}}, {{4, 1, 1, 1}, {2, 3, 5, 7}}, bias}).data,
      (Values{2, 3, -5, -6}));
  EXPECT_EQ(run("conv_transpose2d", R"({"groups": 2, "layout": "NCHW"})",
                {{{1, 2, 1, 1}, {k1, -k1}}, {{2, 2, 1, 1}, {2, 3, 5, 7}}, bias})
                .data,
            (Values{2, 3, -5, -6}));
}

}  // namespace
}  // namespace bitexact::test
