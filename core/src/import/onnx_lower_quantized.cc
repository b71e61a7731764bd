// QuantizeLinear, DequantizeLinear and the operators that carry their scales as inputs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "import/onnx_quantized.h"
#include "import/onnx_window.h"

namespace bitexact::onnx {
namespace {

std::pair<int64_t, int64_t> range(Type t) {
  switch (t) {
    case Type::i8:
      return {-128, 127};
    case Type::u8:
      return {0, 255};
    case Type::i16:
      return {-32768, 32767};
    default:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  }
}

Scales need_scales(Step& s, size_t scale, size_t zero) {
  Scales out{s.need_floats(scale, "a scale"), {}, s.i("axis", 1)};
  if (s.i("block_size", 0) != 0) s.fail(Code::unsupported, "scales for blocks");
  const Constant points = s.has(zero) ? s.need(zero, "a zero point") : nullptr;
  if (points != nullptr && (size_of(points->type) > 4 || points->type == Type::u32))
    s.fail(Code::malformed, std::string("a zero point of ") + type_name(points->type));
  if (s.has(zero))
    for (const int64_t z : s.need_ints(zero, "a zero point")) out.zero.push_back(static_cast<int32_t>(z));
  else
    out.zero.assign(out.scale.size(), 0);
  if (s.ok() && (out.scale.empty() || out.zero.size() != out.scale.size()))
    s.fail(Code::shape,
           std::to_string(out.scale.size()) + " scales and " + std::to_string(out.zero.size()) + " zero points");
  if (!s.ok()) out = {{1}, {0}, 0};
  return out;
}

Quantization one_scale(Step& s, const Scales& all) {
  if (!all.single()) s.fail(Code::unsupported, "a scale for each channel of what is computed");
  return all.one();
}
Quantization need_scale(Step& s, size_t scale, size_t zero) { return one_scale(s, need_scales(s, scale, zero)); }

QuantizedWeights need_weights(Step& s, size_t scale, size_t zero) {
  const Scales all = need_scales(s, scale, zero);
  if (std::adjacent_find(all.zero.begin(), all.zero.end(), std::not_equal_to<>()) != all.zero.end())
    s.fail(Code::unsupported, "a zero point for each channel");
  return {0, all.scale, all.zero[0]};
}

// Ties to even, as ONNX has it.
int64_t nearest(double v) {
  const double down = std::floor(v), rest = v - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0);
  return static_cast<int64_t>(std::clamp(down + (up ? 1 : 0), -0x1p40, 0x1p40));
}

Constant quantized_constant(Step& s, const TensorData& in, Type type, const Scales& q) {
  const size_t axis = q.single() ? 0 : axis_in(s, q.axis, in.dims.size());
  if (s.ok() && !q.single() && in.dims[axis] != static_cast<int64_t>(q.scale.size()))
    s.fail(Code::shape, std::to_string(q.scale.size()) + " scales for an axis of " + std::to_string(in.dims[axis]));
  const std::vector<float> values =
      s.ok() && s.charge(static_cast<uint64_t>(product(in.dims))) ? floats(in) : std::vector<float>{};
  const auto each = static_cast<size_t>(product(in.dims, axis + 1, in.dims.size()));
  const auto [low, high] = range(type);
  std::vector<int64_t> out;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) s.fail(Code::argument, "NaN");
    const size_t c = q.single() ? 0 : i / each % q.scale.size();
    const float steps = values[i] / q.scale[c];
    out.push_back(std::clamp(nearest(static_cast<double>(steps)) + q.zero[c], low, high));
  }
  return s.ok() ? make_constant(type, in.dims, out) : nullptr;
}

Type quantized_type(Step& s) {
  const Constant zero = s.has(2) ? s.need(2, "a zero point") : nullptr;
  return zero != nullptr ? zero->type : static_cast<Type>(s.i("output_dtype", static_cast<int64_t>(Type::u8)));
}

TensorId requantized(Step& s, TensorId in, const Quantization& from, const Quantization& to, DType dtype) {
  auto attrs = requantize_attrs(s.l.options.requant, from, to, dtype);
  if (!attrs.ok()) {
    s.fail(attrs.status().code, attrs.status().why);
    return 0;
  }
  return s.emit(Op::requantize, std::move(*attrs), {in}, to);
}

