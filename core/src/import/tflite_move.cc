// Operators that move elements, and arithmetic on shapes, which is carried out while reading.
#include <algorithm>
#include <cstring>
#include <limits>

#include "import/tflite_ops.h"

namespace bitexact::tflite {
namespace {

std::vector<int64_t> dims_of(const Shape& shape) {
  std::vector<int64_t> dims;
  dims.reserve(shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i) dims.push_back(shape[i]);
  return dims;
}

Status emit_from(Graph& g, const Node& n, size_t i, Op op, Attrs attrs) {
  const auto x = g.operand(n, i);
  if (!x.ok()) return x.status();
  return g.emit(n, op, std::move(attrs), {*x});
}

// TFLite's dimensions are all meant literally, but one -1.
Status emit_reshape(Graph& g, const Node& n, std::vector<int64_t> dims) {
  if (std::count(dims.begin(), dims.end(), 0) > 0) return error(Code::unsupported, "a reshape to no elements");
  if (dims.size() > Shape::kMaxRank) return error(Code::unsupported, "more than six dimensions");
  return emit_from(g, n, 0, Op::reshape, ReshapeAttrs{std::move(dims)});
}

Result<Operand> reshaped(Graph& g, const Node& n, const Operand& x, std::vector<int64_t> dims) {
  return g.step(n, Op::reshape, ReshapeAttrs{std::move(dims)}, {x});
}

// One integer.
Result<int64_t> scalar(Graph& g, const Node& n, size_t i) {
  const auto v = g.integers(n, i);
  if (!v.ok()) return v.status();
  if (v->size() != 1) return error(Code::shape, "input " + std::to_string(i) + " must be one number");
  return (*v)[0];
}

// A constant vector of integers, one for each dimension of input 0.
Result<std::vector<int64_t>> each_dimension(Graph& g, const Node& n, size_t i, size_t rank) {
  auto v = g.integers(n, i);
  if (v.ok() && v->size() != rank)
    return error(Code::shape, "input " + std::to_string(i) + " has " + std::to_string(v->size()) + " numbers for " +
                                  std::to_string(rank) + " dimensions");
  return v;
}

}  // namespace

Status lower_reshape(Graph& g, const Node& n) {
  std::vector<int64_t> dims;
  const auto* o = n.options<fb::ReshapeOptions>();
  if (Graph::has(n, 1)) {
    auto given = g.integers(n, 1);
    if (!given.ok()) return given.status();
    dims = std::move(*given);
  } else if (o != nullptr && o->new_shape() != nullptr && o->new_shape()->size() <= Shape::kMaxRank) {
    dims.assign(o->new_shape()->begin(), o->new_shape()->end());
  } else {
    return missing_options(n);
  }
  return emit_reshape(g, n, std::move(dims));
}

Status lower_squeeze(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const auto* o = n.options<fb::SqueezeOptions>();
  const auto* axes = o == nullptr ? nullptr : o->squeeze_dims();
  std::vector<bool> out(shape->rank());
  for (uint32_t i = 0; axes != nullptr && i < std::min<uint32_t>(axes->size(), Shape::kMaxRank); ++i) {
    const auto axis = axis_of(axes->Get(i), shape->rank());
    if (!axis.ok()) return axis.status();
    if ((*shape)[static_cast<size_t>(*axis)] != 1) return error(Code::shape, "only dimensions of 1 can be squeezed");
    out[static_cast<size_t>(*axis)] = true;
  }
  const bool all = axes == nullptr || axes->size() == 0;
  std::vector<int64_t> dims;
  for (size_t i = 0; i < shape->rank(); ++i)
    if (all ? (*shape)[i] != 1 : !out[i]) dims.push_back((*shape)[i]);
  return emit_reshape(g, n, std::move(dims));
}

Status lower_expand_dims(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const auto given = scalar(g, n, 1);
  if (!given.ok()) return given.status();
  const auto axis = axis_of(*given, shape->rank() + 1);
  if (!axis.ok()) return axis.status();
  auto dims = dims_of(*shape);
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), 1);
  return emit_reshape(g, n, std::move(dims));
}

Status lower_shape(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const bool wide = g.output_type(n) == fb::TensorType::INT64;
  if (!wide && g.output_type(n) != fb::TensorType::INT32)
    return error(Code::unsupported, "a shape of type " + type_name(g.output_type(n)));
  Constant c{{wide ? DType::i64 : DType::i32, {static_cast<int64_t>(shape->rank())}}, {}};
  const size_t size = size_of(c.type.dtype);
  c.bytes.resize(shape->rank() * size);
  for (size_t i = 0; i < shape->rank(); ++i) {
    const int64_t d = (*shape)[i];
    const auto narrow = static_cast<int32_t>(std::min<int64_t>(d, std::numeric_limits<int32_t>::max()));
    std::memcpy(&c.bytes[i * size], wide ? static_cast<const void*>(&d) : &narrow, size);
  }
  return g.fold(n, std::move(c));
}

