// Pooling in every dtype. Expected values from the law, and from the reports whose number a test bears.
#include "bitexact/pool.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "bitexact/operator.h"

namespace bitexact::test {
namespace {

template <class E>
struct Ran {
  Status status;
  Shape shape;
  std::vector<E> data;
};

template <class E>
Ran<E> run(const char* op, const std::string& attributes, DType dtype, const Shape& shape, std::vector<E> in) {
  const NamedTensor input{"in", {dtype, shape, reinterpret_cast<std::byte*>(in.data())}};
  EXPECT_EQ(in.size(), input.tensor.count());
  const auto out = run_operator(op, attributes, {&input, 1});
  if (!out.ok()) return {out.status(), {}, {}};
  const E* data = out->view.template as<E>();
  return {{}, out->view.shape, {data, data + out->view.count()}};
}

Status fails(const char* op, const std::string& attributes, DType dtype, const Shape& shape) {
  const NamedType input{"in", {dtype, shape}};
  return infer_operator(op, attributes, {&input, 1}).status();
}

using Floats = std::vector<uint32_t>;
using Halves = std::vector<uint16_t>;
using Bytes = std::vector<int8_t>;
using Fixed = std::vector<int32_t>;

template <class E>
std::vector<E> ramp(int n, int first = 0) {
  std::vector<E> v;
  for (int i = 0; i < n; ++i) v.push_back(static_cast<E>(first + i));
  return v;
}

// Three windows: the highest beside the lowest, the lowest alone, and one that has no tap inside.
template <class E>
void expect_extremes(DType dtype, E lowest, E highest) {
  const char* pairs = R"({"kernel":[1,2],"stride":[1,2]})";
  EXPECT_EQ(run<E>("max_pool2d", pairs, dtype, {1, 1, 4, 1}, {lowest, highest, lowest, lowest}).data,
            (std::vector<E>{highest, lowest}))
      << dtype_name(dtype);
  const char* around = R"({"kernel":[2,2],"dilation":[4,4],"pad":[2,2,2,2],"layout":"NCHW"})";
  EXPECT_EQ(run<E>("max_pool2d", around, dtype, {1, 1, 1, 1}, {highest}).data, std::vector<E>{lowest})
      << dtype_name(dtype);
}

template <class E>
void expect_integer_extremes(DType dtype) {
  expect_extremes<E>(dtype, std::numeric_limits<E>::min(), std::numeric_limits<E>::max());
}

TEST(MaxPool, ExtremesOfEveryDType) {
  expect_integer_extremes<int32_t>(DType::q16);
  expect_integer_extremes<int8_t>(DType::i8);
  expect_integer_extremes<uint8_t>(DType::u8);
  expect_integer_extremes<int16_t>(DType::i16);
  expect_integer_extremes<uint16_t>(DType::u16);
  expect_integer_extremes<int32_t>(DType::i32);
  expect_integer_extremes<int64_t>(DType::i64);
  expect_extremes<uint16_t>(DType::f16, 0xfc00, 0x7c00);
  expect_extremes<uint32_t>(DType::f32, 0xff800000, 0x7f800000);
}

TEST(MaxPool, FloatsAreOrderedByTheirBits) {
  // Neighbours in ascending order, in both places of a window.
  const Floats up{0xff800000, 0xff7fffff, 0x80800000, 0x80000001, 0x80000000,
                  0x00000000, 0x00000001, 0x00800000, 0x7f7fffff, 0x7f800000};
  Floats in, expected;
  for (size_t i = 1; i < up.size(); ++i) {
    in.insert(in.end(), {up[i - 1], up[i], up[i], up[i - 1]});
    expected.insert(expected.end(), {up[i], up[i]});
  }
  const auto n = static_cast<int64_t>(in.size());
  EXPECT_EQ(run("max_pool2d", R"({"kernel":[1,2],"stride":[1,2]})", DType::f32, {1, 1, n, 1}, in).data, expected);
  EXPECT_EQ(run("max_pool2d", R"({"kernel":[1,6]})", DType::f16, {1, 1, 6, 1},
                Halves{0xbc00, 0x8001, 0x8000, 0x0000, 0x8000, 0xfbff})
                .data,
            Halves{0});
}

TEST(MaxPool, NanIsIgnoredOrPropagated) {
  // Quiet, signalling and negative NaN; a NaN beside +inf; no NaN.
  const Floats in{0x7fc00000, 0xbf800000, 0x7f800001, 0xff800000, 0xffffffff,
                  0xffc00000, 0x7fc00001, 0x7f800000, 0x3f800000, 0x40000000};
  const std::string pairs = R"("kernel":[1,2],"stride":[1,2])";
  EXPECT_EQ(run("max_pool2d", "{" + pairs + "}", DType::f32, {1, 1, 10, 1}, in).data,
            (Floats{0xbf800000, 0xff800000, 0xff800000, 0x7f800000, 0x40000000}));
  EXPECT_EQ(run("max_pool2d", "{\"nan\":\"propagate\"," + pairs + "}", DType::f32, {1, 1, 10, 1}, in).data,
            (Floats{0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x40000000}));
  const Halves half{0xfe01, 0x7c00, 0x7c01, 0xfc00};
  EXPECT_EQ(run("max_pool2d", "{" + pairs + "}", DType::f16, {1, 1, 4, 1}, half).data, (Halves{0x7c00, 0xfc00}));
  EXPECT_EQ(run("max_pool2d", "{\"nan\":\"propagate\"," + pairs + "}", DType::f16, {1, 1, 4, 1}, half).data,
            (Halves{0x7e00, 0x7e00}));
}

TEST(AveragePool, TiesOfQ16GoUp) {
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[1,2],"stride":[1,2]})", DType::q16, {1, 1, 12, 1},
                Fixed{0, 1, 0, -1, -1, -2, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MAX})
                .data,
            (Fixed{1, 0, -1, INT32_MAX, INT32_MIN, 0}));
}

