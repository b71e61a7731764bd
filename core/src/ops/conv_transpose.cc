#include <algorithm>

#include "ops/conv.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

/// One spatial axis: the output's size, and how much of the full output is cut off before it.
struct Cut {
  int64_t out, before;
};

Status check_axis(const ConvTranspose2dAttrs& a, size_t axis, int64_t n, int64_t k) {
  const int64_t s = a.stride[axis], d = a.dilation[axis], extra = a.output_padding[axis];
  const int64_t before = axis == 0 ? a.pad.top : a.pad.left, after = axis == 0 ? a.pad.bottom : a.pad.right;
  if (s < 1 || d < 1) return error(Code::argument, "stride and dilation must be at least 1");
  if (extra < 0 || extra >= std::max(s, d))
    return error(Code::argument, "output_padding " + std::to_string(extra) + " must be below stride or dilation");
  if (a.pad.kind == Pad::full) return error(Code::argument, "FULL padding of a transposed convolution");
  if (a.pad.kind == Pad::explicit_ && (before < 0 || after < 0))
    return error(Code::argument, "padding must be at least 0");
  if (std::max({s, d, extra, n, k, before, after, a.output_size[axis]}) > kMaxPosition)
    return error(Code::too_large, "sizes and attributes must stay below 2^31");
  return {};
}

// OPERATORS.md. n and k may be unknown.
Result<Cut> cut(const ConvTranspose2dAttrs& a, size_t axis, int64_t n, int64_t k) {
  BITEXACT_TRY(check_axis(a, axis, n, k));
  const int64_t size = a.output_size[axis], s = a.stride[axis];
  const bool declared = a.pad.kind == Pad::explicit_;
  const bool sized = size > 0 || a.pad.kind == Pad::same_upper || a.pad.kind == Pad::same_lower;
  if (n == 0 || k == 0) return error(Code::shape, "input and kernel must be at least 1 high and wide");
  if (n == -1 || (k == -1 && !sized)) return Cut{size > 0 ? size : -1, 0};
  const int64_t wanted = size > 0 ? size : n * s;
  if (k == -1) return Cut{wanted, 0};
  const int64_t full = (n - 1) * s + (k - 1) * a.dilation[axis] + 1 + a.output_padding[axis];
  const int64_t before = axis == 0 ? a.pad.top : a.pad.left, after = axis == 0 ? a.pad.bottom : a.pad.right;
  const int64_t total = sized ? std::max<int64_t>(0, full - wanted) : 0;
  Cut c{sized ? wanted : full, a.pad.kind == Pad::same_lower ? total - total / 2 : total / 2};
  if (declared) c = {size > 0 ? size : full - before - after, before};
  if (c.out < 1)
    return error(Code::shape, "padding cuts off all " + std::to_string(full) + " of the full output along the " +
                                  (axis == 0 ? "height" : "width"));
  if (full > kMaxPosition || c.out + c.before > kMaxPosition)
    return error(Code::too_large, "output positions must stay below 2^31");
  return c;
}

/// Channels and kernel of the weights, whatever the layout.
struct WeightDims {
  int64_t inputs, outputs, h, w;
};
Result<WeightDims> weight_dims(const Shape& shape, const ConvTranspose2dAttrs& a) {
  const auto d = dims_of(shape, a.layout);
  if (!d.ok()) return d.status();
  if (a.groups < 1) return error(Code::argument, "groups must be at least 1, got " + std::to_string(a.groups));
  if (a.groups > kMaxPosition || d->c > kMaxPosition)
    return error(Code::too_large, "groups and channels must stay below 2^31");
  const int64_t grouped = d->c == -1 ? -1 : d->c * a.groups;
  if (a.layout == Layout::nhwc) return WeightDims{grouped, d->n, d->h, d->w};
  return WeightDims{d->n, grouped, d->h, d->w};
}

}  // namespace

Result<Shape> infer_transposed_shape(const Operands& o, const ConvTranspose2dAttrs& a) {
  const auto in = dims_of(o.in[0].shape, a.layout);
  if (!in.ok()) return in.status();
  const auto weights = weight_dims(o.in[1].shape, a);
  if (!weights.ok()) return weights.status();
  if (in->c != weights->inputs && in->c != -1 && weights->inputs != -1)
    return error(Code::shape,
                 "input has " + std::to_string(in->c) + " channels, weights take " + std::to_string(weights->inputs));
  BITEXACT_TRY(check_channels(*in, weights->outputs, weights->inputs / a.groups, weights->outputs, a.groups));
  BITEXACT_TRY(check_bias(o, weights->outputs));
  const auto [height, width] = a.output_size;
  if (std::min(height, width) < 0 || (height == 0) != (width == 0))
    return error(Code::argument, "output_size must be above 0, or [0, 0]");
  const auto y = cut(a, 0, in->h, weights->h), x = cut(a, 1, in->w, weights->w);
  if (!y.ok()) return y.status();
  if (!x.ok()) return x.status();
  return shape_of({in->n, weights->outputs, y->out, x->out}, a.layout);
}

ConvParams transposed_params(const Operands& o, const ConvTranspose2dAttrs& a) {
  const Dims in = *dims_of(o.in[0].shape, a.layout);
  const WeightDims w = *weight_dims(o.in[1].shape, a);
  const Cut y = *cut(a, 0, in.h, w.h), x = *cut(a, 1, in.w, w.w);
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  return {{i32(in.h), i32(in.w), i32(y.out), i32(x.out), i32(w.h), i32(w.w), i32(a.stride[0]), i32(a.stride[1]),
           i32(a.dilation[0]), i32(a.dilation[1]), i32(y.before), i32(x.before)},
          a.layout,
          i32(in.n),
          i32(in.c),
          i32(w.outputs),
          i32(a.groups),
          a.act,
          o.has(2)};
}

int64_t transposed_weight(const ConvParams& p, int64_t o, int64_t i) {
  const int64_t per_out = p.out_c / p.groups, kernel = int64_t{p.window.kernel_h} * p.window.kernel_w;
  const int64_t per_filter = kernel * (p.in_c / p.groups);
  if (p.layout == Layout::nhwc) return o * per_filter + i;
  return o / per_out * per_out * per_filter + (i / kernel * per_out + o % per_out) * kernel + i % kernel;
}

Result<TensorType> infer_conv_transpose2d(const Operands& o) {
  const auto& a = o.as<ConvTranspose2dAttrs>();
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  BITEXACT_TRY(check_activation(a.act));
  const auto shape = infer_transposed_shape(o, a);
  if (!shape.ok()) return shape.status();
  return TensorType{DType::q16, *shape};
}

Status prepare_conv_transpose2d(Prepare& p) {
  const ConvParams& c = p.args.conv = transposed_params(p.operands, p.operands.as<ConvTranspose2dAttrs>());
  p.accumulator = bound_q16(filters_of(c, p.args), [&](int64_t o, int64_t i) { return transposed_weight(c, o, i); });
  return {};
}

}  // namespace bitexact
