// TFLite models of others, against what other runtimes made of them: bytes where the rule is the same, the answer and
// a tolerance where it is not.
#include <cmath>
#include <numeric>

#include "bitexact/fx.h"
#include "bitexact/session.h"
#include "image_test_data.h"
#include "import/tflite.h"

namespace bitexact::test {
namespace {

std::filesystem::path models() { return shared_folder() / "models"; }

// A model ready to run.
class Net {
 public:
  Net(const std::filesystem::path& file, Requant rule) {
    const ByteVector bytes = read_file(file);
    ReadOptions options;
    options.requant = rule;
    auto read = read_tflite(bytes, options, nullptr);
    EXPECT_TRUE(read.ok()) << file << ": " << read.status().text();
    if (!read.ok()) return;
    file_ = std::move(*read);
    const auto plan = prepare(file_.model);
    EXPECT_TRUE(plan.ok()) << file << ": " << plan.status().text();
    if (!plan.ok()) return;
    auto arena = Buffer::make(bitexact::arena_bytes(**plan));
    arena_ = std::move(*arena);
    auto session = Session::open(*plan, arena_.span());
    EXPECT_TRUE(session.ok());
    if (session.ok()) session_ = std::move(*session);
  }
  Net(const Net&) = delete;
  Net& operator=(const Net&) = delete;

  [[nodiscard]] Quantization input_quantization() const { return file_.model.values[file_.model.inputs[0]].quant; }
  [[nodiscard]] bool ready() const { return session_.has_value(); }
  [[nodiscard]] Tensor input() const { return session_->input(0); }
  [[nodiscard]] Tensor output(size_t i) const { return session_->output(i); }
  [[nodiscard]] size_t arena_bytes() const { return arena_.span().size(); }
  void run() { session_->run(); }