TEST(AveragePool, B051_TiesOfBytesGoAwayFromZero) {
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[1,2],"stride":[1,2]})", DType::i8, {1, 1, 10, 1},
                Bytes{0, 1, 1, 2, 2, 3, 0, -1, -2, -3})
                .data,
            (Bytes{1, 2, 3, -1, -3}));
}

TEST(AveragePool, Binary32InWindowOrder) {
  // 2^24 swallows each 1 that is added to it; in the other order they are 2 first. Thirds of 16777216 and 16777218.
  const Floats in{0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x4b800000};
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[1,3],"stride":[1,3]})", DType::f32, {1, 1, 6, 1}, in).data,
            (Floats{std::bit_cast<uint32_t>(5592405.5f), std::bit_cast<uint32_t>(5592406.0f)}));
}

TEST(AveragePool, Binary32AtItsEdges) {
  const Floats in{0x80000000, 0x80000000,   // -0 and -0, from +0 on
                  0x7f800000, 0xff800000,   // inf - inf
                  0xffc12345, 0x3f800000,   // a NaN
                  0x7f7fffff, 0x7f7fffff,   // beyond the largest
                  0x00000001, 0x00000000,   // half the smallest: to even
                  0x00000001, 0x00000002};  // one and a half of it: to even
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[1,2],"stride":[1,2]})", DType::f32, {1, 1, 12, 1}, in).data,
            (Floats{0, 0x7fc00000, 0x7fc00000, 0x7f800000, 0, 2}));
}

TEST(AveragePool, NoTapInsideIsZero) {
  const char* around = R"({"kernel":[2,2],"dilation":[4,4],"pad":[2,2,2,2]})";
  EXPECT_EQ(run("avg_pool2d", around, DType::f32, {1, 1, 1, 1}, Floats{0x7fc00000}).data, Floats{0});
  EXPECT_EQ(run("avg_pool2d", around, DType::i8, {1, 1, 1, 1}, Bytes{100}).data, Bytes{0});
}

