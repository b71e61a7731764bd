#include "import/tflite.h"

#include <chrono>
#include <functional>

#include "bitexact/session.h"
#include "hostile_file.h"
#include "tflite_maker.h"

namespace bitexact::test {
namespace {

using B = fb::BuiltinOperator;
using T = fb::TensorType;
using flatbuffers::FlatBufferBuilder;

Result<ModelFile> read(const ByteVector& bytes, std::vector<ModelProblem>* problems = nullptr,
                       const ReadOptions& options = {}) {
  return read_tflite(bytes, options, problems);
}

std::string outcome(const MadeFile& file, const ReadOptions& options = {}) {
  const ByteVector bytes = make_tflite(file);
  (void)survive(bytes, options);
  const auto model = read(bytes, nullptr, options);
  return model.ok() ? "ok" : model.status().text();
}

// What the model makes of the bytes of its one input.
ByteVector run(const MadeFile& file, const ByteVector& input, const ReadOptions& options = {}) {
  const auto model = read(make_tflite(file), nullptr, options);
  EXPECT_TRUE(model.ok()) << model.status().text();
  if (!model.ok()) return {};
  const auto plan = prepare(model->model);
  EXPECT_TRUE(plan.ok()) << plan.status().text();
  if (!plan.ok()) return {};
  auto arena = Buffer::make(arena_bytes(**plan));
  auto session = Session::open(*plan, arena->span());
  const Tensor in = session->input(0);
  EXPECT_EQ(in.bytes(), input.size());
  std::memcpy(in.data, input.data(), std::min(in.bytes(), input.size()));
  session->run();
  const Tensor out = session->output(0);
  return {out.data, out.data + out.bytes()};
}

auto conv(fb::Padding pad, int32_t stride, fb::Fused fused = fb::Fused::NONE) {
  return [=](FlatBufferBuilder& b) { return fb::CreateConv2DOptions(b, pad, stride, stride, fused).Union(); };
}

constexpr int32_t kOne = 65536;

MadeFile real_conv(int32_t stride = 1) {
  return {{{"in", {1, 1, 2, 1}},
           {"weights", {1, 1, 2, 1}, T::FLOAT32, elements({0.5F, 2.0F})},
           {"bias", {1}, T::FLOAT32, elements({0.25F})},
           {"out", {1, 1, 1, 1}}},
          {{B::CONV_2D,
            {0, 1, 2},
            {3},
            fb::BuiltinOptions::Conv2DOptions,
            conv(fb::Padding::VALID, stride, fb::Fused::RELU6)}},
          {0},
          {3}};
}

TEST(Tflite, AConvolutionOfFloatsIsExactInQ16AndEndsWithItsActivation) {
  EXPECT_EQ(run(real_conv(), elements({kOne, kOne})), elements({2 * kOne + 3 * kOne / 4}));
  EXPECT_EQ(run(real_conv(), elements({kOne, 8 * kOne})), elements({6 * kOne}));
  EXPECT_EQ(run(real_conv(), elements({kOne, -8 * kOne})), elements({0}));
}

// Two channels of depth multiplier 2: output channel 2 i + j is input channel i by weight 2 i + j.
TEST(Tflite, DepthwiseWeightsAreTurned) {
  const MadeFile file{
      {{"in", {1, 1, 1, 2}},
       {"weights", {1, 1, 1, 4}, T::FLOAT32, elements({1.0F, 2.0F, 3.0F, 4.0F})},
       {"out", {1, 1, 1, 4}}},
      {{B::DEPTHWISE_CONV_2D,
        {0, 1, -1},
        {2},
        fb::BuiltinOptions::DepthwiseConv2DOptions,
        [](FlatBufferBuilder& b) { return fb::CreateDepthwiseConv2DOptions(b, fb::Padding::SAME, 1, 1).Union(); }}},
      {0},
      {2}};
  EXPECT_EQ(run(file, elements({kOne, 10 * kOne})), elements({kOne, 2 * kOne, 30 * kOne, 40 * kOne}));
}

// (x - 1) / 2 of a dense layer with scales 1/2, 1 and 1/2: sums are halved.
MadeFile quantized_dense() {
  return {{{"in", {1, 2}, T::INT8, {}, {0.5F}, {1}},
           {"weights", {1, 2}, T::INT8, elements<int8_t>({2, 4}), {1.0F}, {0}},
           {"bias", {1}, T::INT32, elements<int32_t>({3}), {0.5F}, {0}, 7},
           {"out", {1, 1}, T::INT8, {}, {1.0F}, {-5}}},
          {{B::FULLY_CONNECTED,
            {0, 1, 2},
            {3},
            fb::BuiltinOptions::FullyConnectedOptions,
            [](FlatBufferBuilder& b) { return fb::CreateFullyConnectedOptions(b).Union(); }}},
          {0},
          {3}};
}

// 2 (3 - 1) + 4 (5 - 1) + 3 = 23; half of it, 11.5: away from zero by tflm, to even by xnnpack.
TEST(Tflite, QuantizedLayersKeepTheirIntegersAndFollowTheRule) {
  ReadOptions xnnpack;
  xnnpack.requant = Requant::xnnpack;
  EXPECT_EQ(run(quantized_dense(), elements<int8_t>({3, 5})), elements<int8_t>({12 - 5}));
  EXPECT_EQ(run(quantized_dense(), elements<int8_t>({3, 5}), xnnpack), elements<int8_t>({12 - 5}));
  // 2 (1 - 1) + 4 (2 - 1) + 3 = 7, a half is 3.5; and 2 * 1 + 3 = 5, a half is 2.5.
  EXPECT_EQ(run(quantized_dense(), elements<int8_t>({2, 1})), elements<int8_t>({3 - 5}));
  EXPECT_EQ(run(quantized_dense(), elements<int8_t>({2, 1}), xnnpack), elements<int8_t>({2 - 5}));
}

// A reshape whose shape is computed: [SHAPE(in)[0], 4] by STRIDED_SLICE and PACK.
TEST(Tflite, ArithmeticOnShapesIsFolded) {
  const MadeFile file{{{"in", {1, 2, 2}, T::FLOAT32, {}, {}, {}, 0, {-1, 2, 2}},
                       {"shape", {3}, T::INT32},
                       {"zero", {1}, T::INT32, elements<int32_t>({0})},
                       {"one", {1}, T::INT32, elements<int32_t>({1})},
                       {"batch", {}, T::INT32},
                       {"four", {}, T::INT32, elements<int32_t>({4})},
                       {"new", {2}, T::INT32},
                       {"out", {1, 4}}},
                      {{B::SHAPE, {0}, {1}},
                       {B::STRIDED_SLICE,
                        {1, 2, 3, 3},
                        {4},
                        fb::BuiltinOptions::StridedSliceOptions,
                        [](FlatBufferBuilder& b) { return fb::CreateStridedSliceOptions(b, 0, 0, 0, 0, 1).Union(); }},
                       {B::PACK,
                        {4, 5},
                        {6},
                        fb::BuiltinOptions::PackOptions,
                        [](FlatBufferBuilder& b) { return fb::CreatePackOptions(b, 2, 0).Union(); }},
                       {B::RESHAPE, {0, 6}, {7}}},
                      {0},
                      {7}};
  ReadOptions three;
  three.shapes["in"] = {3, 2, 2};
  const auto model = read(make_tflite(file), nullptr, three);
  ASSERT_TRUE(model.ok()) << model.status().text();
  ASSERT_EQ(model->model.nodes.size(), 1U);
  EXPECT_EQ(model->model.values[model->model.outputs[0]].shape, Shape({3, 4}));
  EXPECT_EQ(outcome(file), "ok");
  three.shapes["in"] = {3, 2, 5};
  EXPECT_EQ(outcome(file, three), "argument: input 'in' has the shape [-1, 2, 2], not [3, 2, 5] (tensor 0)");
}

// binary16: 1 and -2; then the smallest subnormal, 2^-24, and -2^-23.
TEST(Tflite, HalfWeightsAreWidenedExactly) {
  MadeFile file = real_conv();
  file.tensors.push_back({"half", {1, 1, 2, 1}, T::FLOAT16, elements<uint16_t>({0x3c00, 0xc000})});
  file.tensors[1].data.clear();
  file.nodes.insert(file.nodes.begin(), {B::DEQUANTIZE, {4}, {1}});
  EXPECT_EQ(run(file, elements({3 * kOne, kOne})), elements({kOne + kOne / 4}));
  file.tensors[4].data = elements<uint16_t>({0x0001, 0x8002});
  EXPECT_EQ(run(file, elements({512 * kOne, 0})), elements({kOne / 4 + 2}));
  EXPECT_EQ(run(file, elements({0, 512 * kOne})), elements({kOne / 4 - 4}));
}

TEST(Tflite, EverythingThatIsMissingIsListedAtOnce) {
  const MadeFile file{{{"in", {1, 4}}, {"a", {1, 4}}, {"b", {1, 4}}, {"c", {1, 4}}, {"out", {1, 4}}},
                      {{B::GELU, {0}, {1}},
                       {B::RELU, {1}, {2}},
                       {B::CUSTOM, {0}, {3}, fb::BuiltinOptions::NONE, {}, "Own"},
                       {B::ADD, {2, 3}, {4}}},
                      {0},
                      {4}};
  std::vector<ModelProblem> problems;
  const auto model = read(make_tflite(file), &problems);
  ASSERT_FALSE(model.ok());
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].op, "GELU");
  EXPECT_EQ(problems[0].node, 0U);
  EXPECT_EQ(problems[0].name, "a");
  EXPECT_EQ(problems[0].version, 1);
  EXPECT_EQ(problems[1].node, 2U);
  EXPECT_EQ(model.status().code, Code::unsupported);
  EXPECT_NE(model.status().why.find("GELU 'a': this operator is not supported (version 1)"), std::string::npos);
  EXPECT_NE(model.status().why.find("the custom operator Own"), std::string::npos);
  EXPECT_NE(model.status().why.find("Supported are ABS, ADD,"), std::string::npos);
}

