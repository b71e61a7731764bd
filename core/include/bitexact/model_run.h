#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/image.h"
#include "bitexact/model_task.h"
#include "bitexact/operator.h"
#include "bitexact/read_model.h"
#include "bitexact/receipt.h"
#include "bitexact/session.h"
#include "bitexact/status.h"

namespace bitexact {

/// A model file ready to run. Runs share it, from any thread.
struct PreparedModel {
  std::string sha256;  ///< of the file
  ModelFile file;
  PlanPtr plan;
};
using PreparedModelPtr = std::shared_ptr<const PreparedModel>;

[[nodiscard]] Result<PreparedModelPtr> prepare_model(ModelFile file, std::string sha256,
                                                     const PlanOptions& options = {});

/// One input of a run as it lies on disk: an image, or a file that holds a tensor.
struct ModelInput {
  struct Elements {
    DType dtype = DType::f32;
    std::optional<Shape> shape;        ///< nothing: of the model's input
    std::span<const std::byte> bytes;  ///< little-endian
  };
  std::span<const std::byte> file;
  std::optional<Elements> elements;  ///< what the reader of the file found; nothing: it is an image
};

/// What a receipt says of an input.
struct InputDigests {
  std::string name, file, tensor;
  Shape shape;
  DType dtype = DType::q16;
  std::optional<ImageInfo> image;  ///< then also these; dimensions are those of the pixels
  std::string pixels, resized;     ///< resized: empty when it was not
};

/// A tensor of the model that a step wrote: what remains of the model's own tensors after fusion, under their names.
struct Layer {
  std::string name, op;
  TensorType type;
  std::string sha256;
  uint64_t saturated = 0;  ///< of q16: elements at the ends of their range, where the true value may lie beyond
  TensorId id = 0;
};

/// A model at work, a step at a time, so that callers can show progress, look at layers, and stop in between.
/// Not for use from two threads at once.
class ModelRun {
 public:
  /// `too_large` when the plan needs more than `max_bytes`.
  [[nodiscard]] static Result<ModelRun> open(PreparedModelPtr model, ModelTask task, const ImageLimits& limits = {},
                                             uint64_t max_bytes = uint64_t{4} << 30);

  /// Makes the model's inputs, and forgets what an earlier start computed. One for each input of the model, in its
  /// order. A tensor's shape must be the input's, apart from dimensions of 1; f32 elements become q16 by
  /// fixed_from_float, otherwise the dtypes must be alike.
  [[nodiscard]] Status start(std::span<const ModelInput> inputs);

  [[nodiscard]] size_t step_count() const noexcept { return bitexact::step_count(*model_->plan); }
  [[nodiscard]] size_t steps_done() const noexcept { return next_; }
  [[nodiscard]] bool done() const noexcept { return next_ == step_count(); }
  /// Computes the next node; digests it if it is a layer and `digest_layers` is on. Must not be called when done.
  void step();
  /// Off: runs are faster, and receipts have no layers.
  void digest_layers(bool on) noexcept { digest_layers_ = on; }

  [[nodiscard]] const PreparedModel& model() const noexcept { return *model_; }
  [[nodiscard]] const ModelTask& task() const noexcept { return task_; }
  [[nodiscard]] const std::vector<InputDigests>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<Layer>& layers() const noexcept { return layers_; }  ///< those computed so far
  /// A layer just computed, an input just made: the plan reuses memory later.
  [[nodiscard]] Tensor value(TensorId id) const noexcept { return session_->value(id); }
  [[nodiscard]] Tensor output(size_t i) const noexcept { return session_->output(i); }

 private:
  PreparedModelPtr model_;
  ModelTask task_;
  ImageLimits limits_;
  Buffer arena_;
  std::optional<Session> session_;
  std::vector<InputDigests> inputs_;
  std::vector<Layer> layers_;
  size_t next_ = 0;
  bool digest_layers_ = true;
};

/// Elements as the world outside has them: q16 as f32 (the exact value rounded once to binary32, ties to even),
/// everything else as it is. Little-endian bytes.
[[nodiscard]] Result<Buffer> raw_output(const Tensor& tensor);

/// The part of a model that computes one layer from the named tensors before it: those become its inputs, with the
/// names they have in receipts. `argument` when no node writes a tensor of that name. Constants stay where they are:
/// `model` must outlive the part.
[[nodiscard]] Result<Model> layer_alone(const Model& model, const Plan& plan, std::string_view layer);

/// The receipt of a finished run (receipt.h has what receipts have in common):
///   {"bitexact","contract","engine",
///    "inputs":[{"dtype","file","name","shape","tensor"} and for an image {"bits","channels","color_profile","format",
///               "height","orientation","pixels","resized"?,"width"}],
///    "layers":[{"dtype","name","op","sha256","shape"}],"model":{"file","format","requant"},
///    "outputs":[{"dtype","name","sha256","shape"}],"task":{...}}
[[nodiscard]] std::string write_receipt(const ModelRun& finished, bool made_by = false);

/// What a receipt of a model asks for.
struct ModelReceipt {
  std::string model;  ///< SHA-256 of the file
  Requant requant{};
  ModelTask task;
  struct Input {
    std::string name, file, tensor;
  };
  struct LayerDigest {
    std::string name, sha256;
  };
  std::vector<Input> inputs;
  std::vector<LayerDigest> layers;
};
/// Whether a receipt is one of a model; `malformed` when it is none.
[[nodiscard]] Result<bool> is_model_receipt(std::string_view receipt);
[[nodiscard]] Result<ModelReceipt> read_model_receipt(std::string_view receipt);

/// The first file that is not the receipt's: the model, or an input. Others differ, even where they could not be run.
[[nodiscard]] Verdict compare_files(const ModelReceipt& receipt, const std::string& model_sha256,
                                    std::span<const ModelInput> inputs);

}  // namespace bitexact
