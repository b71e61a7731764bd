// ONNX models of others, against what other runtimes made of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "bitexact/fx.h"
#include "bitexact/read_model.h"
#include "bitexact/session.h"
#include "image_test_data.h"

namespace bitexact::test {
namespace {

using Reals = std::vector<double>;

std::filesystem::path models() { return shared_folder() / "models"; }

// A model of floats, ready to run.
class Net {
 public:
  explicit Net(const std::filesystem::path& path) {
    auto file = read_model(read_file(path));
    EXPECT_TRUE(file.ok()) << path << ": " << file.status().text();
    if (!file.ok()) return;
    file_ = std::move(*file);
    const auto plan = prepare(file_.model);
    EXPECT_TRUE(plan.ok()) << path << ": " << plan.status().text();
    if (!plan.ok()) return;
    arena_ = std::move(*Buffer::make(arena_bytes(**plan)));
    session_ = std::move(*Session::open(*plan, arena_.span()));
  }
  Net(const Net&) = delete;
  Net& operator=(const Net&) = delete;

  [[nodiscard]] bool ready() const { return session_.has_value(); }
  [[nodiscard]] const Model& model() const { return file_.model; }
  void run(const Reals& input) {
    const Tensor in = session_->input(0);
    ASSERT_EQ(in.count(), input.size());
    for (size_t i = 0; i < input.size(); ++i) in.as<fixed_t>()[i] = fixed_from_double(input[i]);
    session_->run();
  }
  [[nodiscard]] Reals output(size_t k) const {
    const Tensor out = session_->output(k);
    Reals values;
    for (size_t i = 0; i < out.count(); ++i) values.push_back(static_cast<double>(out.as<fixed_t>()[i]) / 65536);
    return values;
  }

 private:
  ModelFile file_;
  Buffer arena_;
  std::optional<Session> session_;
};

Reals tensor_file(const std::filesystem::path& path) {
  const auto t = read_onnx_tensor(read_file(path));
  EXPECT_TRUE(t.ok()) << path << ": " << t.status().text();
  return t.ok() ? float_elements(*t) : Reals{};
}

Reals f32_file(const std::filesystem::path& path) {
  const ByteVector bytes = read_file(path);
  Reals values;
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 4; ++k) bits |= std::to_integer<uint32_t>(bytes[i + k]) << (8 * k);
    values.push_back(static_cast<double>(std::bit_cast<float>(bits)));
  }
  return values;
}

double largest(const Reals& v) {
  double most = 0;
  for (const double x : v) most = std::max(most, std::fabs(x));
  return most;
}

double largest_error(const Reals& got, const Reals& expected) {
  EXPECT_EQ(got.size(), expected.size());
  double most = got.size() == expected.size() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(got.size(), expected.size()); ++i)
    most = std::max(most, std::fabs(got[i] - expected[i]));
  return most;
}

auto best(const Reals& v) { return std::max_element(v.begin(), v.end()) - v.begin(); }

void record(const std::string& what, double error) {
  ::testing::Test::RecordProperty(what, std::to_string(error));
  std::printf("[ measured ] %s: %.3g\n", what.c_str(), error);
}

/// Makes what a net gave and what is expected comparable.
using Meaning = std::function<void(size_t output, Reals& got, Reals& golden)>;

// Golden pictures of one folder, NAME.in0.f32 and NAME.outK.f32. Errors are measured against the largest number of an
// output, or 1.
void check_pictures(
    const char* folder, const char* file, size_t outputs, double tolerance,
    const Meaning& mean = [](size_t, Reals&, Reals&) {}) {
  const auto golden = models() / folder / "golden";
  Net net(models() / folder / file);
  if (!net.ready()) return;
  for (const std::string picture : {"face", "astronaut", "hopper"}) {
    net.run(f32_file(golden / (picture + ".in0.f32")));
    for (size_t k = 0; k < outputs; ++k) {
      const std::string name = picture + ".out" + std::to_string(k);
      Reals got = net.output(k), wanted = f32_file(golden / (name + ".f32"));
      mean(k, got, wanted);
      const double error = largest_error(got, wanted);
      record(std::string(file) + " " + name + ", of " + std::to_string(largest(wanted)), error);
      EXPECT_LE(error, tolerance * std::max(1.0, largest(wanted))) << file << " " << name;
    }
#ifndef NDEBUG
    break;  // one picture is slow enough there
#endif
  }
}

