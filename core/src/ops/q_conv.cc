#include <algorithm>

#include "ops/conv.h"
#include "ops/quantized.h"

namespace bitexact {
namespace {

bool wide_bias(const Operands& o) { return o.has(2) && o.in[2].dtype == DType::i64; }

// Everything but the shapes.
Status check_quantized(const Operands& o, const QuantAttrs& q, const Activation& act, int64_t channels) {
  const DType data = o.in[0].dtype;
  BITEXACT_TRY(check_activation(act));
  BITEXACT_TRY(check_zero("input_zero", q.input_zero, data));
  BITEXACT_TRY(check_zero("weight_zero", q.weight_zero, o.in[1].dtype));
  BITEXACT_TRY(check_zero("output_zero", q.output_zero, data));
  return check_requant(q, data, wide_bias(o), channels);
}

Status check_dtypes(const Operands& o) {
  BITEXACT_TRY(need_dtype(o, 0, kQuantized));
  BITEXACT_TRY(need_dtype(o, 1, only(DType::i8) | only(DType::u8)));
  if (!o.has(2)) return {};
  const DTypes wide = o.in[0].dtype == DType::i16 ? only(DType::i64) : DTypes{0};
  return need_dtype(o, 2, only(DType::i32) | wide);
}

// The largest |sum| of output channel o: of all inputs there could be, and of all weights and biases where they are not
// constant. Saturates at 2^63.
uint64_t largest_sum(const QConvParams& p, DType data, const Args& args, int32_t o) {
  const ConvParams& c = p.conv;
  const RequantParams& q = p.requant;
  const auto taps = static_cast<uint64_t>(c.window.kernel_h) * static_cast<uint64_t>(c.window.kernel_w) *
                    static_cast<uint64_t>(c.in_c / c.groups);
  const uint64_t weights =
      sum_of_sizes({args.in[1], p.weights, taps * static_cast<uint64_t>(o), taps, 1}, q.weight_zero);
  const uint64_t products = saturating_mul(weights, static_cast<uint64_t>(reach(data, q.input_zero)));
  if (!c.has_bias) return products;
  if (args.in[2] == nullptr) return saturating_add(products, q.wide_bias ? kMostSum : uint64_t{1} << 31);
  return saturating_add(products, size_of_value(q.wide_bias ? static_cast<const int64_t*>(args.in[2])[o]
                                                            : static_cast<const int32_t*>(args.in[2])[o]));
}

AccumulatorBound bound_of(uint64_t largest) {
  return {signed_bits(largest),
          "sum|w - weight_zero| * max|in - input_zero| + |bias|, at most " + std::to_string(largest)};
}

Status prepare_quantized(Prepare& p, const ConvParams& conv, const QuantAttrs& a) {
  const bool wide = wide_bias(p.operands);
  QConvParams& q = p.args.q_conv;
  q.conv = conv;
  q.conv.act = clamp_to(conv.act, p.out.dtype);
  q.weights = p.operands.in[1].dtype;
  q.requant = requant_params(a, wide);
  uint64_t largest = 0;
  const bool alike = p.args.in[1] == nullptr && (!conv.has_bias || p.args.in[2] == nullptr);
  for (int32_t o = 0; o < (alike ? 1 : conv.out_c); ++o)
    largest = std::max(largest, largest_sum(q, p.out.dtype, p.args, o));
  p.accumulator = bound_of(largest);
  if (wide && largest >= uint64_t{1} << 47)
    return error(Code::unsupported, "the reduced multiplier needs sums below 2^47, but " + p.accumulator.formula);
  return {};
}

}  // namespace

Result<TensorType> infer_q_conv2d(const Operands& o) {
  const auto& a = o.as<QConv2dAttrs>();
  BITEXACT_TRY(check_dtypes(o));
  const auto shape = infer_conv_shape(o, a.layout, a.window, a.groups);
  if (!shape.ok()) return shape.status();
  BITEXACT_TRY(check_quantized(o, a.quant, a.act, dims_of(*shape, a.layout)->c));
  return TensorType{o.in[0].dtype, *shape};
}

Status prepare_q_conv2d(Prepare& p) {
  const auto& a = p.operands.as<QConv2dAttrs>();
  const auto conv = conv_params(p.operands, a.layout, a.window, a.groups, a.act);
  if (!conv.ok()) return conv.status();
  return prepare_quantized(p, *conv, a.quant);
}

Result<TensorType> infer_q_fully_connected(const Operands& o) {
  const auto& a = o.as<QFullyConnectedAttrs>();
  BITEXACT_TRY(check_dtypes(o));
  const auto shape = infer_dense_shape(o);
  if (!shape.ok()) return shape.status();
  BITEXACT_TRY(check_quantized(o, a.quant, a.act, (*shape)[1]));
  return TensorType{o.in[0].dtype, *shape};
}

Status prepare_q_fully_connected(Prepare& p) {
  const auto& a = p.operands.as<QFullyConnectedAttrs>();
  return prepare_quantized(p, dense_params(p.operands, a.act), a.quant);
}

}  // namespace bitexact