TEST(AveragePool, DTypesWithoutAnAverage) {
  for (const DType t : {DType::f16, DType::u16, DType::i32, DType::i64})
    EXPECT_EQ(fails("avg_pool2d", R"({"kernel":[1,1]})", t, {1, 1, 1, 1}).code, Code::unsupported) << dtype_name(t);
}

TEST(Pool, BoundsOfTheActivationSaturateToTheDType) {
  const auto bounded = [](int lo, int hi) {
    return R"({"kernel":[1,1],"act_min":)" + std::to_string(lo) + R"(,"act_max":)" + std::to_string(hi) + "}";
  };
  const std::vector<uint8_t> in{0, 5, 255};
  for (const char* op : {"max_pool2d", "avg_pool2d"}) {
    EXPECT_EQ(run(op, bounded(-7, 1000), DType::u8, {1, 1, 3, 1}, in).data, in);
    EXPECT_EQ(run(op, bounded(3, 6), DType::u8, {1, 1, 3, 1}, in).data, (std::vector<uint8_t>{3, 5, 6}));
    EXPECT_EQ(run(op, bounded(-9, -1), DType::u8, {1, 1, 3, 1}, in).data, (std::vector<uint8_t>{0, 0, 0}));
    EXPECT_EQ(run(op, bounded(300, 400), DType::i8, {1, 1, 2, 1}, Bytes{-128, 127}).data, (Bytes{127, 127}));
    EXPECT_EQ(fails(op, bounded(2, 1), DType::u8, {1, 1, 3, 1}).code, Code::argument);
    EXPECT_EQ(fails(op, bounded(0, 6), DType::f32, {1, 1, 3, 1}).code, Code::unsupported);
  }
  EXPECT_EQ(fails("max_pool2d", bounded(0, 6), DType::i64, {1, 1, 3, 1}).code, Code::unsupported);
}

TEST(Pool, GlobalIsOneWindowOverAll) {
  const char* global = R"({"global":true,"kernel":[9,9],"layout":"NCHW"})";
  EXPECT_EQ(run("max_pool2d", global, DType::i8, {1, 2, 2, 2}, Bytes{1, 2, 3, 4, -1, -2, -3, -4}).data, (Bytes{4, -1}));
  const auto mean = run("avg_pool2d", global, DType::i8, {1, 2, 2, 2}, Bytes{1, 2, 3, 4, -1, -2, -3, -4});
  EXPECT_EQ(mean.shape, (Shape{1, 2, 1, 1}));
  EXPECT_EQ(mean.data, (Bytes{3, -3}));
  Pool2dAttrs a;
  a.global = true;
  EXPECT_EQ(*infer_pool_shape({-1, -1, 7, 5}, a), (Shape{-1, 1, 1, 5}));
  EXPECT_EQ(infer_pool_shape({1, 0, 7, 5}, a).status().code, Code::shape);
  EXPECT_EQ(*infer_pool_shape({0, 3, 7, 0}, a), (Shape{0, 1, 1, 0}));
}

TEST(Pool, UnknownDimensionsStayUnknown) {
  Pool2dAttrs a;
  a.kernel = a.window.stride = {2, 2};
  EXPECT_EQ(*infer_pool_shape({1, -1, 8, 3}, a), (Shape{1, -1, 4, 3}));
  a.layout = Layout::nchw;
  EXPECT_EQ(*infer_pool_shape({-1, -1, -1, -1}, a), (Shape{-1, -1, -1, -1}));
  EXPECT_EQ(infer_pool_shape({1, 8, 8}, a).status().code, Code::shape);
  for (const Shape& negative : {Shape{-2, 1, 8, 8}, Shape{1, -3, 8, 8}, Shape{1, 1, INT64_MIN, 8}, Shape{1, 1, 8, -2}})
    EXPECT_EQ(infer_pool_shape(negative, a).status().code, Code::shape) << negative.text();
}