bool starts(const std::string& text, const std::string& with) { return text.compare(0, with.size(), with) == 0; }

TEST(Tflite, WrongIndicesNameTheirNode) {
  MadeFile file = real_conv();
  file.nodes[0].inputs[0] = 9;
  EXPECT_EQ(outcome(file), "malformed: CONV_2D: input 9 is not a tensor of the subgraph (node 0)");
  file = real_conv();
  file.nodes[0].inputs[0] = -2;
  EXPECT_EQ(outcome(file), "malformed: CONV_2D: input -2 is not a tensor of the subgraph (node 0)");
  file = real_conv();
  file.nodes[0].outputs[0] = 4;
  EXPECT_EQ(outcome(file), "malformed: CONV_2D: output 4 is not a tensor of the subgraph (node 0)");
  file = real_conv();
  file.nodes[0].inputs[0] = 3;
  EXPECT_TRUE(starts(outcome(file), "malformed: CONV_2D: tensor 3 'out' is read before any node writes it"));
  file = real_conv();
  file.nodes[0].outputs[0] = 0;
  EXPECT_TRUE(starts(outcome(file), "malformed: CONV_2D: tensor 0 'in' is written twice"));
  file = real_conv();
  file.outputs = {7};
  EXPECT_EQ(outcome(file), "malformed: output 0 of the model, tensor 7, does not exist");
  file = real_conv();
  file.version = 2;
  EXPECT_EQ(outcome(file), "unsupported: TFLite schema version 2; expected 3");
}

