#pragma once
#include <optional>
#include <span>

#include "bitexact/model.h"
#include "bitexact/ops.h"
#include "bitexact/status.h"

namespace bitexact {

// What the attributes of quantized operators are made of: the scales and zeros of a model. ARITHMETIC 7 says how each
// rule rounds them. A scale that is not finite and above 0 is an `argument` error.

/// Of an accumulator of scale `in.scale * weights[c]`, one of `weights` or one for each output channel, on its way to
/// `out`.
[[nodiscard]] Result<QuantAttrs> quant_attrs(Requant rule, const Quantization& in, std::span<const float> weights,
                                             int32_t weight_zero, const Quantization& out);

/// Elements themselves on their way from one scale to another.
[[nodiscard]] Result<RequantizeAttrs> requantize_attrs(Requant rule, const Quantization& in, const Quantization& out,
                                                       DType output);

/// The mean (`mean`) or sum of `count` elements.
[[nodiscard]] Result<QuantAttrs> quant_reduce_attrs(Requant rule, const Quantization& in, const Quantization& out,
                                                    int64_t count, bool mean);

/// q_add; with `subtract` the second input counts negatively, which `tflm` cannot.
[[nodiscard]] Result<QBinaryAttrs> quant_add_attrs(Requant rule, DType dtype, const Quantization& a,
                                                   const Quantization& b, const Quantization& out, bool subtract);
/// q_mul, whose rule is always `tflm`: `unsupported` when a product could leave 32 bits.
[[nodiscard]] Result<QBinaryAttrs> quant_mul_attrs(DType dtype, const Quantization& a, const Quantization& b,
                                                   const Quantization& out);
/// q_softmax of TFLite Micro; the output's quantization is the one that belongs to its dtype.
[[nodiscard]] Result<QSoftmaxAttrs> quant_softmax_attrs(DType dtype, const Quantization& in, float beta);

/// q_sigmoid (LOGISTIC) or q_tanh of TFLite Micro for i8 and i16; the output's quantization is `curve_quantization`.
[[nodiscard]] Result<QCurveAttrs> quant_curve_attrs(Op op, DType dtype, const Quantization& in);
[[nodiscard]] Quantization curve_quantization(Op op, DType dtype) noexcept;

/// The integer that means `real`: zero + round(real / scale) in binary32, ties away from zero; saturated to 32 bits.
[[nodiscard]] int32_t quantized_of(float real, const Quantization& q);

[[nodiscard]] constexpr bool same(const Quantization& a, const Quantization& b) noexcept {
  return a.scale == b.scale && a.zero == b.zero;
}

}  // namespace bitexact