TEST(Pool, EmptyTensors) {
  Pool2dAttrs a;
  a.kernel = {2, 2};
  for (const Pad pad : {Pad::valid, Pad::same_upper, Pad::same_lower}) {
    a.window.pad.kind = pad;
    const int64_t out = pad == Pad::valid ? 3 : 4;
    EXPECT_EQ(*infer_pool_shape({0, 4, 4, 3}, a), (Shape{0, out, out, 3})) << pad_name(pad);
    EXPECT_EQ(*infer_pool_shape({1, 4, 4, 0}, a), (Shape{1, out, out, 0})) << pad_name(pad);
    EXPECT_EQ(*infer_pool_shape({1, 0, 4, 3}, a), (Shape{1, 0, out, 3})) << pad_name(pad);
    EXPECT_EQ(*infer_pool_shape({1, 4, 0, 3}, a), (Shape{1, out, 0, 3})) << pad_name(pad);
  }
  for (const Pad pad : {Pad::full, Pad::explicit_}) {
    a.window.pad.kind = pad;
    EXPECT_TRUE(infer_pool_shape({0, 4, 4, 3}, a).ok()) << pad_name(pad);
    for (const Shape& empty : {Shape{1, 4, 4, 0}, Shape{1, 0, 4, 3}, Shape{1, 4, 0, 3}})
      EXPECT_EQ(infer_pool_shape(empty, a).status().code, Code::shape) << pad_name(pad) << empty.text();
  }
  const auto none = run("max_pool2d", R"({"kernel":[2,2]})", DType::f32, {2, 0, 4, 3}, Floats{});
  EXPECT_TRUE(none.status.ok()) << none.status.text();
  EXPECT_EQ(none.shape, (Shape{2, 0, 3, 3}));
}

TEST(Pool, SizesBeyondTheLimitsAreRefused) {
  Pool2dAttrs a;
  EXPECT_EQ(infer_pool_shape({int64_t{1} << 31, 1, 1, 1}, a).status().code, Code::too_large);
  EXPECT_EQ(infer_pool_shape({1, 1, 1, INT64_MAX}, a).status().code, Code::too_large);
  a.kernel = {INT64_MAX, 1};
  EXPECT_EQ(infer_pool_shape({1, 1, 1, 1}, a).status().code, Code::too_large);
  a.kernel = {1 << 20, 1}, a.window.dilation = {1 << 20, 1};
  EXPECT_EQ(infer_pool_shape({1, 1, 1, 1}, a).status().code, Code::too_large);
  Model m;
  m.values = {{"in", DType::i64, {1 << 30, 1 << 30, 1 << 30, 1 << 30}, nullptr}, {"out", DType::i64, {}, nullptr}};
  m.nodes = {{"pool", Op::max_pool2d, Pool2dAttrs{}, {0}, 1}};
  m.inputs = {0};
  m.outputs = {1};
  EXPECT_EQ(prepare(m).status().code, Code::too_large);
}

TEST(Pool, AHugeWindowCostsWhatIsInsideIt) {
  const std::string huge = R"({"kernel":[536870912,536870912],"pad":"SAME_UPPER"})";
  EXPECT_EQ(run("max_pool2d", huge, DType::u16, {1, 2, 2, 1}, Halves{4, 3, 2, 1}).data, (Halves{4, 4, 4, 4}));
  std::vector<uint8_t> one{1};
  const NamedTensor in{"in", {DType::u8, {1, 1, 1, 1}, reinterpret_cast<std::byte*>(one.data())}};
  EXPECT_EQ(run_operator("avg_pool2d", huge, {&in, 1}).status().code, Code::too_large);
}

