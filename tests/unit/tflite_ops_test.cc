// One node at a time; expected values by hand.
#include "bitexact/session.h"
#include "import/tflite.h"
#include "tflite_maker.h"

namespace bitexact::test {
namespace {

using B = fb::BuiltinOperator;
using O = fb::BuiltinOptions;
using T = fb::TensorType;
using flatbuffers::FlatBufferBuilder;

constexpr int32_t kOne = 65536;

// The outputs of the model, one after the other, or why there are none.
std::string run(const MadeFile& file, const std::vector<ByteVector>& inputs, const ReadOptions& options = {}) {
  const auto model = read_tflite(make_tflite(file), options, nullptr);
  if (!model.ok()) return model.status().text();
  const auto plan = prepare(model->model);
  if (!plan.ok()) return plan.status().text();
  auto arena = Buffer::make(arena_bytes(**plan));
  auto session = Session::open(*plan, arena->span());
  for (size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(session->input(i).bytes(), inputs[i].size());
    std::memcpy(session->input(i).data, inputs[i].data(), std::min(session->input(i).bytes(), inputs[i].size()));
  }
  session->run();
  std::string text;
  for (size_t o = 0; o < model->model.outputs.size(); ++o) {
    const Tensor t = session->output(o);
    text += (o ? " " : "") + t.shape.text() + ":";
    for (size_t i = 0; i < t.count(); ++i) {
      const int64_t v = t.dtype == DType::i8    ? t.as<int8_t>()[i]
                        : t.dtype == DType::u8  ? t.as<uint8_t>()[i]
                        : t.dtype == DType::i64 ? t.as<int64_t>()[i]
                                                : t.as<int32_t>()[i];
      text += " " + std::to_string(v);
    }
  }
  return text;
}

ByteVector ones(std::initializer_list<int32_t> values) {
  std::vector<int32_t> q16;
  for (const int32_t v : values) q16.push_back(v * kOne);
  ByteVector bytes(q16.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), q16.data(), bytes.size());
  return bytes;
}

TEST(TfliteOps, StridedSlicesRunBackwardsAndShrink) {
  MadeFile file{{{"in", {4, 1}},
                 {"begin", {1}, T::INT32, elements<int32_t>({3})},
                 {"end", {1}, T::INT32, elements<int32_t>({0})},
                 {"step", {1}, T::INT32, elements<int32_t>({-2})},
                 {"out", {2, 1}}},
                {{B::STRIDED_SLICE,
                  {0, 1, 2, 3},
                  {4},
                  O::StridedSliceOptions,
                  [](FlatBufferBuilder& b) { return fb::CreateStridedSliceOptions(b, 0, 1).Union(); }}},
                {0},
                {4}};
  EXPECT_EQ(run(file, {ones({1, 2, 3, 4})}), "[2, 1]: 262144 131072");
  file.nodes[0].options = [](FlatBufferBuilder& b) { return fb::CreateStridedSliceOptions(b, 1, 1).Union(); };
  EXPECT_EQ(run(file, {ones({1, 2, 3, 4})}), "[2, 1]: 262144 131072");
  file.nodes[0].options = [](FlatBufferBuilder& b) { return fb::CreateStridedSliceOptions(b, 0, 0, 0, 0, 1).Union(); };
  EXPECT_EQ(run(file, {ones({1, 2, 3, 4})}), "[1]: 262144");
}

TEST(TfliteOps, SplitHasAnOutputForEachPart) {
  const MadeFile file{{{"in", {1, 4}}, {"axis", {}, T::INT32, elements<int32_t>({-1})}, {"a", {1, 2}}, {"b", {1, 2}}},
                      {{B::SPLIT,
                        {1, 0},
                        {2, 3},
                        O::SplitOptions,
                        [](FlatBufferBuilder& b) { return fb::CreateSplitOptions(b, 2).Union(); }}},
                      {0},
                      {3, 2}};
  EXPECT_EQ(run(file, {ones({1, 2, 3, 4})}), "[1, 2]: 196608 262144 [1, 2]: 65536 131072");
}

// Values 3 (scale 1) and 3.5 (scale 1/2) in steps of 1/2.
TEST(TfliteOps, ConcatenationBringsItsInputsToTheOutputsScale) {
  MadeFile file{{{"a", {1, 1}, T::INT8, {}, {1.0F}, {0}},
                 {"b", {1, 1}, T::INT8, {}, {0.5F}, {0}},
                 {"out", {1, 2}, T::INT8, {}, {0.5F}, {1}}},
                {{B::CONCATENATION,
                  {0, 1},
                  {2},
                  O::ConcatenationOptions,
                  [](FlatBufferBuilder& b) { return fb::CreateConcatenationOptions(b, 1).Union(); }}},
                {0, 1},
                {2}};
  ReadOptions xnnpack;
  xnnpack.requant = Requant::xnnpack;
  const std::vector<ByteVector> inputs{elements<int8_t>({3}), elements<int8_t>({7})};
  EXPECT_EQ(run(file, inputs), "[1, 2]: 7 8");
  EXPECT_EQ(run(file, inputs, xnnpack), "[1, 2]: 7 8");
}

// The mean of 1, 2, 4 and 5 is 3; the sum 12; in steps of 1/2, around 1.
TEST(TfliteOps, MeansAndSumsOfQuantizedTensors) {
  MadeFile file{{{"in", {1, 2, 2, 1}, T::INT8, {}, {1.0F}, {0}},
                 {"axes", {2}, T::INT32, elements<int32_t>({1, 2})},
                 {"out", {1, 1}, T::INT8, {}, {0.5F}, {1}}},
                {{B::MEAN, {0, 1}, {2}}},
                {0},
                {2}};
  ReadOptions xnnpack;
  xnnpack.requant = Requant::xnnpack;
  EXPECT_EQ(run(file, {elements<int8_t>({1, 2, 4, 5})}), "[1, 1]: 7");
  EXPECT_EQ(run(file, {elements<int8_t>({1, 2, 4, 5})}, xnnpack), "[1, 1]: 7");
  file.nodes[0].code = B::SUM;
  EXPECT_EQ(run(file, {elements<int8_t>({1, 2, 4, 5})}), "[1, 1]: 25");
}

MadeFile curve_of(B op, T type, float scale, int64_t zero, float out_scale, int64_t out_zero) {
  return {{{"in", {2}, type, {}, {scale}, {zero}}, {"out", {2}, type, {}, {out_scale}, {out_zero}}},
          {{op, {0}, {1}}},
          {0},
          {1}};
}

struct Lowered {
  std::vector<Op> ops;
  QCurveAttrs attrs;
};
Lowered lowered(const MadeFile& file, Requant rule = Requant::tflm) {
  ReadOptions options;
  options.requant = rule;
  const auto model = read_tflite(make_tflite(file), options, nullptr);
  EXPECT_TRUE(model.ok()) << model.status().text();
  Lowered out;
  for (const auto& node : model->model.nodes) out.ops.push_back(node.op);
  if (const auto* a = std::get_if<QCurveAttrs>(&model->model.nodes[0].attrs)) out.attrs = *a;
  return out;
}

// What TFLite Micro prepares: 2^27 / 16 = 2^23 is 2^30 * 2^(24 - 31); 3 / 4096 and 6 / 4096 for scales that are as good
// as powers of two; 12288 / 1000 with 15 bits.
TEST(TfliteOps, SigmoidAndTanhAreTfliteMicrosIntegers) {
  constexpr float k256 = 1 / 256.0F, k128 = 1 / 128.0F, k32768 = 1 / 32768.0F;
  const auto expect = [](const MadeFile& file, Op op, int32_t zero, int32_t multiplier, int32_t shift) {
    const Lowered got = lowered(file);
    EXPECT_EQ(got.ops, std::vector{op});
    EXPECT_EQ(got.attrs.input_zero, zero);
    EXPECT_EQ(got.attrs.input_multiplier, multiplier);
    EXPECT_EQ(got.attrs.input_left_shift, shift);
  };
  expect(curve_of(B::LOGISTIC, T::INT8, 1 / 16.0F, 3, k256, -128), Op::q_sigmoid, 3, 1 << 30, 24);
  expect(curve_of(B::TANH, T::INT8, 1 / 16.0F, 3, k128, 0), Op::q_tanh, 3, 1 << 30, 24);
  expect(curve_of(B::LOGISTIC, T::INT16, 8 / 32767.0F, 0, k32768, 0), Op::q_sigmoid, 0, 3, 0);
  expect(curve_of(B::TANH, T::INT16, 16 / 32767.0F, 0, k32768, 0), Op::q_tanh, 0, 6, 0);
  expect(curve_of(B::LOGISTIC, T::INT16, 0.001F, 0, k32768, 0), Op::q_sigmoid, 0, 25165, 11);
  expect(curve_of(B::LOGISTIC, T::INT16, 16 / 32767.0F, 0, k32768, 0), Op::q_sigmoid, 0, 24576, 12);
  const std::vector<Op> reals{Op::dequantize, Op::sigmoid, Op::quantize};
  EXPECT_EQ(lowered(curve_of(B::LOGISTIC, T::INT8, 1 / 16.0F, 3, k128, -128)).ops, reals);
  EXPECT_EQ(lowered(curve_of(B::LOGISTIC, T::UINT8, 1 / 16.0F, 3, k256, 0)).ops, reals);
  EXPECT_EQ(lowered(curve_of(B::LOGISTIC, T::INT8, 1 / 16.0F, 3, k256, -128), Requant::xnnpack).ops, reals);
}

// 1024 products of 2^15 and 127 leave 32 bits; TFLite Micro sums 16-bit dense layers in 64.
TEST(TfliteOps, DenseLayersOfSixteenBitsSumInSixtyFour) {
  const MadeFile file{{{"in", {1, 1024}, T::INT16, {}, {1.0F}, {0}},
                       {"w", {1, 1024}, T::INT8, ByteVector(1024, std::byte{127}), {1.0F}, {0}},
                       {"out", {1, 1}, T::INT16, {}, {262144.0F}, {0}}},
                      {{B::FULLY_CONNECTED,
                        {0, 1, -1},
                        {2},
                        O::FullyConnectedOptions,
                        [](FlatBufferBuilder& b) { return fb::CreateFullyConnectedOptions(b).Union(); }}},
                      {0},
                      {2}};
  const auto model = read_tflite(make_tflite(file), {}, nullptr);
  ASSERT_TRUE(model.ok()) << model.status().text();
  ASSERT_EQ(model->model.nodes[0].inputs.size(), 3U);
  EXPECT_EQ(model->model.values[model->model.nodes[0].inputs[2]].dtype, DType::i64);
}

// a + b, a - b, a * b of 3 and 4, all scales 1/2: the integers 6 and 8 give 14, -2 and 24.
TEST(TfliteOps, QuantizedArithmetic) {
  MadeFile file{{{"a", {1, 1}, T::INT8, {}, {0.5F}, {0}},
                 {"b", {1, 1}, T::INT8, {}, {0.5F}, {0}},
                 {"out", {1, 1}, T::INT8, {}, {0.5F}, {0}}},
                {{B::ADD, {0, 1}, {2}}},
                {0, 1},
                {2}};
  ReadOptions xnnpack;
  xnnpack.requant = Requant::xnnpack;
  const std::vector<ByteVector> inputs{elements<int8_t>({6}), elements<int8_t>({8})};
  EXPECT_EQ(run(file, inputs), "[1, 1]: 14");
  EXPECT_EQ(run(file, inputs, xnnpack), "[1, 1]: 14");
  file.nodes[0].code = B::SUB;
  EXPECT_EQ(run(file, inputs, xnnpack), "[1, 1]: -2");
  EXPECT_EQ(run(file, inputs).substr(0, 11), "unsupported");
  file.nodes[0].code = B::MUL;
  EXPECT_EQ(run(file, inputs), "[1, 1]: 24");
  // RELU6: at most 6 / 0.5.
  file.nodes[0].type = O::MulOptions;
  file.nodes[0].options = [](FlatBufferBuilder& b) { return fb::CreateMulOptions(b, fb::Fused::RELU6).Union(); };
  EXPECT_EQ(run(file, inputs), "[1, 1]: 12");
}

TEST(TfliteOps, TransposedConvolutionSpreadsItsInput) {
  const MadeFile file{
      {{"in", {1, 1, 1, 1}},
       {"size", {4}, T::INT32, elements<int32_t>({1, 2, 2, 1})},
       {"weights", {1, 2, 2, 1}, T::FLOAT32, elements({1.0F, 2.0F, 3.0F, 4.0F})},
       {"out", {1, 2, 2, 1}}},
      {{B::TRANSPOSE_CONV,
        {1, 2, 0},
        {3},
        O::TransposeConvOptions,
        [](FlatBufferBuilder& b) { return fb::CreateTransposeConvOptions(b, fb::Padding::SAME, 2, 2).Union(); }}},
      {0},
      {3}};
  EXPECT_EQ(run(file, {ones({2})}), "[1, 2, 2, 1]: 131072 262144 393216 524288");
}

// TFLite: floor(i * 2 / 3) is 0 0 1; with half pixels floor((i + 1/2) * 2 / 3) is 0 1 1.
TEST(TfliteOps, NearestNeighboursAreTflites) {
  MadeFile file{{{"in", {1, 1, 2, 1}}, {"size", {2}, T::INT32, elements<int32_t>({1, 3})}, {"out", {1, 1, 3, 1}}},
                {{B::RESIZE_NEAREST_NEIGHBOR,
                  {0, 1},
                  {2},
                  O::ResizeNearestNeighborOptions,
                  [](FlatBufferBuilder& b) { return fb::CreateResizeNearestNeighborOptions(b).Union(); }}},
                {0},
                {2}};
  EXPECT_EQ(run(file, {ones({1, 2})}), "[1, 1, 3, 1]: 65536 65536 131072");
  file.nodes[0].options = [](FlatBufferBuilder& b) {
    return fb::CreateResizeNearestNeighborOptions(b, false, true).Union();
  };
  EXPECT_EQ(run(file, {ones({1, 2})}), "[1, 1, 3, 1]: 65536 131072 131072");
}

TEST(TfliteOps, BetweenIntegersAndReals) {
  const auto node = [](B code, const MadeTensor& in, const MadeTensor& out) {
    return MadeFile{{in, out}, {{code, {0}, {1}}}, {0}, {1}};
  };
  const MadeTensor real{"real", {1, 2}}, i8{"i8", {1, 2}, T::INT8, {}, {0.5F}, {1}},
      u8{"u8", {1, 2}, T::UINT8, {}, {0.5F}, {129}};
  EXPECT_EQ(run(node(B::DEQUANTIZE, i8, real), {elements<int8_t>({3, -1})}), "[1, 2]: 65536 -65536");
  // Ties away from zero: 0.25 and -0.25 are half a step.
  EXPECT_EQ(run(node(B::QUANTIZE, real, i8), {elements({kOne / 4, -kOne / 4})}), "[1, 2]: 2 0");
  EXPECT_EQ(run(node(B::QUANTIZE, u8, i8), {elements<uint8_t>({0, 200})}), "[1, 2]: -128 72");
  MadeFile softmax = node(B::SOFTMAX, i8, {"out", {1, 2}, T::INT8, {}, {1 / 256.0F}, {-128}});
  softmax.nodes[0].type = O::SoftmaxOptions;
  softmax.nodes[0].options = [](FlatBufferBuilder& b) { return fb::CreateSoftmaxOptions(b, 1).Union(); };
  ReadOptions xnnpack;
  xnnpack.requant = Requant::xnnpack;
  EXPECT_EQ(run(softmax, {elements<int8_t>({9, 9})}), "[1, 2]: 0 0");
  EXPECT_EQ(run(softmax, {elements<int8_t>({9, 9})}, xnnpack), "[1, 2]: 0 0");
}

// The pads are an input of the model; who reads it gives their values.
TEST(TfliteOps, GivenConstantsStandInForInputs) {
  const MadeFile file{
      {{"in", {1, 2}}, {"pads", {2, 2}, T::INT32}, {"out", {1, 4}}}, {{B::PAD, {0, 1}, {2}}}, {0, 1}, {2}};
  EXPECT_EQ(run(file, {}).substr(0, 42), "unsupported: PAD 'out': input 1 must be co");
  const ByteVector pads = elements<int32_t>({0, 0, 1, 1});
  ReadOptions options;
  options.constants["pads"] = pads;
  EXPECT_EQ(run(file, {ones({1, 2})}, options), "[1, 4]: 0 65536 131072 0");
  options.constants["pads"] = std::span(pads).first(8);
  EXPECT_EQ(run(file, {}, options), "argument: input 'pads' of shape [2, 2] is given 8 bytes (tensor 1)");
}

}  // namespace
}  // namespace bitexact::test
