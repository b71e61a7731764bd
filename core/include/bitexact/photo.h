#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/image.h"
#include "bitexact/ops.h"
#include "bitexact/session.h"
#include "bitexact/status.h"
#include "bitexact/tensor.h"
#include "bitexact/version.h"

namespace bitexact {

/// What is asked of a photo: decode, resize, one convolution kernel over each plane, activation, pooling, all in
/// Q16.16.
struct PhotoTask {
  enum class Channels : uint8_t { luma, rgb };  ///< rgb: every colour channel of the file as a plane of its own
  enum class Activation : uint8_t { none, relu, leaky_relu };
  enum class Pool : uint8_t { none, max, avg };
  struct Resize {
    int32_t width = 0, height = 0;
    Resampling method = Resampling::bilinear;
  };

  Channels channels = Channels::luma;
  std::optional<Resize> resize;
  std::optional<Rgb8> background;      ///< composes alpha over this colour; without it alpha is dropped
  std::vector<int32_t> mean, std;      ///< q16, one per plane, or both empty
  std::string kernel_name = "custom";  ///< for people; the numbers decide
  int32_t kernel_rows = 0, kernel_cols = 0;
  std::vector<int32_t> kernel;  ///< q16, row-major
  Padding pad;
  std::array<int64_t, 2> stride{1, 1};
  Activation activation = Activation::none;
  int32_t alpha = 0;  ///< q16, of leaky_relu
  Pool pool = Pool::none;
  std::array<int64_t, 2> pool_kernel{2, 2}, pool_stride{2, 2};  ///< VALID: incomplete windows at the end are left out
};

/// The canonical JSON of a task (sorted keys, no spaces), as it stands in a receipt under "task".
[[nodiscard]] std::string write_task(const PhotoTask& task);
/// Accepts any JSON object with these keys; a missing key means its default; an unknown key is an error.
[[nodiscard]] Result<PhotoTask> read_task(std::string_view json);

/// One thing a run computed: the name and operator as in the receipt, and the digest of its bytes.
struct Stage {
  std::string name;  ///< pixels | resized | input | conv | activation | pool
  std::string op;    ///< decode | resize | to_q16 | conv2d | relu | leaky_relu | max_pool2d | avg_pool2d
  DType dtype = DType::q16;
  Shape shape;  ///< pixels, resized: [height, width, channels]; from input on: [planes, height, width]
  std::string sha256;
};

/// A task at work on one file, a stage at a time, so that callers can show progress and stop between stages.
/// Every stage's tensor stays readable until the object goes.
class PhotoRun {
 public:
  /// The tensors of a run may take so many times `ImageLimits::bytes`.
  static constexpr size_t kArenaFactor = 16;

  /// Checks the task, decodes the header and sizes everything; nothing large is allocated yet. `file` must outlive the
  /// run. `too_large` when the file's pixels or the resized ones exceed `limits`, or the tensors kArenaFactor times its
  /// bytes.
  [[nodiscard]] static Result<PhotoRun> open(std::span<const std::byte> file, PhotoTask task,
                                             const ImageLimits& limits = {}, KernelSet kernels = KernelSet::fastest);

  [[nodiscard]] size_t stage_count() const noexcept { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& stage_names() const noexcept { return names_; }
  [[nodiscard]] bool done() const noexcept { return stages_.size() == names_.size(); }
  /// Computes the next stage and its digest. Must not be called when done.
  [[nodiscard]] Status step();

  [[nodiscard]] const std::vector<Stage>& stages() const noexcept { return stages_; }   ///< those computed so far
  [[nodiscard]] Tensor tensor(size_t stage) const noexcept { return tensors_[stage]; }  ///< of a computed stage
  [[nodiscard]] const PhotoTask& task() const noexcept { return task_; }
  [[nodiscard]] const Image& pixels() const noexcept { return pixels_; }
  [[nodiscard]] const std::string& file_sha256() const noexcept { return file_sha256_; }

 private:
  [[nodiscard]] Status decode();
  [[nodiscard]] Status resize();
  [[nodiscard]] Status input();
  [[nodiscard]] static Tensor as_planes(const Tensor& tensor);
  void add_stage(std::string op, const Tensor& tensor);

  std::span<const std::byte> file_;
  std::string file_sha256_;
  PhotoTask task_;
  ImageLimits limits_;
  KernelSet kernels_ = KernelSet::fastest;
  std::vector<std::string> names_;
  std::vector<Stage> stages_;
  std::vector<Tensor> tensors_;
  Image pixels_, resized_;
  Model model_;
  PlanPtr plan_;
  Buffer arena_;
  std::optional<Session> session_;
};

}  // namespace bitexact