namespace {

// Input i with the output's scale.
Result<Operand> in_output_scale(Graph& g, const Node& n, size_t i) {
  auto x = g.operand(n, i);
  if (!x.ok() || !g.is_quantized(n, i)) return x;
  const auto in = g.quantization(n, i), out = g.output_quantization(n);
  if (!in.ok()) return in.status();
  if (!out.ok()) return out.status();
  if (same(*in, *out)) return x;
  auto attrs = requantize_attrs(rule_of(g, n, i), *in, *out, g.type_of(*x).dtype);
  if (!attrs.ok()) return attrs.status();
  return g.step(n, Op::requantize, std::move(*attrs), {*x});
}

}  // namespace

Status lower_concatenation(Graph& g, const Node& n) {
  const auto* o = n.options<fb::ConcatenationOptions>();
  if (o == nullptr) return missing_options(n);
  const auto act = activation(g, n, o->fused());
  if (!act.ok()) return act.status();
  std::vector<Operand> inputs;
  for (size_t i = 0; i < n.inputs(); ++i) {
    const auto x = in_output_scale(g, n, i);
    if (!x.ok()) return x.status();
    inputs.push_back(*x);
  }
  if (o->fused() == fb::Fused::NONE) return g.emit(n, Op::concat, ConcatAttrs{o->axis()}, std::move(inputs));
  const auto joined = g.step(n, Op::concat, ConcatAttrs{o->axis()}, std::move(inputs));
  if (!joined.ok()) return joined.status();
  return g.emit(n, Op::clamp, ClampAttrs{*act}, {*joined});
}

Status lower_pack(Graph& g, const Node& n) {
  const auto* o = n.options<fb::PackOptions>();
  if (o == nullptr) return missing_options(n);
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const auto axis = axis_of(o->axis(), shape->rank() + 1);
  if (!axis.ok()) return axis.status();
  if (shape->rank() == Shape::kMaxRank) return error(Code::unsupported, "more than six dimensions");
  auto dims = dims_of(*shape);
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), 1);
  std::vector<Operand> inputs;
  for (size_t i = 0; i < n.inputs(); ++i) {
    const auto other = g.shape(n, i);
    if (!other.ok()) return other.status();
    if (*other != *shape) return error(Code::shape, "tensors to pack have " + shape->text() + " and " + other->text());
    const auto x = in_output_scale(g, n, i);
    if (!x.ok()) return x.status();
    const auto wide = reshaped(g, n, *x, dims);
    if (!wide.ok()) return wide.status();
    inputs.push_back(*wide);
  }
  return g.emit(n, Op::concat, ConcatAttrs{*axis}, std::move(inputs));
}

Status lower_split(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 1);
  if (!shape.ok()) return shape.status();
  const auto given = scalar(g, n, 0);
  if (!given.ok()) return given.status();
  const auto axis = axis_of(*given, shape->rank());
  if (!axis.ok()) return axis.status();
  const int64_t all = (*shape)[static_cast<size_t>(*axis)], parts = static_cast<int64_t>(n.outputs());
  if (all % parts != 0)
    return error(Code::shape, std::to_string(all) + " elements cannot be split into " + std::to_string(parts));
  const auto x = g.operand(n, 1);
  if (!x.ok()) return x.status();
  for (int64_t i = 0; i < parts; ++i)
    BITEXACT_TRY(g.emit(n, Op::slice, SliceAttrs{{i * (all / parts)}, {(i + 1) * (all / parts)}, {*axis}, {}}, {*x},
                        static_cast<size_t>(i)));
  return {};
}

Status lower_slice(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const auto begin = each_dimension(g, n, 1, shape->rank()), size = each_dimension(g, n, 2, shape->rank());
  if (!begin.ok()) return begin.status();
  if (!size.ok()) return size.status();
  SliceAttrs attrs;
  for (size_t i = 0; i < shape->rank(); ++i) {
    const int64_t b = (*begin)[i], s = (*size)[i], d = (*shape)[i];
    if (b < 0 || b > d || s < -1 || s > d - b)
      return error(Code::shape, "a slice of " + std::to_string(s) + " from " + std::to_string(b) +
                                    " on, of dimension " + std::to_string(i) + " of " + shape->text());
    attrs.starts.push_back(b);
    attrs.ends.push_back(s == -1 ? d : b + s);
    attrs.axes.push_back(static_cast<int64_t>(i));
  }
  return emit_from(g, n, 0, Op::slice, std::move(attrs));
}

