// Layers of models from floating point: i16 weights with a power of two for each output channel; ARITHMETIC 9.
#include <algorithm>

#include "ops/conv.h"
#include "ops/quantized.h"

namespace bitexact {
namespace {

constexpr int32_t kHighestShift = 30;

Status check_scaled_inputs(const Operands& o, const Activation& act) {
  BITEXACT_TRY(need_dtype(o, 0, only(DType::q16)));
  BITEXACT_TRY(need_dtype(o, 1, only(DType::i16)));
  if (o.has(2)) BITEXACT_TRY(need_dtype(o, 2, only(DType::i64)));
  return check_activation(act);
}

Result<TensorType> with_shifts(const Result<Shape>& shape, const std::vector<int32_t>& shifts, size_t channel_axis) {
  if (!shape.ok()) return shape.status();
  BITEXACT_TRY(check_length("weight_shift", shifts.size(), (*shape)[channel_axis]));
  for (const int32_t s : shifts) BITEXACT_TRY(check_within("weight_shift", s, 0, kHighestShift));
  return TensorType{DType::q16, *shape};
}
size_t channel_axis(Layout layout) { return layout == Layout::nhwc ? 3 : 1; }

// The largest |sum| of output channel o, half a unit of its output included, whatever the inputs.
template <class At>
uint64_t largest_sum(const ScaledConvParams& p, const Args& args, int32_t o, At&& at) {
  const ConvParams& c = p.conv;
  const int64_t terms = int64_t{c.window.kernel_h} * c.window.kernel_w * (c.in_c / c.groups);
  const auto* weights = static_cast<const int16_t*>(args.in[1]);
  uint64_t sizes = weights == nullptr ? saturating_mul(static_cast<uint64_t>(terms), 32768) : 0;
  if (weights != nullptr)
    for (int64_t i = 0; i < terms; ++i) sizes += size_of_value(weights[at(o, i)]);
  const uint64_t products = saturating_mul(sizes, uint64_t{1} << 31);
  const uint64_t half = (uint64_t{1} << p.shift[p.per_channel ? o : 0]) >> 1;
  if (!c.has_bias) return saturating_add(products, half);
  const auto* bias = static_cast<const int64_t*>(args.in[2]);
  return saturating_add(saturating_add(products, half), bias == nullptr ? kMostSum : size_of_value(bias[o]));
}

template <class At>
Status prepare_scaled(Prepare& p, const ConvParams& conv, const std::vector<int32_t>& shifts, At&& at) {
  ScaledConvParams& s = p.args.scaled_conv = {conv, shifts.data(), shifts.size() > 1};
  uint64_t largest = 0;
  for (int32_t o = 0; o < conv.out_c; ++o) largest = std::max(largest, largest_sum(s, p.args, o, at));
  p.accumulator = {signed_bits(largest),
                   "sum|w| * 2^31 + |bias| + 2^(weight_shift-1), at most " + std::to_string(largest)};
  if (p.accumulator.bits <= 64) return {};
  return error(Code::unsupported, "sums must stay below 2^63, but " + p.accumulator.formula);
}

// Weights of a filter lie side by side.
Status prepare_scaled(Prepare& p, const ConvParams& c, const std::vector<int32_t>& shifts) {
  const int64_t terms = int64_t{c.window.kernel_h} * c.window.kernel_w * (c.in_c / c.groups);
  return prepare_scaled(p, c, shifts, [&](int64_t o, int64_t i) { return o * terms + i; });
}

}  // namespace

Result<TensorType> infer_conv2d_w16(const Operands& o) {
  const auto& a = o.as<ScaledConv2dAttrs>();
  const Conv2dAttrs& c = a.conv;
  BITEXACT_TRY(check_scaled_inputs(o, c.act));
  return with_shifts(infer_conv_shape(o, c.layout, c.window, c.groups), a.weight_shift, channel_axis(c.layout));
}

Status prepare_conv2d_w16(Prepare& p) {
  const auto& a = p.operands.as<ScaledConv2dAttrs>();
  const auto conv = conv_params(p.operands, a.conv.layout, a.conv.window, a.conv.groups, a.conv.act);
  if (!conv.ok()) return conv.status();
  return prepare_scaled(p, *conv, a.weight_shift);
}

Result<TensorType> infer_conv_transpose2d_w16(const Operands& o) {
  const auto& a = o.as<ScaledConvTranspose2dAttrs>();
  BITEXACT_TRY(check_scaled_inputs(o, a.conv.act));
  return with_shifts(infer_transposed_shape(o, a.conv), a.weight_shift, channel_axis(a.conv.layout));
}

Status prepare_conv_transpose2d_w16(Prepare& p) {
  const auto& a = p.operands.as<ScaledConvTranspose2dAttrs>();
  const ConvParams conv = transposed_params(p.operands, a.conv);
  return prepare_scaled(p, conv, a.weight_shift, [&](int64_t o, int64_t i) { return transposed_weight(conv, o, i); });
}

Result<TensorType> infer_fully_connected_w16(const Operands& o) {
  const auto& a = o.as<ScaledFullyConnectedAttrs>();
  BITEXACT_TRY(check_scaled_inputs(o, a.act));
  return with_shifts(infer_dense_shape(o), a.weight_shift, 1);
}

Status prepare_fully_connected_w16(Prepare& p) {
  const auto& a = p.operands.as<ScaledFullyConnectedAttrs>();
  return prepare_scaled(p, dense_params(p.operands, a.act), a.weight_shift);
}

}  // namespace bitexact
