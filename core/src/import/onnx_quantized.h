#pragma once
#include "import/onnx_lower.h"
#include "import/quantized.h"

namespace bitexact::onnx {

/// What the integers of a quantized input mean, where one scale says it and they are computed or known as integers.
[[nodiscard]] std::optional<Quantization> single_scale(Step& s, size_t input);

/// The QuantizeLinear that alone reads a node's output, perhaps behind a Relu or Clip.
struct Target {
  const Node* quantize = nullptr;
  const Node* activation = nullptr;
  Quantization quant;
  DType dtype = DType::u8;
  Activation act;
};
[[nodiscard]] std::optional<Target> target_of(Step& s);

/// Integers that no DequantizeLinear has made reals.
[[nodiscard]] TensorId raw_integer(Step& s, size_t input);

/// The known factor of a dense layer: integers as [N, K].
struct QuantizedWeights {
  TensorId id = 0;
  std::vector<float> scale;
  int32_t zero = 0;
};
/// An input [K, N] as [N, K]: at once where it is known.
[[nodiscard]] TensorId weights_by_output(Step& s, size_t input);
/// in [.., K], times the weights, plus a bias of i32.
[[nodiscard]] TensorId quantized_dense(Step& s, TensorId in, const Quantization& quant, const QuantizedWeights& w,
                                       std::optional<TensorId> bias, const Quantization& out, const Activation& act);
[[nodiscard]] TensorId quantized_conv(Step& s, TensorId in, const Quantization& quant, const QuantizedWeights& w,
                                      std::optional<TensorId> bias, const Quantization& out, const Activation& act);

}  // namespace bitexact::onnx