TEST(AveragePool, TheAccumulatorIsProved) {
  Fixed pixels(9);
  const NamedTensor in{"in", {DType::q16, {1, 3, 3, 1}, reinterpret_cast<std::byte*>(pixels.data())}};
  const auto why = explain_operator("avg_pool2d", R"({"kernel":[3,3]})", {&in, 1});
  ASSERT_TRUE(why.ok()) << why.status().text();
  EXPECT_EQ(why->bound.bits, 37);  // 2^35 < 2 * 9 * 2^31 + 9 < 2^36, and a sign
  EXPECT_EQ(why->bound.formula, "2 * 9 cells * 2147483648 + 9 = 38654705673");
}

TEST(Pool, B003_StrideBeyondTheKernelWithCeilMode) {
  std::vector<int16_t> in;
  for (int i = 0; i < 80; ++i) in.push_back(static_cast<int16_t>(i));
  const auto r =
      run("max_pool2d", R"({"layout":"NCHW","kernel":[3,3],"stride":[4,4],"pad":[0,0,0,0],"ceil_mode":true})",
          DType::i16, {1, 1, 8, 10}, in);
  EXPECT_EQ(r.shape, (Shape{1, 1, 2, 3}));
  EXPECT_EQ(r.data, (std::vector<int16_t>{22, 26, 29, 62, 66, 69}));
}

Floats bits(const std::vector<float>& values) {
  Floats v;
  for (const float f : values) v.push_back(std::bit_cast<uint32_t>(f));
  return v;
}

TEST(Pool, B011_TheLastWindowDividesBySix) {
  const auto r =
      run("avg_pool2d", R"({"kernel":[1,7],"stride":[1,3],"pad":[0,3,0,3],"ceil_mode":true,"count_include_pad":true})",
          DType::f32, {1, 1, 9, 1},
          bits({2.0903f, 4.6493f, 1.632f, -3.2051f, 4.6975f, 4.7296f, 3.3653f, -1.5815f, -2.3832f}));
  const float expected[] = {0.738071f, 2.565557f, 0.803229f, -0.0999f};
  ASSERT_EQ(r.data.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(std::bit_cast<float>(r.data[i]), expected[i], 1e-5f);
}

TEST(Pool, B013_BothEndsOfThePaddingCount) {
  Floats in;
  for (int i = 0; i < 12; ++i) in.push_back(std::bit_cast<uint32_t>(static_cast<float>(i)));
  const auto r = run("avg_pool2d", R"({"layout":"NCHW","kernel":[5,1],"pad":"SAME_LOWER","count_include_pad":true})",
                     DType::f32, {1, 1, 6, 2}, in);
  EXPECT_EQ(r.data, bits({1.2f, 1.8f, 2.4f, 3.2f, 4, 5, 6, 7, 5.6f, 6.4f, 4.8f, 5.4f}));
}

// Padding that counts is real 0 only where the zero point is 0; for others the tensor is padded by `pad` first.
TEST(Pool, B025_PaddingOfAQuantizedAverageHoldsTheZeroPoint) {
  const Bytes in(4, 50);
  const auto padded = run("pad", R"({"pads":[0,1,1,0,0,1,1,0],"value":50})", DType::i8, {1, 2, 2, 1}, in);
  ASSERT_TRUE(padded.status.ok()) << padded.status.text();
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[3,3]})", DType::i8, padded.shape, padded.data).data, in);
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[3,3],"pad":[1,1,1,1]})", DType::i8, {1, 2, 2, 1}, in).data, in);
}

TEST(Pool, B029_DilationMovesTheTaps) {
  EXPECT_EQ(
      run("max_pool2d", R"({"kernel":[2,2],"dilation":[2,2]})", DType::u8, {1, 4, 4, 1}, ramp<uint8_t>(16, 1)).data,
      (std::vector<uint8_t>{11, 12, 15, 16}));
}

TEST(Pool, B031_DilationWithPaddingBefore) {
  EXPECT_EQ(run("max_pool2d", R"({"kernel":[1,2],"dilation":[1,2],"pad":[0,1,0,1]})", DType::i64, {1, 1, 9, 1},
                std::vector<int64_t>{1, 9, 2, 8, 3, 7, 4, 6, 5})
                .data,
            (std::vector<int64_t>{9, 2, 9, 3, 8, 4, 7, 5, 6}));
}

