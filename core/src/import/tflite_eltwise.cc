// Operators on each element alone, reductions, and what lies between integers and reals.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "bitexact/fx.h"
#include "import/tflite_ops.h"

namespace bitexact::tflite {

Status missing_options(const Node& n) {
  return error(Code::malformed, "the operator's options are missing", at_node(n.index));
}

std::span<const float> floats_of(const Constant& c) noexcept {
  return {reinterpret_cast<const float*>(c.bytes.data()), c.bytes.size() / sizeof(float)};
}

Result<int64_t> axis_of(int64_t axis, size_t rank) {
  const auto r = static_cast<int64_t>(rank);
  if (axis < -r || axis >= r)
    return error(Code::argument, "axis " + std::to_string(axis) + " of " + std::to_string(rank) + " dimensions");
  return axis < 0 ? axis + r : axis;
}

Result<Padding> padding(fb::Padding p) {
  if (p == fb::Padding::SAME) return Padding{Pad::same_upper, 0, 0, 0, 0};
  if (p == fb::Padding::VALID) return Padding{Pad::valid, 0, 0, 0, 0};
  return error(Code::malformed, "padding " + std::to_string(static_cast<int>(p)) + " is neither SAME nor VALID");
}

Requant rule_of(const Graph& g, const Node& n, size_t i) {
  return g.type(n, i) == fb::TensorType::INT16 ? Requant::tflm : g.rule();
}

Result<Activation> bounds(Graph& g, const Node& n, float lowest, float highest) {
  constexpr float kOne = 65536;
  const Activation open;
  const bool upper = std::isfinite(highest);
  if (g.output_type(n) == fb::TensorType::FLOAT32)
    return Activation{static_cast<int32_t>(lowest * kOne), upper ? static_cast<int32_t>(highest * kOne) : open.max};
  const auto out = g.output_quantization(n);
  if (!out.ok()) return out.status();
  if (!(out->scale > 0)) return error(Code::unsupported, "an activation of integers without a scale");
  return Activation{quantized_of(lowest, *out), upper ? quantized_of(highest, *out) : open.max};
}

Result<Activation> activation(Graph& g, const Node& n, fb::Fused fused) {
  switch (fused) {
    case fb::Fused::NONE:
      return Activation{};
    case fb::Fused::RELU:
      return bounds(g, n, 0, INFINITY);
    case fb::Fused::RELU6:
      return bounds(g, n, 0, 6);
    case fb::Fused::RELU_N1_TO_1:
      return bounds(g, n, -1, 1);
    default:
      break;
  }
  return error(Code::unsupported, "the fused activation " + std::to_string(static_cast<int>(fused)) +
                                      "; NONE, RELU, RELU6 and RELU_N1_TO_1 are supported");
}

Status need_same_scale(Graph& g, const Node& n, size_t i) {
  if (g.type(n, i) != g.output_type(n))
    return error(Code::unsupported, "from " + type_name(g.type(n, i)) + " to " + type_name(g.output_type(n)));
  if (!g.is_quantized(n, i)) return {};
  const auto in = g.quantization(n, i), out = g.output_quantization(n);
  if (!in.ok()) return in.status();
  if (!out.ok()) return out.status();
  if (same(*in, *out)) return {};
  return error(Code::unsupported, "input and output of different scales or zero points");
}

namespace {

Result<Operand> dequantized(Graph& g, const Node& n, size_t i) {
  auto x = g.operand(n, i);
  if (!x.ok() || !g.is_quantized(n, i)) return x;
  const auto in = g.quantization(n, i);
  if (!in.ok()) return in.status();
  return g.step(n, Op::dequantize, DequantizeAttrs{{__builtin_bit_cast(uint32_t, in->scale)}, {in->zero}, 0}, {*x});
}

Status emit_quantized(Graph& g, const Node& n, const Operand& x) {
  const auto out = g.output_quantization(n);
  if (!out.ok()) return out.status();
  const auto dtype = file_dtype(g.output_type(n));
  if (!dtype) return error(Code::unsupported, "to " + type_name(g.output_type(n)));
  return g.emit(n, Op::quantize, QuantizeAttrs{__builtin_bit_cast(uint32_t, out->scale), out->zero, *dtype, true}, {x});
}

Status emit_from(Graph& g, const Node& n, Op op, Attrs attrs) {
  if (g.is_quantized(n, 0)) return through_q16(g, n, 0, op, std::move(attrs));
  if (!g.is_float(n, 0)) return error(Code::unsupported, "of " + type_name(g.type(n, 0)));
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  return g.emit(n, op, std::move(attrs), {*x});
}

// Of quantized tensors the clamp works on the integers, in the output's scale.
Status lower_clamp(Graph& g, const Node& n, float lowest, float highest) {
  auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  if (g.type(n, 0) != g.output_type(n)) return error(Code::unsupported, "from one type to another");
  const auto act = bounds(g, n, lowest, highest);
  if (!act.ok()) return act.status();
  if (g.is_quantized(n, 0)) {
    const auto in = g.quantization(n, 0), out = g.output_quantization(n);
    if (!in.ok()) return in.status();
    if (!out.ok()) return out.status();
    auto attrs = requantize_attrs(rule_of(g, n), *in, *out, g.type_of(*x).dtype);
    if (!attrs.ok()) return attrs.status();
    if (!same(*in, *out)) x = g.step(n, Op::requantize, std::move(*attrs), {*x});
    if (!x.ok()) return x.status();
  }
  return g.emit(n, Op::clamp, ClampAttrs{*act}, {*x});
}

// Of the types that TFLite Micro has, with the output's scale that it takes, its integers; of all others, and under
// xnnpack, which looks up rounded reals, the function itself.
Status lower_curve(Graph& g, const Node& n, Op real, Op quantized) {
  const auto dtype = file_dtype(g.output_type(n));
  const bool known = dtype == DType::i16 || (dtype == DType::i8 && g.rule() == Requant::tflm);
  if (!known || !g.is_quantized(n, 0) || g.type(n, 0) != g.output_type(n)) return emit_from(g, n, real, {});
  const auto in = g.quantization(n, 0), out = g.output_quantization(n);
  if (!in.ok()) return in.status();
  if (!out.ok()) return out.status();
  if (!same(*out, curve_quantization(quantized, *dtype))) return emit_from(g, n, real, {});
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  const auto attrs = quant_curve_attrs(quantized, *dtype, *in);
  if (!attrs.ok()) return attrs.status();
  return g.emit(n, quantized, *attrs, {*x});
}

}  // namespace

Status through_q16(Graph& g, const Node& n, size_t i, Op op, Attrs attrs, std::vector<Operand> more) {
  const auto x = dequantized(g, n, i);
  if (!x.ok()) return x.status();
  more.insert(more.begin(), *x);
  const auto y = g.step(n, op, std::move(attrs), std::move(more));
  if (!y.ok()) return y.status();
  return emit_quantized(g, n, *y);
}

Status lower_relu(Graph& g, const Node& n) { return lower_clamp(g, n, 0, INFINITY); }
Status lower_relu6(Graph& g, const Node& n) { return lower_clamp(g, n, 0, 6); }
Status lower_relu_n1_to_1(Graph& g, const Node& n) { return lower_clamp(g, n, -1, 1); }
Status lower_logistic(Graph& g, const Node& n) { return lower_curve(g, n, Op::sigmoid, Op::q_sigmoid); }
Status lower_tanh(Graph& g, const Node& n) { return lower_curve(g, n, Op::tanh, Op::q_tanh); }
Status lower_exp(Graph& g, const Node& n) { return emit_from(g, n, Op::exp, {}); }
Status lower_hard_swish(Graph& g, const Node& n) { return emit_from(g, n, Op::hard_swish, {}); }
Status lower_abs(Graph& g, const Node& n) { return emit_from(g, n, Op::abs, {}); }
Status lower_neg(Graph& g, const Node& n) { return emit_from(g, n, Op::neg, {}); }

Status lower_leaky_relu(Graph& g, const Node& n) {
  const auto* o = n.options<fb::LeakyReluOptions>();
  if (o == nullptr) return missing_options(n);
  if (!std::isfinite(o->alpha())) return error(Code::argument, "alpha is NaN or infinite");
  return emit_from(g, n, Op::leaky_relu, LeakyReluAttrs{fixed_from_float(o->alpha())});
}

Status lower_prelu(Graph& g, const Node& n) {
  if (g.is_quantized(n, 0)) {
    const auto slope = dequantized(g, n, 1);
    if (!slope.ok()) return slope.status();
    return through_q16(g, n, 0, Op::prelu, {}, {*slope});
  }
  const auto x = g.operand(n, 0), slope = g.operand(n, 1);
  if (!x.ok()) return x.status();
  if (!slope.ok()) return slope.status();
  return g.emit(n, Op::prelu, {}, {*x, *slope});
}

Status lower_softmax(Graph& g, const Node& n) {
  const auto* o = n.options<fb::SoftmaxOptions>();
  if (o == nullptr) return missing_options(n);
  auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  if (g.is_quantized(n, 0)) {
    const auto in = g.quantization(n, 0), out = g.output_quantization(n);
    if (!in.ok()) return in.status();
    if (!out.ok()) return out.status();
    const auto dtype = file_dtype(g.output_type(n));
    const bool eight = dtype == DType::i8 || dtype == DType::u8;
    if (!dtype || !same(*out, {eight ? 1 / 256.0F : 1 / 32768.0F, dtype == DType::i8 ? -128 : 0}))
      return error(Code::unsupported, "a softmax whose output has another scale than its type's own");
    if (g.rule() == Requant::xnnpack && eight && o->beta() == 1) {
      const auto real = dequantized(g, n, 0);
      if (!real.ok()) return real.status();
      return g.emit(n, Op::softmax, SoftmaxAttrs{-1, *dtype}, {*real});
    }
    const auto attrs = quant_softmax_attrs(*dtype, *in, o->beta());
    if (!attrs.ok()) return attrs.status();
    return g.emit(n, Op::q_softmax, *attrs, {*x});
  }
  if (o->beta() != 1) return error(Code::unsupported, "a softmax with beta " + std::to_string(o->beta()));
  return emit_from(g, n, Op::softmax, SoftmaxAttrs{});
}

Status lower_quantize(Graph& g, const Node& n) {
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  if (g.is_float(n, 0)) return emit_quantized(g, n, *x);
  const auto dtype = file_dtype(g.output_type(n));
  if (!g.is_quantized(n, 0) || !dtype)
    return error(Code::unsupported, "from " + type_name(g.type(n, 0)) + " to " + type_name(g.output_type(n)));
  const auto in = g.quantization(n, 0), out = g.output_quantization(n);
  if (!in.ok()) return in.status();
  if (!out.ok()) return out.status();
  auto attrs = requantize_attrs(rule_of(g, n), *in, *out, *dtype);
  if (!attrs.ok()) return attrs.status();
  return g.emit(n, Op::requantize, std::move(*attrs), {*x});
}

Status lower_dequantize(Graph& g, const Node& n) {
  if (g.output_type(n) != fb::TensorType::FLOAT32) return error(Code::unsupported, "to " + type_name(g.output_type(n)));
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  if (x->constant != nullptr) {
    const auto real = g.floats(n, 0);
    if (!real.ok()) return real.status();
    return g.fold(n, Constant(**real));
  }
  const auto s = g.scales(n, 0);
  if (!s.ok()) return s.status();
  DequantizeAttrs attrs{{}, s->zero, s->axis};
  for (const float scale : s->scale) attrs.scale.push_back(__builtin_bit_cast(uint32_t, scale));
  attrs.zero.resize(attrs.scale.size());
  return g.emit(n, Op::dequantize, std::move(attrs), {*x});
}

// Of constants alone.
Status lower_cast(Graph& g, const Node& n) {
  const auto to = file_dtype(g.output_type(n));
  const auto x = g.constant(n, 0);
  if (!x.ok()) return x.status();
  const TensorType& type = (*x)->type;
  Constant c{{to.value_or(DType::i32), type.shape}, {}};
  if (to == DType::f32 && type.dtype == DType::f16) {
    const auto real = g.floats(n, 0);
    if (!real.ok()) return real.status();
    return g.fold(n, Constant(**real));
  }
  const bool from_real = type.dtype == DType::f32 || type.dtype == DType::f16;
  if (from_real || (to != DType::i32 && to != DType::i64 && to != DType::f32))
    return error(Code::unsupported, "from " + type_name(g.type(n, 0)) + " to " + type_name(g.output_type(n)));
  const auto values = g.integers(n, 0);
  if (!values.ok()) return values.status();
  for (const int64_t v : *values) {
    const auto narrow = static_cast<int32_t>(v);
    const auto real = static_cast<float>(v);
    const void* from = to == DType::i64   ? static_cast<const void*>(&v)
                       : to == DType::i32 ? static_cast<const void*>(&narrow)
                                          : &real;
    const auto* bytes = static_cast<const std::byte*>(from);
    c.bytes.insert(c.bytes.end(), bytes, bytes + size_of(*to));
  }
  return g.fold(n, std::move(c));
}

namespace {

Result<ReduceAttrs> reduce_of(Graph& g, const Node& n) {
  const auto* o = n.options<fb::ReducerOptions>();
  auto axes = g.integers(n, 1);
  if (!axes.ok()) return axes.status();
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  if (axes->empty()) return error(Code::unsupported, "a reduction over no axes");
  return ReduceAttrs{std::move(*axes), o != nullptr && o->keep_dims()};
}

Status lower_average(Graph& g, const Node& n, Op op) {
  const auto reduce = reduce_of(g, n);
  if (!reduce.ok()) return reduce.status();
  if (!g.is_quantized(n, 0)) return emit_from(g, n, op, *reduce);
  if (g.type(n, 0) != g.output_type(n)) return error(Code::unsupported, "from one type to another");
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  int64_t count = 1;
  for (const int64_t a : reduce->axes) {
    const auto axis = axis_of(a, shape->rank());
    if (!axis.ok()) return axis.status();
    const int64_t d = (*shape)[static_cast<size_t>(*axis)];
    if (d > std::numeric_limits<int32_t>::max() || count > std::numeric_limits<int32_t>::max())
      return error(Code::too_large, "a reduction of more than 2^31 elements");
    count *= d;
  }
  const auto in = g.quantization(n, 0), out = g.output_quantization(n);
  if (!in.ok()) return in.status();
  if (!out.ok()) return out.status();
  auto quant = quant_reduce_attrs(rule_of(g, n), *in, *out, count, op == Op::reduce_mean);
  if (!quant.ok()) return quant.status();
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  return g.emit(n, Op::q_mean, QMeanAttrs{reduce->axes, reduce->keepdims, std::move(*quant), {}}, {*x});
}

Status lower_extreme(Graph& g, const Node& n, Op op) {
  const auto reduce = reduce_of(g, n);
  if (!reduce.ok()) return reduce.status();
  return emit_from(g, n, op, *reduce);
}

}  // namespace

Status lower_mean(Graph& g, const Node& n) { return lower_average(g, n, Op::reduce_mean); }
Status lower_sum(Graph& g, const Node& n) { return lower_average(g, n, Op::reduce_sum); }
Status lower_reduce_max(Graph& g, const Node& n) { return lower_extreme(g, n, Op::reduce_max); }
Status lower_reduce_min(Graph& g, const Node& n) { return lower_extreme(g, n, Op::reduce_min); }

}  // namespace bitexact::tflite