void refuse_reals(Step& s, size_t input) {
  const Value* v = s.ok() ? s.value(input) : nullptr;
  if (v != nullptr && v->scales) s.fail(Code::malformed, "input '" + s.node.inputs[input] + "' is of reals");
}

// The type of y is its zero point's.
void check_output_type(Step& s, TensorId x, size_t zero) {
  const Constant point = s.has(zero) ? s.known(zero) : nullptr;
  const auto dtype = point == nullptr ? DType::u8 : dtype_of(point->type);
  if (s.ok() && dtype != s.dtype(x))
    s.fail(Code::unsupported, std::string("from ") + dtype_name(s.dtype(x)) + " to another type");
}

}  // namespace

Status lower_dequantize(Step& s) {
  const Scales scales = need_scales(s, 1, 2);
  const Value* v = s.value(0);
  if (!s.ok()) return s.status;
  Value out{.constant = v->constant, .tensor = v->tensor, .scales = scales};
  const Type known = v->constant != nullptr ? v->constant->type
                     : v->input != nullptr  ? v->input->type
                                            : Type::undefined;
  const auto dtype = v->constant == nullptr && v->tensor ? s.dtype(*v->tensor) : dtype_of(known);
  if (dtype != DType::i8 && dtype != DType::u8 && dtype != DType::i16 && dtype != DType::i32)
    return s.refuse(Code::unsupported, std::string("of ") + (dtype ? dtype_name(*dtype) : type_name(known)));
  if (v->scales) return s.refuse(Code::malformed, "an input that is real already");
  s.l.values[s.node.outputs[0]] = std::move(out);
  return {};
}

Status lower_quantize(Step& s) {
  const Scales scales = need_scales(s, 1, 2);
  const Type type = quantized_type(s);
  const auto dtype = dtype_of(type);
  if (s.ok() && dtype != DType::i8 && dtype != DType::u8 && dtype != DType::i16)
    s.fail(Code::unsupported, std::string("to ") + type_name(type));
  if (!s.ok()) return s.status;
  const bool positive = std::all_of(scales.scale.begin(), scales.scale.end(), [](float v) { return v > 0; });
  if (const Constant c = s.known(0); c != nullptr && is_float(c->type) && positive)
    return s.finish(quantized_constant(s, *c, type, scales));
  const Quantization q = one_scale(s, scales);
  if (!s.ok()) return s.status;
  if (const auto from = single_scale(s, 0)) {
    const TensorId in = s.integer(0);
    const DType was = s.dtype(in);
    if (same(*from, q) && was == *dtype) return s.finish(in);
    if (was != DType::i32) return s.finish(requantized(s, in, *from, q, *dtype));
  }
  const TensorId in = s.tensor(0);
  return s.finish(
      s.emit(Op::quantize, QuantizeAttrs{__builtin_bit_cast(uint32_t, q.scale), q.zero, *dtype, false}, {in}, q));
}

TensorId raw_integer(Step& s, size_t input) {
  refuse_reals(s, input);
  return s.integer(input);
}

TensorId quantized_conv(Step& s, TensorId x, const Quantization& quant, const QuantizedWeights& w,
                        std::optional<TensorId> bias, const Quantization& out, const Activation& act) {
  const std::vector<int64_t> dims = s.ok() ? dims_of(s.shape(w.id)) : std::vector<int64_t>{};
  if (s.ok() && dims.size() < 3) s.fail(Code::shape, "weights of less than three dimensions");
  if (!s.ok()) return 0;
  Window window = read_window(s, {dims.begin() + 2, dims.end()});
  const TensorId weights = as_image(s, w.id);
  const TensorId in = pad_before(s, as_image(s, x), window, quant.zero);
  auto q = quant_attrs(s.l.options.requant, quant, w.scale, w.zero, out);
  if (!q.ok()) s.fail(q.status().code, q.status().why);
  if (!s.ok()) return 0;
  const QConv2dAttrs attrs{Layout::nchw, window_attrs(window), s.i("group", 1), std::move(*q), act};
  std::vector<TensorId> inputs{in, weights};
  if (bias) inputs.push_back(*bias);
  return from_image(s, s.emit(Op::q_conv2d, attrs, inputs, out), window.row);
}