Status lower_strided_slice(Graph& g, const Node& n) {
  const auto* o = n.options<fb::StridedSliceOptions>();
  if (o == nullptr) return missing_options(n);
  if (o->ellipsis_mask() != 0 || o->new_axis_mask() != 0)
    return error(Code::unsupported, "masks for an ellipsis or a new axis");
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const auto begin = g.integers(n, 1);
  if (!begin.ok()) return begin.status();
  const size_t axes = begin->size();
  if (axes > shape->rank()) return error(Code::shape, "more starts than dimensions");
  const auto end = each_dimension(g, n, 2, axes), step = each_dimension(g, n, 3, axes);
  if (!end.ok()) return end.status();
  if (!step.ok()) return step.status();
  SliceAttrs attrs;
  std::vector<int64_t> left;
  for (size_t i = 0; i < axes; ++i) {
    const auto bit = [i](int32_t mask) { return (mask >> i & 1) != 0; };
    const int64_t d = (*shape)[i], b = (*begin)[i], s = (*step)[i];
    constexpr int64_t kFar = std::numeric_limits<int32_t>::max();
    attrs.axes.push_back(static_cast<int64_t>(i));
    if (bit(o->shrink_axis_mask())) {
      const int64_t at = b < 0 ? b + d : b;
      if (at < 0 || at >= d) return error(Code::shape, "index " + std::to_string(b) + " of " + shape->text());
      attrs.starts.push_back(at);
      attrs.ends.push_back(at + 1);
      attrs.steps.push_back(1);
      continue;
    }
    left.push_back(static_cast<int64_t>(i));
    const int64_t e = std::clamp((*end)[i], -kFar, kFar) + (o->offset() ? std::clamp(b, -kFar, kFar) : 0);
    attrs.starts.push_back(bit(o->begin_mask()) ? (s > 0 ? 0 : kFar) : b);
    attrs.ends.push_back(bit(o->end_mask()) ? (s > 0 ? kFar : -kFar) : e);
    attrs.steps.push_back(s);
  }
  for (size_t i = axes; i < shape->rank(); ++i) left.push_back(static_cast<int64_t>(i));
  if (left.size() == shape->rank()) return emit_from(g, n, 0, Op::slice, std::move(attrs));
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  const auto part = g.step(n, Op::slice, std::move(attrs), {*x});
  if (!part.ok()) return part.status();
  std::vector<int64_t> dims;
  dims.reserve(left.size());
  for (const int64_t axis : left) dims.push_back(g.type_of(*part).shape[static_cast<size_t>(axis)]);
  if (std::count(dims.begin(), dims.end(), 0) > 0) return error(Code::unsupported, "a slice of no elements");
  return g.emit(n, Op::reshape, ReshapeAttrs{std::move(dims)}, {*part});
}

Status lower_transpose(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  auto perm = each_dimension(g, n, 1, shape->rank());
  if (!perm.ok()) return perm.status();
  return emit_from(g, n, 0, Op::transpose, TransposeAttrs{std::move(*perm)});
}

namespace {

// [rank, 2] numbers, before and after each dimension.
Result<PadAttrs> pads_of(Graph& g, const Node& n) {
  const auto shape = g.shape(n, 0);
  if (!shape.ok()) return shape.status();
  const auto both = each_dimension(g, n, 1, 2 * shape->rank());
  if (!both.ok()) return both.status();
  PadAttrs attrs;
  for (size_t side = 0; side < 2; ++side)
    for (size_t i = 0; i < shape->rank(); ++i) attrs.pads.push_back((*both)[2 * i + side]);
  return attrs;
}

Result<int64_t> pad_value(Graph& g, const Node& n) {
  if (!Graph::has(n, 2)) {
    const auto quant = g.quantization(n, 0);
    if (!quant.ok()) return quant.status();
    return g.is_quantized(n, 0) ? quant->zero : 0;
  }
  if (!g.is_float(n, 0)) return scalar(g, n, 2);
  const auto real = g.floats(n, 2);
  if (!real.ok()) return real.status();
  const auto q16 = constant_q16(g.builder(), "pad value", (*real)->type.shape, floats_of(**real));
  if (!q16.ok()) return q16.status();
  if (floats_of(**real).size() != 1) return error(Code::shape, "input 2 must be one number");
  int32_t value = 0;
  std::memcpy(&value, g.builder().value(*q16).constant, sizeof value);
  return value;
}

}  // namespace