TEST(Tflite, SizesThatLieAreRefused) {
  MadeFile file = real_conv();
  file.tensors[1].shape = {1, 1, 3, 1};
  EXPECT_EQ(outcome(file),
            "malformed: CONV_2D: tensor 'weights' of shape [1, 1, 3, 1] and type f32 has 8 bytes (node 0)");
}

// D021: dimensions whose product no machine holds, and too many of them.
TEST(Tflite, D021HugeDimensionsAreRefused) {
  MadeFile file = real_conv();
  file.tensors[1].shape = {2147483647, 2147483647, 2147483647, 2147483647};
  EXPECT_TRUE(starts(outcome(file), "malformed: CONV_2D: tensor 'weights'"));
  file = real_conv();
  file.tensors[0].shape = {2147483647, 2147483647, 2147483647, 2};
  EXPECT_TRUE(starts(outcome(file), "too_large: input 'in'"));
  file = real_conv();
  file.tensors[0].shape.assign(100000, 1);
  EXPECT_TRUE(starts(outcome(file), "unsupported: tensor 'in' has 100000 dimensions"));
  file = real_conv();
  file.tensors[0].shape = {1, -5, 2, 1};
  EXPECT_TRUE(starts(outcome(file), "malformed: tensor 'in' has the dimension -5"));
}

