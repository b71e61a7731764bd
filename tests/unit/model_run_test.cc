#include "bitexact/model_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "bitexact/digest.h"
#include "bitexact/receipt.h"

namespace bitexact {
namespace {

std::span<const std::byte> bytes(std::string_view s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}
template <class T>
std::span<const std::byte> bytes(const std::vector<T>& v) {
  return {reinterpret_cast<const std::byte*>(v.data()), v.size() * sizeof(T)};
}

constexpr int32_t kHalf = 32768;

// relu(x - 1/2), whose difference has no name of its own, and its negative as a list.
ModelFile small_model(DType dtype = DType::q16, Shape shape = {1, 1, 2, 2}) {
  ModelFile f;
  f.format = "onnx";
  Model& m = f.model;
  m.values = {{"x", dtype, shape, nullptr, {}},
              {"half", DType::q16, {1}, reinterpret_cast<const std::byte*>(&kHalf), {}},
              {"", {}, {}, nullptr, {}},
              {"above", {}, {}, nullptr, {}},
              {"flat", {}, {}, nullptr, {}}};
  m.nodes = {{"less", Op::sub, BinaryAttrs{}, {0, 1}, 2},
             {"relu", Op::relu, {}, {2}, 3},
             {"list", Op::reshape, ReshapeAttrs{{-1}}, {3}, 4}};
  m.inputs = {0};
  m.outputs = {4};
  return f;
}

// Its output is its input, so that an input's elements can be looked at.
ModelFile identity_model(DType dtype, Shape shape, Quantization quant = {}) {
  ModelFile f;
  f.format = "onnx";
  f.model.values = {{"x", dtype, shape, nullptr, quant}, {"y", {}, {}, nullptr, {}}};
  f.model.nodes = {{"same", Op::reshape, ReshapeAttrs{{-1}}, {0}, 1}};
  f.model.inputs = {0};
  f.model.outputs = {1};
  return f;
}

ModelRun open(ModelFile file, ModelTask task = {}) {
  auto model = prepare_model(std::move(file), std::string(64, 'a'));
  EXPECT_TRUE(model.ok()) << model.status().text();
  auto run = ModelRun::open(*model, std::move(task));
  EXPECT_TRUE(run.ok()) << run.status().text();
  return std::move(*run);
}

void finish(ModelRun& run, const ModelInput& input) {
  const Status s = run.start({&input, 1});
  ASSERT_TRUE(s.ok()) << s.text();
  while (!run.done()) run.step();
}

ModelInput floats(const std::vector<float>& v, std::optional<Shape> shape = {}) {
  return {bytes(v), ModelInput::Elements{DType::f32, shape, bytes(v)}};
}

template <class T>
std::vector<T> elements(const Tensor& t) {
  return {t.as<T>(), t.as<T>() + t.count()};
}

const std::string kGrey = std::string("P5\n2 2\n255\n") + std::string("\x00\x33\x66\xff", 4);
const std::string kColour = std::string("P6\n1 1\n255\n") + std::string("\x33\x66\xff", 3);

std::vector<int32_t> reals_of(const std::string& file, ImageTask image, Shape shape) {
  ModelRun run = open(identity_model(DType::q16, shape), {image, {}});
  finish(run, {bytes(file), {}});
  return elements<int32_t>(run.output(0));
}

TEST(ModelRun, LayersAreTheNamedTensors) {
  ModelRun run = open(small_model());
  finish(run, floats({0.25f, 1.0f, -40000.0f, 0.75f}));
  ASSERT_EQ(run.layers().size(), 2u);
  EXPECT_EQ(run.layers()[0].name, "above");
  EXPECT_EQ(run.layers()[0].op, "relu");
  EXPECT_EQ(elements<int32_t>(run.output(0)), (std::vector<int32_t>{0, 32768, 0, 16384}));
  const std::vector<int32_t> expected{0, 32768, 0, 16384};
  EXPECT_EQ(run.layers()[1].sha256, sha256_hex(bytes(expected)));
  EXPECT_EQ(run.inputs()[0].tensor, sha256_hex(bytes(std::vector<int32_t>{16384, 65536, INT32_MIN, 49152})));
}

TEST(ModelRun, SaturationIsCounted) {
  ModelRun run = open(identity_model(DType::q16, {4}));
  finish(run, floats({1e9f, -1e9f, 1.0f, -32768.0f}));
  EXPECT_EQ(run.layers()[0].saturated, 3u);
}

TEST(ModelRun, AnotherStartForgetsTheFirst) {
  ModelRun run = open(small_model());
  finish(run, floats({1, 1, 1, 1}));
  const std::string first = write_receipt(run);
  finish(run, floats({2, 1, 1, 1}));
  EXPECT_NE(write_receipt(run), first);
  finish(run, floats({1, 1, 1, 1}));
  EXPECT_EQ(write_receipt(run), first);
}

TEST(ModelRun, ReceiptIsCanonical) {
  ModelRun run = open(small_model());
  const std::vector<float> in{0.5f, 1.5f, 2.5f, 0.0f};
  finish(run, floats(in));
  const std::string x = sha256_hex(bytes(std::vector<int32_t>{32768, 98304, 163840, 0}));
  const std::string y = sha256_hex(bytes(std::vector<int32_t>{0, 65536, 131072, 0}));
  EXPECT_EQ(write_receipt(run),
            "{\"bitexact\":1,\"contract\":1,\"engine\":\"0.1.0\",\"inputs\":[{\"dtype\":\"q16\",\"file\":\"" +
                sha256_hex(bytes(in)) + "\",\"name\":\"x\",\"shape\":[1,1,2,2],\"tensor\":\"" + x +
                "\"}],\"layers\":[{\"dtype\":\"q16\",\"name\":\"above\",\"op\":\"relu\",\"sha256\":\"" + y +
                "\",\"shape\":[1,1,2,2]},{\"dtype\":\"q16\",\"name\":\"flat\",\"op\":\"reshape\",\"sha256\":\"" + y +
                "\",\"shape\":[4]}],\"model\":{\"file\":\"" + std::string(64, 'a') +
                "\",\"format\":\"onnx\",\"requant\":\"tflm\"},\"outputs\":[{\"dtype\":\"q16\",\"name\":\"flat\","
                "\"sha256\":\"" +
                y + "\",\"shape\":[4]}],\"task\":{\"image\":null,\"op\":\"model\",\"shapes\":{}}}");
}

TEST(ModelRun, ReceiptsAreReadAndCompared) {
  ModelTask task;
  task.image.invert = true;
  task.shapes["x"] = {1, 1, 2, 2};
  ModelRun run = open(small_model(), task);
  finish(run, {bytes(kGrey), {}});
  const std::string receipt = write_receipt(run);
  EXPECT_TRUE(*is_model_receipt(receipt));
  const auto read = read_model_receipt(receipt);
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_EQ(read->model, std::string(64, 'a'));
  EXPECT_EQ(write_task(read->task), write_task(task));
  EXPECT_EQ(read->layers.size(), 2u);
  EXPECT_TRUE(compare_receipts(receipt, receipt)->same);
  EXPECT_TRUE(compare_receipts(receipt, write_receipt(run, true))->same);
  for (const auto& [what, stage] : std::vector<std::pair<std::string, std::string>>{
           {run.layers()[0].sha256, "above"}, {run.inputs()[0].pixels, "pixels"}, {std::string(64, 'a'), "model"}}) {
    std::string other = receipt;
    other[other.find(what)] = 'x';
    EXPECT_EQ(compare_receipts(receipt, other)->stage, stage);
  }
  std::string other = receipt;
  other.replace(other.find("\"layout\":null"), 13, "\"layout\":{}");
  const auto verdict = compare_receipts(receipt, other);
  EXPECT_EQ(verdict->stage + " " + verdict->expected + " " + verdict->got, "task/image/layout null {}");
}

TEST(ModelRun, HostileReceiptsAreErrors) {
  for (const char* text :
       {"", "{}", "{\"bitexact\":1,\"model\":3}", "{\"bitexact\":1,\"model\":{\"file\":\"\",\"requant\":\"\"}}",
        "{\"bitexact\":1,\"inputs\":[3],\"layers\":[],\"model\":{\"file\":\"\",\"requant\":\"\"},\"outputs\":[]}",
        "{\"bitexact\":1,\"contract\":1,\"inputs\":[],\"layers\":[],\"model\":{\"file\":\"\",\"requant\":\"float\"},"
        "\"outputs\":[],\"task\":{}}",
        "{\"bitexact\":1,\"contract\":2,\"inputs\":[],\"layers\":[],\"model\":{\"file\":\"\",\"requant\":\"tflm\"},"
        "\"outputs\":[],\"task\":{}}"})
    EXPECT_FALSE(read_model_receipt(text).ok()) << text;
}

// ARITHMETIC 10: Rdiv(p * 65536, 255).
TEST(ModelImage, UnitBytesAndInvert) {
  EXPECT_EQ(reals_of(kGrey, {}, {1, 1, 2, 2}), (std::vector<int32_t>{0, 13107, 26214, 65536}));
  EXPECT_EQ(reals_of(kGrey, {}, {2, 2}), (std::vector<int32_t>{0, 13107, 26214, 65536}));
  ImageTask t;
  t.invert = true;
  EXPECT_EQ(reals_of(kGrey, t, {1, 1, 2, 2}), (std::vector<int32_t>{65536, 52429, 39322, 0}));
  t = *image_preset("raw");
  EXPECT_EQ(reals_of(kGrey, t, {1, 1, 2, 2}), (std::vector<int32_t>{0, 51 * 65536, 102 * 65536, 255 * 65536}));
}

TEST(ModelImage, MeanAndStd) {
  ImageTask t;
  t.mean = {32768};
  t.std = {16384};
  EXPECT_EQ(reals_of(kGrey, t, {1, 1, 2, 2}), (std::vector<int32_t>{-131072, -78644, -26216, 131072}));
  // fixed_div(fixed_sub(x, mean), std) of 13107, 26214 and 65536, in unbounded integers.
  EXPECT_EQ(reals_of(kColour, *image_preset("imagenet"), {1, 3, 1, 1}), (std::vector<int32_t>{-81562, -16384, 173009}));
}

TEST(ModelImage, ChannelsAndLayouts) {
  const std::vector<int32_t> rgb{13107, 26214, 65536}, bgr{65536, 26214, 13107};
  ImageTask t;
  EXPECT_EQ(reals_of(kColour, t, {1, 3, 1, 1}), rgb);
  t.layout = Layout::nhwc;
  EXPECT_EQ(reals_of(kColour, t, {1, 1, 1, 3}), rgb);
  t.channels = ImageTask::Channels::bgr;
  EXPECT_EQ(reals_of(kColour, t, {1, 1, 1, 3}), bgr);
  t.layout.reset();
  EXPECT_EQ(reals_of(kColour, t, {1, 3, 1, 1}), bgr);
  // A grey picture gives every channel its grey: planes, then interleaved.
  EXPECT_EQ(reals_of(kGrey, {}, {1, 3, 2, 2}),
            (std::vector<int32_t>{0, 13107, 26214, 65536, 0, 13107, 26214, 65536, 0, 13107, 26214, 65536}));
  EXPECT_EQ(reals_of(kGrey, {}, {1, 2, 2, 3}),
            (std::vector<int32_t>{0, 0, 0, 13107, 13107, 13107, 26214, 26214, 26214, 65536, 65536, 65536}));
  // R(19595 * 51 + 38470 * 102 + 7471 * 255, 16) = 104, and Rdiv(104 * 65536, 255).
  EXPECT_EQ(reals_of(kColour, {}, {1, 1, 1, 1}), (std::vector<int32_t>{26728}));
}

TEST(ModelImage, IntegersTakeBytes) {
  ModelTask task{*image_preset("raw"), {}};
  ModelRun unsigned_run = open(identity_model(DType::u8, {1, 2, 2, 1}), task);
  finish(unsigned_run, {bytes(kGrey), {}});
  EXPECT_EQ(elements<uint8_t>(unsigned_run.output(0)), (std::vector<uint8_t>{0, 51, 102, 255}));
  ModelRun signed_run = open(identity_model(DType::i8, {1, 2, 2, 1}), task);
  finish(signed_run, {bytes(kGrey), {}});
  EXPECT_EQ(elements<int8_t>(signed_run.output(0)), (std::vector<int8_t>{-128, -77, -26, 127}));
  task.image.values = ImageTask::Values::reinterpret;
  ModelRun bits = open(identity_model(DType::i8, {1, 2, 2, 1}), task);
  finish(bits, {bytes(kGrey), {}});
  EXPECT_EQ(elements<int8_t>(bits.output(0)), (std::vector<int8_t>{0, 51, 102, -1}));
}

// sat(zero + nearest(x / (65536 * scale))): 0, 51.2, 102.4 and 256 less 128.
TEST(ModelImage, IntegersTakeQuantizedReals) {
  ModelRun run = open(identity_model(DType::i8, {1, 2, 2, 1}, {1.0f / 256, -128}));
  finish(run, {bytes(kGrey), {}});
  EXPECT_EQ(elements<int8_t>(run.output(0)), (std::vector<int8_t>{-128, -77, -26, 127}));
  // (x - 1/2) / (1/2) * 128 + 128: -65536, -39322, -13108, 65536 over 512.
  ModelTask task{*image_preset("raw"), {}};
  task.image.values = ImageTask::Values::unit;
  task.image.mean = task.image.std = {32768};
  ModelRun centred = open(identity_model(DType::u8, {1, 2, 2, 1}, {1.0f / 128, 128}), task);
  finish(centred, {bytes(kGrey), {}});
  EXPECT_EQ(elements<uint8_t>(centred.output(0)), (std::vector<uint8_t>{0, 51, 102, 255}));
}

// 3/2 of a step: to the even 2 in ONNX files, away from zero in TFLite's; 1/2: 0 and 1.
TEST(ModelImage, TiesAreThoseOfTheFormat) {
  const std::string file = std::string("P5\n2 1\n255\n") + std::string("\x01\x03", 2);
  for (const auto& [format, expected] :
       std::vector<std::pair<std::string, std::vector<uint8_t>>>{{"onnx", {0, 2}}, {"tflite", {1, 2}}}) {
    ModelTask task{*image_preset("raw"), {}};
    task.image.mean = {0};
    task.image.std = {65536};
    ModelFile model = identity_model(DType::u8, {1, 2}, {2.0f, 0});
    model.format = format;
    ModelRun run = open(std::move(model), task);
    finish(run, {bytes(file), {}});
    EXPECT_EQ(elements<uint8_t>(run.output(0)), expected) << format;
  }
}

TEST(ModelImage, WhatDoesNotFitIsRefused) {
  const auto refused = [](ModelFile file, ImageTask image, const ModelInput& input) {
    ModelRun run = open(std::move(file), {std::move(image), {}});
    return run.start({&input, 1}).code;
  };
  const ModelInput grey{bytes(kGrey), {}}, none{{}, {}};
  const auto q16 = [](Shape s) { return identity_model(DType::q16, s); };
  ImageTask exact, narrow, two, luma, reinterpret;
  exact.resize = ImageTask::Resize::none;
  two.mean = two.std = {1, 1};
  luma.channels = ImageTask::Channels::luma;
  reinterpret.values = ImageTask::Values::reinterpret;
  EXPECT_EQ(refused(q16({1, 1, 3, 3}), exact, grey), Code::shape);
  EXPECT_EQ(refused(q16({1, 2, 2, 2}), {}, grey), Code::shape);
  EXPECT_EQ(refused(q16({2, 1, 2, 2}), {}, grey), Code::shape);
  EXPECT_EQ(refused(q16({4}), {}, grey), Code::shape);
  EXPECT_EQ(refused(q16({1, 1, 0, 2}), {}, grey), Code::shape);
  EXPECT_EQ(refused(q16({1, 1, 2, 2}), two, grey), Code::argument);
  EXPECT_EQ(refused(q16({1, 3, 2, 2}), luma, grey), Code::argument);
  EXPECT_EQ(refused(q16({1, 1, 2, 2}), reinterpret, grey), Code::argument);
  EXPECT_EQ(refused(identity_model(DType::i16, {1, 1, 2, 2}), *image_preset("raw"), grey), Code::unsupported);
  EXPECT_EQ(refused(identity_model(DType::i8, {1, 1, 2, 2}), {}, grey), Code::argument);  // no scale
  EXPECT_EQ(refused(q16({1, 1, 2, 2}), {}, none), Code::malformed);
}

TEST(ModelTensor, WhatDoesNotFitIsRefused) {
  ModelRun run = open(small_model());
  const auto code = [&](const ModelInput& input) { return run.start({&input, 1}).code; };
  const std::vector<float> four{1, 2, 3, 4}, three{1, 2, 3}, bad{1, NAN, 3, 4};
  EXPECT_EQ(code(floats(four, Shape{2, 2})), Code::ok);
  EXPECT_EQ(code(floats(four, Shape{4})), Code::shape);
  EXPECT_EQ(code(floats(three)), Code::shape);
  EXPECT_EQ(code(floats(bad)), Code::argument);
  EXPECT_EQ(code({bytes(four), ModelInput::Elements{DType::i32, {}, bytes(four)}}), Code::argument);
  EXPECT_EQ(run.start({}).code, Code::argument);
}

TEST(ModelTask, JsonRoundTripAndHostileJson) {
  ModelTask t{*image_preset("imagenet"), {{"x", {1, 3, 224, 224}}}};
  t.image.background = Rgb8{1, 2, 3};
  t.image.layout = Layout::nchw;
  const std::string json = write_task(t);
  const auto again = read_model_task(json);
  ASSERT_TRUE(again.ok()) << again.status().text();
  EXPECT_EQ(write_task(*again), json);
  EXPECT_EQ(again->shapes.at("x"), (Shape{1, 3, 224, 224}));
  EXPECT_FALSE(image_preset("nothing"));
  for (const char* bad : {"", "[]", "{\"op\":\"conv\"}", "{\"image\":3}", "{\"image\":{\"std\":[0],\"mean\":[1]}}",
                          "{\"image\":{\"mean\":[1]}}", "{\"image\":{\"values\":\"float\"}}", "{\"shapes\":[1]}",
                          "{\"shapes\":{\"x\":[-1]}}", "{\"shapes\":{\"x\":[1,1,1,1,1,1,1]}}", "{\"shapes\":{\"x\":1}}",
                          "{\"image\":{\"background\":[1,2]}}", "{\"image\":{\"layout\":\"CHWN\"}}", "{\"more\":1}",
                          "{\"image\":{\"values\":\"reinterpret\",\"mean\":[1],\"std\":[1]}}"})
    EXPECT_FALSE(read_model_task(bad).ok()) << bad;
}

TEST(ModelRun, RawOutputIsBinary32) {
  std::vector<int32_t> q{65536, -32768, INT32_MIN, INT32_MAX, 1};
  const auto raw = raw_output({DType::q16, {5}, reinterpret_cast<std::byte*>(q.data())});
  ASSERT_TRUE(raw.ok());
  const std::vector<float> expected{1.0f, -0.5f, -32768.0f, 32768.0f, 0x1p-16f};
  ASSERT_EQ(raw->size(), 20u);
  EXPECT_EQ(std::memcmp(raw->data(), expected.data(), 20), 0);
}

TEST(ModelRun, ALayerAloneStartsAtNamedTensors) {
  const ModelFile file = small_model();
  const auto plan = prepare(file.model);
  ASSERT_TRUE(plan.ok());
  const auto above = layer_alone(file.model, **plan, "above"), flat = layer_alone(file.model, **plan, "flat");
  ASSERT_TRUE(above.ok() && flat.ok());
  EXPECT_EQ(above->nodes.size(), 2u);
  EXPECT_EQ(above->inputs, (std::vector<TensorId>{0}));
  EXPECT_EQ(flat->nodes.size(), 1u);
  EXPECT_EQ(flat->inputs, (std::vector<TensorId>{3}));
  EXPECT_EQ(flat->values[3].shape, (Shape{1, 1, 2, 2}));
  EXPECT_TRUE(prepare(*above).ok() && prepare(*flat).ok());
  for (const char* name : {"", "x", "half", "nothing"})
    EXPECT_EQ(layer_alone(file.model, **plan, name).status().code, Code::argument) << name;
}

TEST(ModelRun, ArenaMapHasPlacesAndTimes) {
  const ModelFile file = small_model();
  const auto plan = prepare(file.model);
  const auto map = arena_map(**plan);
  ASSERT_EQ(map.size(), 4u);
  EXPECT_EQ(map[0].id, 0u);
  EXPECT_EQ(map[0].first, -1);
  EXPECT_EQ(map[0].last, 0);
  EXPECT_EQ(map[3].last, 3);
  for (const PlannedTensor& a : map)
    for (const PlannedTensor& b : map) {
      const bool meet = a.id != b.id && a.first <= b.last && b.first <= a.last;
      EXPECT_FALSE(meet && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes);
    }
}

}  // namespace
}  // namespace bitexact