Status lower_pad(Graph& g, const Node& n) {
  auto attrs = pads_of(g, n);
  if (!attrs.ok()) return attrs.status();
  BITEXACT_TRY(need_same_scale(g, n));
  const auto value = pad_value(g, n);
  if (!value.ok()) return value.status();
  attrs->value = *value;
  return emit_from(g, n, 0, Op::pad, std::move(*attrs));
}

Status lower_mirror_pad(Graph& g, const Node& n) {
  const auto* o = n.options<fb::MirrorPadOptions>();
  if (o == nullptr || o->mode() != fb::MirrorPadMode::REFLECT)
    return error(Code::unsupported, "only the mode REFLECT is supported");
  auto attrs = pads_of(g, n);
  if (!attrs.ok()) return attrs.status();
  BITEXACT_TRY(need_same_scale(g, n));
  attrs->mode = PadAttrs::Mode::reflect;
  return emit_from(g, n, 0, Op::pad, std::move(*attrs));
}

namespace {

template <class Options>
Result<ResizeAttrs> resize_of(Graph& g, const Node& n) {
  const auto* o = n.options<Options>();
  if (o == nullptr) return missing_options(n);
  if (o->align_corners() && o->half_pixel_centers())
    return error(Code::argument, "align_corners and half_pixel_centers exclude each other");
  const auto size = each_dimension(g, n, 1, 2);
  if (!size.ok()) return size.status();
  ResizeAttrs attrs;
  attrs.size = {(*size)[0], (*size)[1]};
  attrs.coordinates = o->align_corners()        ? ResizeAttrs::Coordinates::align_corners
                      : o->half_pixel_centers() ? ResizeAttrs::Coordinates::half_pixel
                                                : ResizeAttrs::Coordinates::asymmetric;
  // TFLite adds a half and takes the floor, or takes the floor alone.
  attrs.rounding = attrs.coordinates == ResizeAttrs::Coordinates::asymmetric ? ResizeAttrs::Rounding::floor
                                                                             : ResizeAttrs::Rounding::round_prefer_ceil;
  return attrs;
}

Status lower_arg(Graph& g, const Node& n, Op op) {
  const auto axis = scalar(g, n, 1);
  if (!axis.ok()) return axis.status();
  const bool wide = g.output_type(n) == fb::TensorType::INT64;
  if (!wide && g.output_type(n) != fb::TensorType::INT32)
    return error(Code::unsupported, "an index of type " + type_name(g.output_type(n)));
  return emit_from(g, n, 0, op, ArgmaxAttrs{*axis, false, false, wide ? DType::i64 : DType::i32});
}

}  // namespace

Status lower_resize_nearest(Graph& g, const Node& n) {
  const auto attrs = resize_of<fb::ResizeNearestNeighborOptions>(g, n);
  if (!attrs.ok()) return attrs.status();
  BITEXACT_TRY(need_same_scale(g, n));
  return emit_from(g, n, 0, Op::resize, *attrs);
}

Status lower_resize_bilinear(Graph& g, const Node& n) {
  auto attrs = resize_of<fb::ResizeBilinearOptions>(g, n);
  if (!attrs.ok()) return attrs.status();
  attrs->mode = ResizeAttrs::Mode::bilinear;
  if (g.is_quantized(n, 0)) return through_q16(g, n, 0, Op::resize, *attrs);
  return emit_from(g, n, 0, Op::resize, *attrs);
}

Status lower_depth_to_space(Graph& g, const Node& n) {
  const auto* o = n.options<fb::DepthToSpaceOptions>();
  if (o == nullptr) return missing_options(n);
  BITEXACT_TRY(need_same_scale(g, n));
  return emit_from(g, n, 0, Op::depth_to_space,
                   DepthToSpaceAttrs{Layout::nhwc, o->block_size(), DepthToSpaceAttrs::Mode::dcr});
}

Status lower_space_to_depth(Graph& g, const Node& n) {
  const auto* o = n.options<fb::SpaceToDepthOptions>();
  if (o == nullptr) return missing_options(n);
  BITEXACT_TRY(need_same_scale(g, n));
  return emit_from(g, n, 0, Op::space_to_depth, SpaceToDepthAttrs{Layout::nhwc, o->block_size()});
}

Status lower_arg_max(Graph& g, const Node& n) { return lower_arg(g, n, Op::argmax); }
Status lower_arg_min(Graph& g, const Node& n) { return lower_arg(g, n, Op::argmin); }

}  // namespace bitexact::tflite