 private:
  ModelFile file_;
  Buffer arena_;
  std::optional<Session> session_;
};

// One golden file holds the rows of a batch, one after the other.
struct Golden {
  const char* folder;
  const char* model;
  const char* golden;  // its name up to .in0
  const char* type;
  size_t outputs = 1;
};

ByteVector golden_bytes(const Golden& g, const char* side, size_t i = 0) {
  return read_file(models() / g.folder / "golden" /
                   (std::string(g.golden) + "." + side + std::to_string(i) + "." + g.type));
}

// The rows that a build checks: all of them, but few of a large model where kernels are slow.
size_t rows_of(const ByteVector& inputs, size_t row) {
#ifdef NDEBUG
  return inputs.size() / row;
#else
  return std::min<size_t>(inputs.size() / row, row > 100000 ? 1 : 5);
#endif
}

size_t argmax_of(const auto& scores) {
  return static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// Quantized scores as numbers.
std::vector<int> scores_of(const std::byte* bytes, const Tensor& t) {
  std::vector<int> s(t.count());
  for (size_t i = 0; i < s.size(); ++i)
    s[i] = t.dtype == DType::i8 ? static_cast<int>(static_cast<int8_t>(bytes[i])) : static_cast<int>(bytes[i]);
  return s;
}

int margin_of(std::vector<int> scores) {
  std::sort(scores.rbegin(), scores.rend());
  return scores.size() < 2 ? 255 : scores[0] - scores[1];
}

const Golden kQuantized[] = {
    {"tinymaix-mnist", "mnist_valid_q.tflite", "mnist_valid_q.mnist100", "i8"},
    {"tinymaix-mnist", "mnist_resnet_q.tflite", "mnist_resnet_q.mnist100", "i8"},
    {"tinymaix-mnist", "mnist_dw_q.tflite", "mnist_dw_q.mnist100", "i8"},
    {"tiny-resnet8-cifar10", "pretrainedResnet_quant.tflite", "pretrainedResnet_quant.cifar100", "i8"},
    {"tiny-vww-mobilenetv1-025-96", "vww_96_int8.tflite", "astronaut", "i8"},
    {"tiny-vww-mobilenetv1-025-96", "vww_96_int8.tflite", "cat", "i8"},
    {"tiny-vww-mobilenetv1-025-96", "vww_96_int8.tflite", "chelsea", "i8"},
    {"tiny-vww-mobilenetv1-025-96", "vww_96_int8.tflite", "coffee", "i8"},
    {"tiny-vww-mobilenetv1-025-96", "vww_96_int8.tflite", "hopper", "i8"},
    {"coral-mobilenetv2-224-u8", "mobilenet_v2_1.0_224_quant.tflite", "cat", "u8"},
    {"coral-mobilenetv2-224-u8", "mobilenet_v2_1.0_224_quant.tflite", "chelsea", "u8"},
    {"coral-mobilenetv2-224-u8", "mobilenet_v2_1.0_224_quant.tflite", "coffee", "u8"},
    {"coral-mobilenetv2-224-u8", "mobilenet_v2_1.0_224_quant.tflite", "rocket", "u8"},
    {"coral-tf2-mobilenetv2-224-ptq", "tf2_mobilenet_v2_1.0_224_ptq.tflite", "cat", "u8"},
    {"coral-tf2-mobilenetv2-224-ptq", "tf2_mobilenet_v2_1.0_224_ptq.tflite", "chelsea", "u8"},
    {"coral-tf2-mobilenetv2-224-ptq", "tf2_mobilenet_v2_1.0_224_ptq.tflite", "coffee", "u8"},
    {"coral-tf2-mobilenetv2-224-ptq", "tf2_mobilenet_v2_1.0_224_ptq.tflite", "rocket", "u8"},
};

class TfliteGolden : public testing::TestWithParam<Golden> {};

std::string name_of(const testing::TestParamInfo<Golden>& p) {
  std::string name = std::string(p.param.model) + "_" + p.param.golden;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Quantized, TfliteGolden, testing::ValuesIn(kQuantized), name_of);

TEST_P(TfliteGolden, XnnpackGivesEveryByte) {
  const Golden& g = GetParam();
  SKIP_WITHOUT(models() / g.folder);
  Net net(models() / g.folder / g.model, Requant::xnnpack);
  ASSERT_TRUE(net.ready());
  const ByteVector in = golden_bytes(g, "in"), out = golden_bytes(g, "out");
  const size_t row = net.input().bytes(), rows = rows_of(in, row), scores = net.output(0).bytes();
  ASSERT_EQ(in.size() / row * scores, out.size());
  for (size_t r = 0; r < rows; ++r) {
    std::memcpy(net.input().data, &in[r * row], row);
    net.run();
    EXPECT_EQ(scores_of(net.output(0).data, net.output(0)), scores_of(&out[r * scores], net.output(0))) << "row " << r;
  }
}

TEST_P(TfliteGolden, TflmGivesTheSameAnswer) {
  const Golden& g = GetParam();
  SKIP_WITHOUT(models() / g.folder);
  Net net(models() / g.folder / g.model, Requant::tflm);
  ASSERT_TRUE(net.ready());
  const ByteVector in = golden_bytes(g, "in"), out = golden_bytes(g, "out");
  const size_t row = net.input().bytes(), rows = rows_of(in, row), scores = net.output(0).bytes();
  size_t differing = 0;
  for (size_t r = 0; r < rows; ++r) {
    std::memcpy(net.input().data, &in[r * row], row);
    net.run();
    const auto expected = scores_of(&out[r * scores], net.output(0));
    if (margin_of(expected) <= 2) continue;
    if (argmax_of(scores_of(net.output(0).data, net.output(0))) != argmax_of(expected)) ++differing;
  }
  // ResNet8's row 45: its best two logits are one code apart (12 and 13), which softmax makes 20.
  EXPECT_LE(differing, rows / 100);
}

TEST(TfliteGoldenMemory, MobileNetNeedsTwoMebibytesBeyondItsWeights) {
  constexpr size_t kMost = size_t{2} << 20;
  for (const Golden& g : kQuantized) {
    if (std::string_view(g.folder).find("mobilenetv2-224") == std::string_view::npos) continue;
    SKIP_WITHOUT(models() / g.folder);
    const Net net(models() / g.folder / g.model, Requant::tflm);
    ASSERT_TRUE(net.ready());
    EXPECT_LE(net.arena_bytes(), kMost) << g.model;
  }
}

std::vector<float> floats_in(const ByteVector& bytes) {
  std::vector<float> v(bytes.size() / sizeof(float));
  if (!v.empty()) std::memcpy(v.data(), bytes.data(), v.size() * sizeof(float));
  return v;
}

// Inputs and outputs in floats, of a net in q16.
std::vector<float> run_row(Net& net, std::span<const float> row, size_t output) {
  auto* in = net.input().as<fixed_t>();
  for (size_t i = 0; i < row.size(); ++i) in[i] = fixed_from_float(row[i]);
  net.run();
  const Tensor out = net.output(output);
  std::vector<float> real(out.count());
  for (size_t i = 0; i < real.size(); ++i) real[i] = static_cast<float>(out.as<fixed_t>()[i]) / 65536;
  return real;
}

float largest_difference(std::span<const float> a, std::span<const float> b) {
  float most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

TEST(TfliteGoldenFloat, ClassifiersGiveTheSameAnswer) {
  const Golden nets[] = {{"tinymaix-mnist", "mnist_valid_f.tflite", "mnist_valid_f.mnist100", "f32"},
                         {"tiny-resnet8-cifar10", "pretrainedResnet.tflite", "pretrainedResnet.cifar100", "f32"}};
  SKIP_WITHOUT(models() / nets[0].folder);
  for (const Golden& g : nets) {
    Net net(models() / g.folder / g.model, Requant::tflm);
    ASSERT_TRUE(net.ready());
    const auto in = floats_in(golden_bytes(g, "in")), out = floats_in(golden_bytes(g, "out"));
    const size_t row = net.input().count(), scores = net.output(0).count();
    const size_t rows = rows_of(golden_bytes(g, "in"), row * sizeof(float));
    float most = 0;
    for (size_t r = 0; r < rows; ++r) {
      const auto got = run_row(net, std::span(in).subspan(r * row, row), 0);
      const auto expected = std::span(out).subspan(r * scores, scores);
      EXPECT_EQ(argmax_of(got), argmax_of(expected)) << g.model << " row " << r;
      most = std::max(most, largest_difference(got, expected));
    }
    EXPECT_LE(most, 1e-3F) << g.model;
    std::cout << g.model << ": " << rows << " rows, largest difference " << most << "\n";
  }
}

// There are outputs of the 8-bit twin alone: the same pictures have the same class.
TEST(TfliteGoldenFloat, VisualWakeWordsGivesTheClassOfItsQuantizedTwin) {
  const auto folder = models() / "tiny-vww-mobilenetv1-025-96";
  SKIP_WITHOUT(folder);
  Net net(folder / "vww_96_float.tflite", Requant::tflm), twin(folder / "vww_96_int8.tflite", Requant::tflm);
  ASSERT_TRUE(net.ready() && twin.ready());
  const Quantization quant = twin.input_quantization();
  for (const char* picture : {"astronaut", "cat", "chelsea", "coffee", "hopper"}) {
    const Golden g{"tiny-vww-mobilenetv1-025-96", "", picture, "i8"};
    const ByteVector in = golden_bytes(g, "in"), out = golden_bytes(g, "out");
    std::vector<float> row(in.size());
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = quant.scale * static_cast<float>(static_cast<int8_t>(in[i]) - quant.zero);
    EXPECT_EQ(argmax_of(run_row(net, row, 0)), argmax_of(scores_of(out.data(), twin.output(0)))) << picture;
  }
}

// Raw scores go to 444 and raw boxes, in pixels of 128, to 233. The weights' 16 bits are what differs: with them, sums
// in binary64 are as far from the file's answers.
TEST(TfliteGoldenFloat, FaceDetectorAgrees) {
  constexpr float kMost[] = {0.0625F, 0.1F};
  const char* pictures[] = {"astronaut", "face", "hopper"};
  SKIP_WITHOUT(models() / "mp-face-detection-short");
  Net net(models() / "mp-face-detection-short" / "face_detection_short_range.tflite", Requant::tflm);
  ASSERT_TRUE(net.ready());
  for (const char* picture : pictures) {
    const Golden g{"mp-face-detection-short", "", picture, "f32", 2};
    const auto in = floats_in(golden_bytes(g, "in"));
    for (size_t o = 0; o < 2; ++o) {
      const auto expected = floats_in(golden_bytes(g, "out", o));
      const auto got = run_row(net, in, o);
      ASSERT_EQ(got.size(), expected.size());
      EXPECT_LE(largest_difference(got, expected), kMost[o]) << picture << " output " << o;
      if (o == 1) {
        EXPECT_EQ(argmax_of(got), argmax_of(expected)) << picture;
      }
      std::cout << picture << " output " << o << ": largest difference " << largest_difference(got, expected) << "\n";
    }
  }
}

// What TFLite Micro's own test program prints for its two pictures: the pixels' bytes read as int8.
TEST(TfliteGoldenTflm, PersonDetection) {
  const auto folder = models() / "tflm-person-detect";
  SKIP_WITHOUT(folder);
  Net net(folder / "person_detect.tflite", Requant::tflm);
  ASSERT_TRUE(net.ready());
  const std::pair<const char*, std::vector<int>> pictures[] = {{"person.bmp", {-113, 113}},
                                                               {"no_person.bmp", {57, -57}}};
  for (const auto& [name, expected] : pictures) {
    const ByteVector bmp = read_file(folder / name);
    constexpr size_t kSide = 96;  // one byte a pixel, rows from the bottom, at the end of the file
    ASSERT_EQ(net.input().bytes(), kSide * kSide);
    for (size_t y = 0; y < kSide; ++y)
      std::memcpy(net.input().data + y * kSide, &bmp[bmp.size() - (y + 1) * kSide], kSide);
    net.run();
    EXPECT_EQ(scores_of(net.output(0).data, net.output(0)), expected) << name;
  }
}

}  // namespace
}  // namespace bitexact::test