// D023: a depthwise convolution of no channels; likewise strides and windows of 0.
TEST(Tflite, D023NothingIsDividedByZero) {
  const MadeFile depthwise{
      {{"in", {1, 8, 8, 0}}, {"weights", {1, 1, 1, 1}, T::FLOAT32, elements({1.0F})}, {"out", {1, 8, 8, 1}}},
      {{B::DEPTHWISE_CONV_2D,
        {0, 1},
        {2},
        fb::BuiltinOptions::DepthwiseConv2DOptions,
        [](FlatBufferBuilder& b) { return fb::CreateDepthwiseConv2DOptions(b, fb::Padding::SAME, 1, 1).Union(); }}},
      {0},
      {2}};
  EXPECT_NE(outcome(depthwise), "ok");
  EXPECT_TRUE(starts(outcome(real_conv(0)), "argument: CONV_2D 'out': ")) << outcome(real_conv(0));
  const MadeFile pool{
      {{"in", {1, 4, 4, 1}}, {"out", {1, 1, 1, 1}}},
      {{B::AVERAGE_POOL_2D,
        {0},
        {1},
        fb::BuiltinOptions::Pool2DOptions,
        [](FlatBufferBuilder& b) { return fb::CreatePool2DOptions(b, fb::Padding::VALID, 0, 0, 2, 0).Union(); }}},
      {0},
      {1}};
  EXPECT_TRUE(starts(outcome(pool), "argument: AVERAGE_POOL_2D 'out': ")) << outcome(pool);
}

// D025: SPACE_TO_DEPTH of blocks of 0.
TEST(Tflite, D025BlocksOfZeroAreRefused) {
  for (const B code : {B::SPACE_TO_DEPTH, B::DEPTH_TO_SPACE}) {
    const bool to_depth = code == B::SPACE_TO_DEPTH;
    const MadeFile file{{{"in", {1, 4, 4, 4}}, {"out", {1, 4, 4, 4}}},
                        {{code,
                          {0},
                          {1},
                          to_depth ? fb::BuiltinOptions::SpaceToDepthOptions : fb::BuiltinOptions::DepthToSpaceOptions,
                          [=](FlatBufferBuilder& b) {
                            return to_depth ? fb::CreateSpaceToDepthOptions(b, 0).Union()
                                            : fb::CreateDepthToSpaceOptions(b, 0).Union();
                          }}},
                        {0},
                        {1}};
    EXPECT_TRUE(starts(outcome(file), "argument: ")) << outcome(file);
  }
}

// D027: scales without zero points mean zero points of 0.
TEST(Tflite, D027AbsentZeroPointsAreZero) {
  MadeFile file = quantized_dense();
  file.tensors[0].zero.clear();
  EXPECT_EQ(run(file, elements<int8_t>({2, 4})), run(quantized_dense(), elements<int8_t>({3, 5})));
  file.tensors[0].zero = {1, 2};
  EXPECT_TRUE(starts(outcome(file), "malformed: tensor 'in' has 1 scales and 2 zero points"));
  file.tensors[0].zero = {int64_t{1} << 40};
  EXPECT_TRUE(starts(outcome(file), "malformed: tensor 'in' has a zero point of 1099511627776"));
}