TEST(Pool, B035_OneRowWithValidPadding) {
  EXPECT_EQ(run("max_pool2d", R"({"kernel":[1,4],"stride":[1,4],"pad":"VALID"})", DType::i8, {1, 1, 8, 1},
                Bytes{3, -1, 4, 1, -5, 9, 2, 6})
                .data,
            (Bytes{4, 9}));
}

TEST(Pool, B037_AWindowLargerThanTheInputIsAShapeError) {
  const Status s = fails("max_pool2d", R"({"layout":"NCHW","kernel":[2,2],"stride":[2,2],"pad":[0,0,0,0]})", DType::f32,
                         {1, 64, 1, 1});
  EXPECT_EQ(s.code, Code::shape);
  EXPECT_NE(s.why.find("window of 2 does not fit the padded input of 1 along the height"), std::string::npos) << s.why;
}

// The report asks for an error, to expose a bad model. ARITHMETIC 4 follows MaxPoolExt2 instead, whose VALID clamps a
// negative size to 0 and calls the empty tensor legal. Whoever declares the padding gets the error.
TEST(Pool, B041_ValidPaddingGivesAnEmptyTensor) {
  for (const int64_t h : {5, 6}) {
    const auto r = run("max_pool2d", R"({"kernel":[7,7]})", DType::i8, {1, h, 8, 1}, Bytes(static_cast<size_t>(h) * 8));
    ASSERT_TRUE(r.status.ok()) << r.status.text();
    EXPECT_EQ(r.shape, (Shape{1, 0, 2, 1}));
    EXPECT_EQ(fails("max_pool2d", R"({"kernel":[7,7],"pad":[0,0,0,0]})", DType::i8, {1, h, 8, 1}).code, Code::shape);
  }
}

TEST(Pool, B053_SumsBeyondSixteenBits) {
  for (const int8_t v : Bytes{127, -128})
    EXPECT_EQ(run("avg_pool2d", R"({"kernel":[17,17]})", DType::i8, {1, 17, 17, 1}, Bytes(289, v)).data, Bytes{v});
}

// away(sum, count), as a loop.
int naive_average(int first, int channel) {
  int sum = 0;
  for (int i = 0; i < 33 * 33; ++i) sum += (i + channel) % 256 + first;
  const int count = 33 * 33, size = sum < 0 ? -sum : sum, average = (2 * size + count) / (2 * count);
  return sum < 0 ? -average : average;
}

template <class E>
void expect_every_channel(DType dtype, int first) {
  std::vector<E> in, expected;
  for (int i = 0; i < 33 * 33; ++i)
    for (int c = 0; c < 320; ++c) in.push_back(static_cast<E>((i + c) % 256 + first));
  for (int c = 0; c < 320; ++c) expected.push_back(static_cast<E>(naive_average(first, c)));
  EXPECT_EQ(run("avg_pool2d", R"({"kernel":[33,33]})", dtype, {1, 33, 33, 320}, in).data, expected);
}

TEST(Pool, B057_EveryChannelOfABlock) {
  expect_every_channel<uint8_t>(DType::u8, 0);
  expect_every_channel<int8_t>(DType::i8, -128);
}

TEST(Pool, B091_NothingButOnesInTheLastRow) {
  const char* attributes = R"({"layout":"NCHW","kernel":[3,3],"pad":[1,1,1,1]})";
  const Floats ones(32 * 81, 0x3f800000);
  EXPECT_EQ(run("max_pool2d", attributes, DType::f32, {1, 32, 9, 9}, ones).data, ones);
  const Bytes bytes(32 * 81, 1);
  EXPECT_EQ(run("max_pool2d", attributes, DType::i8, {1, 32, 9, 9}, bytes).data, bytes);
}

}  // namespace
}  // namespace bitexact::test
