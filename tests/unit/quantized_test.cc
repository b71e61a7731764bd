// The quantized operators through model, plan and session. What they compute is in tests/vectors and third-party data;
// here are reports, bounds and hostile attributes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/session.h"

namespace bitexact::test {
namespace {

struct Input {
  DType dtype;
  Shape shape;
  std::vector<std::byte> bytes;
};
template <class T>
Input tensor(DType dtype, const Shape& shape, const std::vector<T>& values) {
  Input t{dtype, shape, std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(t.bytes.data(), values.data(), t.bytes.size());
  return t;
}
Input i8(const Shape& shape, const std::vector<int8_t>& values) { return tensor(DType::i8, shape, values); }
Input i16(const Shape& shape, const std::vector<int16_t>& values) { return tensor(DType::i16, shape, values); }
Input i32(const Shape& shape, const std::vector<int32_t>& values) { return tensor(DType::i32, shape, values); }
Input i64(const Shape& shape, const std::vector<int64_t>& values) { return tensor(DType::i64, shape, values); }

struct Ran {
  Status status;
  AccumulatorBound bound;
  std::vector<int> data;
};

std::vector<int> values_of(const Tensor& t) {
  std::vector<int> v;
  for (size_t i = 0; i < t.count(); ++i)
    v.push_back(t.dtype == DType::i8    ? t.as<int8_t>()[i]
                : t.dtype == DType::u8  ? t.as<uint8_t>()[i]
                : t.dtype == DType::i16 ? t.as<int16_t>()[i]
                                        : t.as<int32_t>()[i]);
  return v;
}

// The first input is computed with, the others are constants.
Ran run(Op op, const Attrs& attrs, const std::vector<Input>& inputs) {
  Model m;
  m.nodes = {{"node", op, attrs, {}, static_cast<TensorId>(inputs.size())}};
  for (const Input& t : inputs) {
    m.nodes[0].inputs.push_back(static_cast<TensorId>(m.values.size()));
    m.values.push_back({"", t.dtype, t.shape, m.values.empty() ? nullptr : t.bytes.data()});
  }
  m.values.push_back({"", DType::q16, {}, nullptr});
  m.inputs = {0};
  m.outputs = {m.nodes[0].output};
  const auto plan = prepare(m);
  if (!plan.ok()) return {plan.status(), {}, {}};
  auto arena = Buffer::make(arena_bytes(**plan));
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return {session.status(), {}, {}};
  if (!inputs[0].bytes.empty()) std::memcpy(session->input(0).data, inputs[0].bytes.data(), inputs[0].bytes.size());
  session->run();
  return {{}, explain(**plan, 0).bound, values_of(session->output(0))};
}

QuantAttrs quant(int32_t multiplier, int32_t shift) {
  QuantAttrs q;
  q.multiplier = {multiplier};
  q.shift = {shift};
  return q;
}

constexpr int32_t kHalf = 1 << 30;  // with shift 1 the scale is 1

QConv2dAttrs same_conv(const QuantAttrs& q, int64_t groups) {
  QConv2dAttrs a;
  a.layout = Layout::nchw;
  a.window.pad = {Pad::explicit_, 1, 1, 1, 1};
  a.groups = groups;
  a.quant = q;
  return a;
}

TEST(Quantized, B025_AnAverageThatCountsPaddingIsADepthwiseConvolution) {
  // avg_pool2d knows no zero point, so its padding cells count as byte 0. Those of a convolution equal the zero point:
  // ones of scale 1/9 give the average that was meant.
  QuantAttrs q = quant(1908874354, -3);
  q.input_zero = q.output_zero = 50;
  const Ran r = run(Op::q_conv2d, same_conv(q, 1),
                    {i8({1, 1, 2, 2}, {50, 50, 50, 50}), i8({1, 1, 3, 3}, std::vector<int8_t>(9, 1))});
  EXPECT_EQ(r.data, std::vector<int>(4, 50));
}

TEST(Quantized, B083_PaddingEqualsTheZeroPoint) {
  QuantAttrs q = quant(kHalf, 1);
  q.input_zero = 50;
  const Input in = i8({1, 1, 4, 4}, std::vector<int8_t>(16, 50)), ones = i8({1, 1, 3, 3}, std::vector<int8_t>(9, 1));
  EXPECT_EQ(run(Op::q_conv2d, same_conv(q, 1), {in, ones, i32({1}, {0})}).data, std::vector<int>(16, 0));
  q.output_zero = -3;
  EXPECT_EQ(run(Op::q_conv2d, same_conv(q, 1), {in, ones}).data, std::vector<int>(16, -3));
}

TEST(Quantized, B075_TheSquareOfTheLowestSaturates) {
  QBinaryAttrs a;
  a.output = {0, kHalf, -14};  // 2^-15
  const Ran r = run(Op::q_mul, a, {i16({2}, {-32768, -32768}), i16({2}, {-32768, 32767})});
  EXPECT_EQ(r.data, (std::vector<int>{32767, -32767}));
}

TEST(Quantized, B093_SignedProductsAreExact) {
  QFullyConnectedAttrs a;
  a.quant = quant(kHalf, -8);  // 2^-9
  std::vector<int8_t> weights;
  for (const int b : {-128, 64, -65, 127}) weights.insert(weights.end(), 4, static_cast<int8_t>(b));
  const Ran r = run(Op::q_fully_connected, a, {i8({1, 4}, {127, 127, 127, 127}), i8({4, 4}, weights)});
  EXPECT_EQ(r.data, (std::vector<int>{-127, 64, -64, 126}));  // of -65024, 32512, -33020, 64516
  EXPECT_EQ(r.bound.bits, 18);                                // 4 * 128 * 128 = 2^16, and a sign
}

TEST(Quantized, TheBoundCountsZerosWeightsAndBias) {
  QFullyConnectedAttrs a;
  a.quant = quant(kHalf, 0);
  a.quant.input_zero = -100;  // reaches 227
  a.quant.weight_zero = 2;
  const Ran r = run(Op::q_fully_connected, a, {i8({1, 2}, {0, 0}), i8({2, 2}, {1, -2, 3, 4}), i32({2}, {-100, 7})});
  EXPECT_EQ(r.bound.formula, "sum|w - weight_zero| * max|in - input_zero| + |bias|, at most 1235");  // 5 * 227 + 100
  EXPECT_EQ(r.bound.bits, 12);
}

TEST(Quantized, TheBoundOfAProductCountsEveryMatrix) {
  const Input in = i8({2, 1, 2}, {1, 2, 3, 4}), b = i8({2, 2, 2}, {1, 1, 1, 1, 1, 100, 1, -90});
  const Ran r = run(Op::matmul_integer, MatmulIntegerAttrs{{0, -100}, {1, 1, 1, 2}}, {in, b});
  EXPECT_EQ(r.bound.formula, "sum|w - weight_zero| * max|in - input_zero|, at most 43130");  // (98 + 92) * 227
  EXPECT_EQ(r.data, (std::vector<int>{0, 0, 0, 103 * 98 - 104 * 92}));
}

// So many channels that their bounds must not be worked out one by one.
AccumulatorBound bound_of_computed_weights(Op op, Attrs attrs, const Shape& in, const Shape& weights) {
  Model m;
  m.values = {{"in", DType::u8, in, nullptr}, {"weights", DType::i8, weights, nullptr}, {}};
  m.nodes = {{"", op, std::move(attrs), {0, 1}, 2}};
  m.inputs = {0, 1};
  m.outputs = {2};
  const auto plan = prepare(m);
  EXPECT_TRUE(plan.ok()) << plan.status().text();
  return plan.ok() ? explain(**plan, 0).bound : AccumulatorBound{};
}

TEST(Quantized, WeightsThatAreComputedAreBoundedByTheirDtype) {
  if (sizeof(size_t) == 4) return;  // too large to address
  const int64_t channels = std::numeric_limits<int32_t>::max();
  QFullyConnectedAttrs a;
  a.quant = quant(kHalf, 0);
  a.quant.weight_zero = 127;
  EXPECT_EQ(bound_of_computed_weights(Op::q_fully_connected, a, {1, 3}, {channels, 3}).bits, 19);  // 3 * 255 * 255
  Conv2dIntegerAttrs c;
  c.weight_zero = {127};
  EXPECT_EQ(bound_of_computed_weights(Op::conv2d_integer, c, {1, 1, 1, 3}, {channels, 1, 1, 3}).bits, 19);
  EXPECT_EQ(bound_of_computed_weights(Op::matmul_integer, MatmulIntegerAttrs{{}, {127}}, {1, 3}, {3, channels}).bits,
            19);
}

TEST(Quantized, TheReducedMultiplierNeedsSumsBelow2To47) {
  QFullyConnectedAttrs a;
  a.quant = quant(kHalf, -31);
  const Input in = i16({1, 1}, {-32768}), w = i8({1, 1}, {-128});
  const int64_t room = (int64_t{1} << 47) - 1 - 32768 * 128;
  EXPECT_EQ(run(Op::q_fully_connected, a, {in, w, i64({1}, {room})}).data, (std::vector<int>{32767}));
  EXPECT_EQ(run(Op::q_fully_connected, a, {in, w, i64({1}, {-room})}).data, (std::vector<int>{-32768}));
  for (const int64_t bias : {room + 1, -room - 1, std::numeric_limits<int64_t>::min()}) {
    const Status s = run(Op::q_fully_connected, a, {in, w, i64({1}, {bias})}).status;
    EXPECT_EQ(s.code, Code::unsupported);
    EXPECT_NE(s.why.find("below 2^47"), std::string::npos) << s.why;
  }
}

TEST(Quantized, ActivationsBeyondTheDtypeDoNothing) {
  QFullyConnectedAttrs a;
  a.quant = quant(kHalf, 1);
  const auto with = [&](int32_t lo, int32_t hi) {
    a.act = {lo, hi};
    return run(Op::q_fully_connected, a, {i8({1, 1}, {100}), i8({2, 1}, {2, -2})}).data;
  };
  EXPECT_EQ(with(-1000, 1000), (std::vector<int>{127, -128}));
  EXPECT_EQ(with(-1000, -500), (std::vector<int>{-128, -128}));
  EXPECT_EQ(with(-5, 6), (std::vector<int>{6, -5}));
}

template <class A>
using Spoil = std::function<void(A&)>;

TEST(Quantized, ConvolutionsRefuseHostileAttributes) {
  const auto code = [](DType data, const Spoil<QFullyConnectedAttrs>& spoil, int64_t channels = 2) {
    QFullyConnectedAttrs a;
    a.quant = quant(kHalf, 0);
    a.quant.scale = {0x3f800000};
    spoil(a);
    const Input in = data == DType::i8 ? i8({1, 1}, {1}) : i16({1, 1}, {1});
    return run(Op::q_fully_connected, a, {in, i8({channels, 1}, std::vector<int8_t>(2, 1)), i32({2}, {0, 0})})
        .status.code;
  };
  using A = QFullyConnectedAttrs;
  EXPECT_EQ(code(DType::i8, [](A&) {}), Code::ok);
  for (const Spoil<A>& spoil : std::vector<Spoil<A>>{
           [](A& a) { a.quant.multiplier = {}; },
           [](A& a) {
             a.quant.multiplier = {1, 2, 3};
           },
           [](A& a) {
             a.quant.multiplier = {1, 2};
           },
           [](A& a) { a.quant.multiplier = {-1}; },
           [](A& a) { a.quant.shift = {}; },
           [](A& a) { a.quant.shift = {31}; },
           [](A& a) { a.quant.shift = {-32}; },
           [](A& a) { a.quant.shift = {std::numeric_limits<int32_t>::min()}; },
           [](A& a) { a.quant.input_zero = 128; },
           [](A& a) { a.quant.output_zero = -129; },
           [](A& a) { a.quant.weight_zero = std::numeric_limits<int32_t>::max(); },
           [](A& a) {
             a.act = {1, 0};
           },
           [](A& a) { a.quant.rule = Requant::xnnpack, a.quant.scale = {}; },
           [](A& a) { a.quant.rule = Requant::xnnpack, a.quant.scale = {0}; },
           [](A& a) { a.quant.rule = Requant::xnnpack, a.quant.scale = {0x7f800000}; },
           [](A& a) { a.quant.rule = Requant::xnnpack, a.quant.scale = {0x7fc00000}; },
           [](A& a) {
             a.quant.rule = Requant::xnnpack, a.quant.scale = {0x3f800000, 0xbf800000};
           },
       })
    EXPECT_EQ(code(DType::i8, spoil), Code::argument);
  EXPECT_EQ(code(DType::i16, [](A& a) { a.quant.rule = Requant::xnnpack; }), Code::unsupported);
  EXPECT_EQ(code(DType::i8, [](A& a) { a.quant.rule = Requant::xnnpack, a.quant.multiplier = {}; }), Code::ok);
}

TEST(Quantized, AnInt64BiasGoesWithInt16Alone) {
  QFullyConnectedAttrs a;
  a.quant = quant(kHalf, 0);
  const Input w = i8({1, 1}, {1}), bias = i64({1}, {0});
  EXPECT_EQ(run(Op::q_fully_connected, a, {i8({1, 1}, {1}), w, bias}).status.code, Code::unsupported);
  EXPECT_TRUE(run(Op::q_fully_connected, a, {i16({1, 1}, {1}), w, bias}).status.ok());
  a.quant.shift = {15};
  EXPECT_EQ(run(Op::q_fully_connected, a, {i16({1, 1}, {1}), w, bias}).status.code, Code::argument);
}

TEST(Quantized, PairsRefuseHostileAttributes) {
  const auto code = [](Op op, const Spoil<QBinaryAttrs>& spoil) {
    QBinaryAttrs a;
    a.in = a.b = a.output = {0, kHalf, 0};
    a.left_shift = 20;
    spoil(a);
    return run(op, a, {i8({2}, {127, -128}), i8({1}, {-128})}).status.code;
  };
  using A = QBinaryAttrs;
  for (const Op op : {Op::q_add, Op::q_mul}) {
    EXPECT_EQ(code(op, [](A&) {}), Code::ok);
    for (const Spoil<A>& spoil : std::vector<Spoil<A>>{
             [](A& a) { a.in.zero = 128; },
             [](A& a) { a.b.zero = -129; },
             [](A& a) { a.output.zero = 1 << 20; },
             [](A& a) { a.output.multiplier = -1; },
             [](A& a) { a.output.shift = 31; },
             [](A& a) {
               a.act = {1, 0};
             },
         })
      EXPECT_EQ(code(op, spoil), Code::argument);
  }
  for (const Spoil<A>& spoil : std::vector<Spoil<A>>{
           [](A& a) { a.in.multiplier = std::numeric_limits<int32_t>::min(); },
           [](A& a) { a.b.shift = -32; },
           [](A& a) { a.left_shift = -1; },
           [](A& a) { a.left_shift = 31; },
           [](A& a) { a.left_shift = 24; },
           [](A& a) { a.rule = Requant::xnnpack, a.left_shift = 0; },
           [](A& a) { a.rule = Requant::xnnpack, a.left_shift = 63; },
       })
    EXPECT_EQ(code(Op::q_add, spoil), Code::argument);
  EXPECT_EQ(code(Op::q_mul, [](A& a) { a.rule = Requant::xnnpack; }), Code::unsupported);
  // Legal, and beyond anything a model would say: defined all the same.
  EXPECT_EQ(code(Op::q_add, [](A& a) { a.left_shift = 23, a.in.shift = a.b.shift = a.output.shift = 30; }), Code::ok);
  EXPECT_EQ(code(Op::q_add,
                 [](A& a) {
                   a.rule = Requant::xnnpack, a.left_shift = 62;
                   a.in.multiplier = a.b.multiplier = std::numeric_limits<int32_t>::min();
                 }),
            Code::ok);
}

TEST(Quantized, PairsOfDifferentDtypesAreUnsupported) {
  QBinaryAttrs a;
  EXPECT_EQ(run(Op::q_mul, a, {i8({1}, {1}), i16({1}, {1})}).status.code, Code::unsupported);
  a.rule = Requant::xnnpack;
  a.left_shift = 1;
  EXPECT_EQ(run(Op::q_add, a, {i16({1}, {1}), i16({1}, {1})}).status.code, Code::unsupported);
}

TEST(Quantized, SoftmaxRefusesHostileAttributes) {
  const auto code = [](const Input& in, const Spoil<QSoftmaxAttrs>& spoil) {
    QSoftmaxAttrs a{kHalf, 20, -100, in.dtype};
    spoil(a);
    return run(Op::q_softmax, a, {in}).status.code;
  };
  using A = QSoftmaxAttrs;
  const Input few = i8({1, 2}, {127, -128}), few16 = i16({1, 2}, {32767, -32768});
  const auto as_it_is = [](A&) {};
  EXPECT_EQ(code(few, as_it_is), Code::ok);
  EXPECT_EQ(code(few16, as_it_is), Code::ok);
  EXPECT_EQ(code(few, [](A& a) { a.output = DType::u8; }), Code::unsupported);
  EXPECT_EQ(code(few16, [](A& a) { a.output = DType::i8; }), Code::unsupported);
  EXPECT_EQ(code(few, [](A& a) { a.input_multiplier = -1; }), Code::argument);
  EXPECT_EQ(code(few, [](A& a) { a.input_left_shift = -1; }), Code::argument);
  EXPECT_EQ(code(few, [](A& a) { a.input_left_shift = 32; }), Code::argument);
  EXPECT_EQ(code(few16, [](A& a) { a.input_left_shift = 31; }), Code::argument);
  EXPECT_EQ(code(few, [](A& a) { a.diff_min = 1; }), Code::argument);
  EXPECT_EQ(code(i8({1, 0}, {}), as_it_is), Code::shape);
  EXPECT_EQ(code(i8({}, {1}), as_it_is), Code::shape);
  EXPECT_EQ(code(i8({0, 3}, {}), as_it_is), Code::ok);
  EXPECT_EQ(code(i8({8191}, std::vector<int8_t>(8191, 5)), as_it_is), Code::ok);
  EXPECT_EQ(code(i8({8192}, std::vector<int8_t>(8192)), as_it_is), Code::unsupported);
  EXPECT_EQ(code(i16({65536}, std::vector<int16_t>(65536, 5)), as_it_is), Code::ok);
  EXPECT_EQ(code(i16({65537}, std::vector<int16_t>(65537)), as_it_is), Code::unsupported);
  // Differences that wrap have no meaning, but one result.
  EXPECT_EQ(code(few, [](A& a) { a.input_left_shift = 31, a.diff_min = std::numeric_limits<int32_t>::min(); }),
            Code::ok);
  EXPECT_EQ(
      code(few16, [](A& a) { a.input_left_shift = 30, a.input_multiplier = std::numeric_limits<int32_t>::max(); }),
      Code::ok);
}

TEST(Quantized, CurvesRefuseHostileAttributes) {
  const auto code = [](const Input& in, QCurveAttrs a) {
    const Code sigmoid = run(Op::q_sigmoid, a, {in}).status.code, tanh = run(Op::q_tanh, a, {in}).status.code;
    EXPECT_EQ(sigmoid, tanh);
    return sigmoid;
  };
  const Input few = i8({2}, {127, -128}), few16 = i16({2}, {32767, -32768});
  EXPECT_EQ(code(few, {-128, std::numeric_limits<int32_t>::max(), 30}), Code::ok);
  EXPECT_EQ(code(few, {127, 0, -31}), Code::ok);
  EXPECT_EQ(code(few16, {0, 32767, 30}), Code::ok);
  EXPECT_EQ(code(few, {128, kHalf, 0}), Code::argument);
  EXPECT_EQ(code(few, {0, -1, 0}), Code::argument);
  EXPECT_EQ(code(few, {0, kHalf, 31}), Code::argument);
  EXPECT_EQ(code(few16, {1, 3, 0}), Code::argument);
  EXPECT_EQ(code(few16, {0, 32768, 0}), Code::argument);
  EXPECT_EQ(code(few16, {0, 3, -1}), Code::argument);
}

// 8 bits: within half a code of the real function, whose rounding TFLite Micro's fixed-point terms seldom miss.
TEST(Quantized, CurvesAreSigmoidAndTanh) {
  std::vector<int8_t> codes(256);
  std::iota(codes.begin(), codes.end(), int8_t{-128});
  const QCurveAttrs sixteenths{3, kHalf, 24};  // 2^30 * 2^24 / 2^31 = 2^27 / 16
  const auto sigmoid = run(Op::q_sigmoid, sixteenths, {i8({256}, codes)}).data;
  const auto tanh = run(Op::q_tanh, sixteenths, {i8({256}, codes)}).data;
  for (size_t i = 0; i < 256; ++i) {
    const double x = (codes[i] - 3) / 16.0;
    EXPECT_NEAR(sigmoid[i], std::min(256 / (1 + std::exp(-x)) - 128, 127.0), 0.51);
    EXPECT_NEAR(tanh[i], std::min(128 * std::tanh(x), 127.0), 0.51);
  }
}

TEST(Quantized, SoftmaxOfEqualsIsTheirShare) {
  // 1/4 is 64 of 256 (zero -128), 16384 of 65536 (zero -32768), 8192 of 32768 (the tables are exact to 2^-14).
  const Input four = i8({1, 4}, {9, 9, 9, 9});
  EXPECT_EQ(run(Op::q_softmax, QSoftmaxAttrs{kHalf, 20, -100, DType::i8}, {four}).data, std::vector<int>(4, -64));
  EXPECT_EQ(run(Op::q_softmax, QSoftmaxAttrs{kHalf, 20, -100, DType::i16}, {four}).data, std::vector<int>(4, -16384));
  for (const int y : run(Op::q_softmax, QSoftmaxAttrs{kHalf, 0, 0, DType::i16}, {i16({4}, {9, 9, 9, 9})}).data)
    EXPECT_NEAR(y, 8192, 2);
}

}  // namespace
}  // namespace bitexact::test