// D029: what the verifier cannot see is refused by its size alone; the bytes are not looked at.
TEST(Tflite, D029FilesOfTwoGibibytesAreRefusedUnread) {
  const std::byte little[16]{};
  const std::span<const std::byte> huge(little, size_t{1} << 31);
  const auto model = read_tflite(huge, {}, nullptr);
  EXPECT_EQ(model.status().code, Code::too_large);
  EXPECT_EQ(model.status().why, "TFLite files are below 2 GiB, this one has 2147483648 bytes");
}

// D019: a vector whose length is not aligned. The buffers' vector of the file is moved by a byte.
TEST(Tflite, D019UnalignedVectorsAreRefused) {
  ByteVector bytes = make_tflite(real_conv());
  const auto* model = fb::GetModel(bytes.data());
  const auto* field = reinterpret_cast<const std::byte*>(model->buffers());
  const auto at = static_cast<size_t>(field - bytes.data());
  size_t found = 0;
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    uint32_t offset = 0;
    std::memcpy(&offset, &bytes[i], 4);
    if (i + offset != at) continue;
    ++found;
    offset += 1;
    std::memcpy(&bytes[i], &offset, 4);
  }
  ASSERT_EQ(found, 1U);
  EXPECT_EQ(read(bytes).status().code, Code::malformed);
}

TEST(Tflite, FilesAtOddAddressesAreCopied) {
  const ByteVector bytes = make_tflite(real_conv());
  for (size_t shift = 0; shift < 16; ++shift) {
    ByteVector moved(shift);
    append(moved, bytes);
    EXPECT_TRUE(read_tflite(std::span<const std::byte>(moved).subspan(shift), {}, nullptr).ok());
  }
  EXPECT_TRUE(looks_like_tflite(bytes));
  EXPECT_FALSE(looks_like_tflite(std::span(bytes).first(7)));
}

TEST(Tflite, EveryTruncationIsRefused) {
  const ByteVector bytes = make_tflite(real_conv());
  for (size_t n = 0; n < bytes.size(); ++n) {
    const ByteVector part(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(n));
    EXPECT_FALSE(read(part).ok()) << n;
  }
}

// Bytes of three real files set to others, one to eight at a time; half of the changes fall on the structure, which
// stands at both ends.
TEST(TfliteRobust, AHundredThousandMutationsOfRealFilesAreRefusedOrPrepared) {
  const auto folder = shared_folder() / "models" / "tinymaix-mnist";
  SKIP_WITHOUT(folder);
  constexpr size_t kMutations = 100000;
  SplitMix64 random(19);
  size_t done = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const char* name : {"mnist_valid_q.tflite", "mnist_dw_q.tflite", "mnist_valid_f.tflite"}) {
    const ByteVector original = read_file(folder / name);
    ByteVector bytes = original;
    for (size_t i = 0; i < kMutations / 3 + 1; ++i, ++done) {
      std::vector<size_t> changed;
      for (size_t c = 1 + random.below(8); c > 0; --c) {
        const size_t at = random.below(original.size());
        bytes[at] = static_cast<std::byte>(random.below(2) ? random.next() : random.below(4) ? 0 : 255);
        changed.push_back(at);
      }
      const Status s = survive(bytes);
      ASSERT_TRUE(s.ok() || says_where(s)) << name << " mutation " << i << ": " << s.text();
      for (const size_t at : changed) bytes[at] = original[at];
    }
  }
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << done << " mutations in " << seconds << " s\n";
}

TEST(TfliteRobust, EveryPrefixOfRealFilesIsRefused) {
  const auto folder = shared_folder() / "models" / "tinymaix-mnist";
  SKIP_WITHOUT(folder);
  for (const char* name : {"mnist_valid_q.tflite", "mnist_dw_q.tflite", "mnist_valid_f.tflite"}) {
    const ByteVector bytes = read_file(folder / name);
    for (size_t n = 0; n < bytes.size(); ++n) ASSERT_FALSE(survive(std::span(bytes).first(n)).ok()) << name << " " << n;
  }
}

}  // namespace
}  // namespace bitexact::test
