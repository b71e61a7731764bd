#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bitexact/model.h"
#include "bitexact/read_model.h"
#include "bitexact/status.h"

namespace bitexact {

/// Writes a `Model` node by node and knows every tensor's type on the way, so that importers can decide by shapes.
class Builder {
 public:
  TensorId input(std::string name, const TensorType& type, Quantization quant = {});
  /// Copies. `elements` are in machine order.
  [[nodiscard]] Result<TensorId> constant(std::string name, const TensorType& type, std::span<const std::byte> elements,
                                          Quantization quant = {});
  /// Checks and infers; `output` is the model's own name of the result, empty for an inner step.
  [[nodiscard]] Result<TensorId> add(std::string node, Op op, Attrs attrs, std::vector<TensorId> inputs,
                                     std::string output, Quantization quant = {});

  [[nodiscard]] const Model::Value& value(TensorId id) const { return model_.values[id]; }
  [[nodiscard]] TensorType type(TensorId id) const { return {value(id).dtype, value(id).shape}; }
  void rename(TensorId id, std::string name) { model_.values[id].name = std::move(name); }
  /// The finished model: activations fused into what they follow, nodes nobody reads dropped.
  [[nodiscard]] Model take(std::vector<TensorId> outputs);

 private:
  Model model_;
};

/// Weights of floating point as ARITHMETIC 9 has them: int16 with a power of two for each output channel, and int64
/// bias.
struct ScaledWeights {
  TensorId weights = 0;
  std::optional<TensorId> bias;
  std::vector<int32_t> shift;
};
/// `channel_axis` of `shape` counts the output channels, of each of `groups` parts of what is before it; `bias` is
/// empty or has one element for each channel. NaN, infinity, and what ARITHMETIC 9 refuses, is an error naming tensor
/// and index.
[[nodiscard]] Result<ScaledWeights> scale_weights(Builder& b, const std::string& name, const Shape& shape,
                                                  size_t channel_axis, std::span<const float> weights,
                                                  std::span<const float> bias, int64_t groups = 1);

/// A float constant as q16. NaN and infinity are `argument` errors naming the index.
[[nodiscard]] Result<TensorId> constant_q16(Builder& b, const std::string& name, const Shape& shape,
                                            std::span<const float> values);

}  // namespace bitexact