// What the detector's regressions mean: anchors over four grids of a picture of 320 by 240, variances 0.1 and 0.2,
// corners instead of centres.
Reals ultraface_boxes(const Reals& regressions) {
  struct Scale {
    int rows, columns;
    std::vector<double> sizes;
  };
  const std::vector<Scale> scales{
      {30, 40, {10, 16, 24}}, {15, 20, {32, 48}}, {8, 10, {64, 96}}, {4, 5, {128, 192, 256}}};
  Reals boxes;
  const auto clip = [](double v) { return std::clamp(v, 0.0, 1.0); };
  for (const Scale& s : scales)
    for (int y = 0; y < s.rows; ++y)
      for (int x = 0; x < s.columns; ++x)
        for (const double size : s.sizes) {
          const double* r = regressions.data() + boxes.size();
          const double w = clip(size / 320), h = clip(size / 240);
          const double cx = clip((x + 0.5) / s.columns) + r[0] * 0.1 * w;
          const double cy = clip((y + 0.5) / s.rows) + r[1] * 0.1 * h;
          const double half_w = w * std::exp(r[2] * 0.2) / 2, half_h = h * std::exp(r[3] * 0.2) / 2;
          boxes.insert(boxes.end(), {cx - half_w, cy - half_h, cx + half_w, cy + half_h});
          if (boxes.size() >= regressions.size()) return boxes;
        }
  return boxes;
}

TEST(OnnxGolden, MnistAnswersAlike) {
  SKIP_WITHOUT(models() / "onnx-mnist-8");
  Net net(models() / "onnx-mnist-8" / "model.onnx");
  ASSERT_TRUE(net.ready());
  for (const char* set : {"test_data_set_0", "test_data_set_1", "test_data_set_2"}) {
    const auto folder = models() / "onnx-mnist-8" / set;
    net.run(tensor_file(folder / "input_0.pb"));
    const Reals got = net.output(0), expected = tensor_file(folder / "output_0.pb");
    EXPECT_EQ(best(got), best(expected)) << set;
    const double error = largest_error(got, expected) / largest(expected);
    record(std::string("mnist of the largest, ") + set, error);
    EXPECT_LE(error, 1e-4) << set;
  }
}

TEST(OnnxGolden, SuperResolutionIsClose) {
  const auto folder = models() / "onnx-super-resolution-10";
  SKIP_WITHOUT(folder);
  Net net(folder / "model.onnx");
  ASSERT_TRUE(net.ready());
  net.run(tensor_file(folder / "test_data_set_0" / "input_0.pb"));
  const double error = largest_error(net.output(0), tensor_file(folder / "test_data_set_0" / "output_0.pb"));
  record("super resolution", error);
  EXPECT_LE(error, 2e-3);
}

// Its second output are regressions, a tenth or a fifth of which moves a box.
TEST(OnnxGolden, UltraFaceSimplifiedScoresAndBoxes) {
  SKIP_WITHOUT(models() / "ultraface-onnx");
  check_pictures("ultraface-onnx", "version-RFB-320_simplified.onnx", 2, 1e-3,
                 [](size_t output, Reals& got, Reals& golden) {
                   if (output == 0) return;
                   got = ultraface_boxes(got);
                   golden = ultraface_boxes(golden);
                 });
}

// The same net as it left its framework: batch normalisation apart, shapes computed in the graph, boxes decoded.
TEST(OnnxGolden, UltraFaceScoresAndBoxes) {
  SKIP_WITHOUT(models() / "ultraface-onnx");
  check_pictures("ultraface-onnx", "version-RFB-320.onnx", 2, 1e-3, [](size_t output, Reals&, Reals& golden) {
    if (output == 1) golden = ultraface_boxes(golden);
  });
}

// The weights' 16 bits are what differs: sums of such weights in binary64 are as far off (0.0885 of 385 in
// hopper.out1).
TEST(OnnxGolden, BlazeFaceOutputs) {
  SKIP_WITHOUT(models() / "npm-blazeface-onnx");
  check_pictures("npm-blazeface-onnx", "face_detection_front_128x128_barracuda.onnx", 4, 1e-3);
}

}  // namespace
}  // namespace bitexact::test