TensorId weights_by_output(Step& s, size_t input) {
  const Value* v = s.ok() ? s.value(input) : nullptr;
  const Constant c = v != nullptr ? v->constant : nullptr;
  if (c == nullptr || c->dims.size() != 2 || size_of(c->type) != 1) return s.transpose(s.integer(input), {1, 0});
  const auto rows = static_cast<size_t>(c->dims[0]), columns = static_cast<size_t>(c->dims[1]);
  if (!s.charge(c->bytes.size(), 1)) return 0;
  std::vector<std::byte> turned(c->bytes.size());
  for (size_t i = 0; i < turned.size(); ++i) turned[i % columns * rows + i / columns] = c->bytes[i];
  const auto id = s.b.constant(s.node.inputs[input], {*dtype_of(c->type), {c->dims[1], c->dims[0]}}, turned);
  if (!id.ok()) s.fail(id.status().code, id.status().why);
  return id.ok() ? *id : 0;
}

TensorId quantized_dense(Step& s, TensorId in, const Quantization& quant, const QuantizedWeights& w,
                         std::optional<TensorId> bias, const Quantization& out, const Activation& act) {
  auto q = quant_attrs(s.l.options.requant, quant, w.scale, w.zero, out);
  if (!q.ok()) s.fail(q.status().code, q.status().why);
  if (!s.ok() || s.shape(in).rank() == 0) return 0;
  std::vector<int64_t> dims = dims_of(s.shape(in));
  std::vector<TensorId> inputs{s.reshape(in, {product(dims, 0, dims.size() - 1), dims.back()}), w.id};
  if (bias) inputs.push_back(*bias);
  const TensorId rows = s.emit(Op::q_fully_connected, QFullyConnectedAttrs{std::move(*q), act}, inputs, out);
  if (!s.ok()) return 0;
  dims.back() = s.shape(rows)[1];
  return s.reshape(rows, dims);
}

Status lower_qlinear_conv(Step& s) {
  const Quantization in = need_scale(s, 1, 2), out = need_scale(s, 6, 7);
  QuantizedWeights w = need_weights(s, 4, 5);
  const TensorId x = raw_integer(s, 0);
  check_output_type(s, x, 7);
  w.id = raw_integer(s, 3);
  std::optional<TensorId> bias;
  if (s.has(8)) bias = raw_integer(s, 8);
  return s.finish(quantized_conv(s, x, in, w, bias, out, {}));
}

// Each of the leading indices is a dense layer of its own.
Status lower_qlinear_matmul(Step& s) {
  constexpr int64_t kMostPieces = 64;
  const Quantization in = need_scale(s, 1, 2), out = need_scale(s, 6, 7);
  QuantizedWeights w = need_weights(s, 4, 5);
  const TensorId a = raw_integer(s, 0);
  check_output_type(s, a, 7);
  refuse_reals(s, 3);
  const std::vector<int64_t> right = s.dims(3);
  if (!s.ok()) return s.status;
  const std::vector<int64_t> left = dims_of(s.shape(a));
  if (right.size() == 2) {
    w.id = weights_by_output(s, 3);
    return s.finish(quantized_dense(s, a, in, w, {}, out, {}));
  }
  const size_t rank = right.size();
  if (rank < 2 || left.size() != rank || !std::equal(left.begin(), left.end() - 2, right.begin()) ||
      product(left, 0, rank - 2) > kMostPieces || product(left, 0, rank - 2) < 1)
    return s.refuse(Code::unsupported, "leading dimensions that differ, or of more than 64 matrices");
  const int64_t count = product(left, 0, rank - 2), m = left[rank - 2], k = left[rank - 1], n = right[rank - 1];
  const TensorId all = s.reshape(a, {count, m, k});
  const TensorId others = s.reshape(s.integer(3), {count, right[rank - 2], n});
  std::vector<TensorId> pieces;
  for (int64_t i = 0; i < count; ++i) {
    const SliceAttrs one{{i}, {i + 1}, {0}, {1}};
    const TensorId rows = s.reshape(s.emit(Op::slice, one, {all}), {m, k});
    w.id = s.transpose(s.reshape(s.emit(Op::slice, one, {others}), {right[rank - 2], n}), {1, 0});
    pieces.push_back(quantized_dense(s, rows, in, w, {}, out, {}));
  }
  std::vector<int64_t> dims = left;
  dims.back() = n;
  return s.finish(s.reshape(s.emit(Op::concat, ConcatAttrs{0}, pieces, out), dims));
}

}  // namespace bitexact::onnx
