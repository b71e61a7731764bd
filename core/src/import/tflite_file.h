#pragma once
#include <climits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/model.h"
#include "bitexact/status.h"
// A limit of POSIX, and an operator.
#undef ARG_MAX
#include "tflite_generated.h"

namespace bitexact::tflite {

/// Elements known when a file is read, in rows and in machine order. Floats are bits, as everywhere.
struct Constant {
  TensorType type;
  std::vector<std::byte> bytes;
};

/// What a tensor's integers mean, as the file says it: one scale, or one for each index of `axis`; none at all for
/// most tensors of floats.
struct Scales {
  std::vector<float> scale;
  std::vector<int32_t> zero;  ///< as many, or none: all 0
  int64_t axis = 0;
};

/// A file whose structure has been verified, and its first subgraph. Refers to the bytes it was made of.
class File {
 public:
  [[nodiscard]] static Result<File> open(std::span<const std::byte> bytes);

  [[nodiscard]] const fb::Model& model() const noexcept { return *model_; }
  [[nodiscard]] const fb::SubGraph& graph() const noexcept { return *graph_; }
  [[nodiscard]] size_t tensors() const noexcept { return graph_->tensors() == nullptr ? 0 : graph_->tensors()->size(); }
  [[nodiscard]] const fb::Tensor& tensor(size_t i) const noexcept {
    return *graph_->tensors()->Get(static_cast<flatbuffers::uoffset_t>(i));
  }
  [[nodiscard]] std::string name(size_t tensor) const;
  [[nodiscard]] size_t bytes() const noexcept { return bytes_; }

  /// Nothing when the tensor has no data in the file.
  [[nodiscard]] Result<std::optional<Constant>> constant(size_t tensor) const;
  [[nodiscard]] Result<Scales> scales(size_t tensor) const;
  /// The declared shape; -1 where the file leaves a dimension open.
  [[nodiscard]] Result<Shape> shape(size_t tensor) const;

 private:
  const fb::Model* model_ = nullptr;
  const fb::SubGraph* graph_ = nullptr;
  size_t bytes_ = 0;
  Buffer aligned_;  ///< a copy, where the caller's bytes lie at an odd address
};

/// The dtype of a tensor's elements in the file; nothing for those bitexact does not hold.
[[nodiscard]] std::optional<DType> file_dtype(fb::TensorType type) noexcept;
[[nodiscard]] std::string type_name(fb::TensorType type);

/// Little-endian elements of `size` bytes in machine order, and back.
void to_machine_order(std::span<std::byte> bytes, size_t size) noexcept;

}  // namespace bitexact::tflite
