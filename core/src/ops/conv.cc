#include "ops/conv.h"

#include <algorithm>
#include <limits>

#include "ops/prepare.h"

namespace bitexact {

Status check_channels(const Dims& in, int64_t out_c, int64_t weights_in_c, int64_t weights_out_c, int64_t groups) {
  if (groups < 1) return error(Code::argument, "groups must be at least 1, got " + std::to_string(groups));
  const auto bad = [&](const char* why) {
    return error(Code::shape, std::string(why) + ": input channels " + std::to_string(in.c) + ", output channels " +
                                  std::to_string(out_c) + ", weights " + std::to_string(weights_out_c) + " x " +
                                  std::to_string(weights_in_c) + ", groups " + std::to_string(groups));
  };
  if (in.c == 0 || out_c == 0) return bad("channels must be at least 1");
  if ((in.c > 0 && in.c % groups != 0) || (out_c > 0 && out_c % groups != 0))
    return bad("groups must divide both channel counts");
  if (in.c > 0 && weights_in_c > 0 && weights_in_c != in.c / groups)
    return bad("weights must have input channels / groups channels");
  if (std::max({in.c, out_c, in.n}) > std::numeric_limits<int32_t>::max())
    return error(Code::too_large, "batch and channels must stay below 2^31");
  return {};
}

Status check_bias(const Operands& o, int64_t channels) {
  if (!o.has(2)) return {};
  const Shape& bias = o.in[2].shape;
  if (bias.rank() == 1 && (bias[0] == channels || bias[0] == -1 || channels == -1)) return {};
  return error(Code::shape, "bias must be [" + std::to_string(channels) + "], got " + bias.text());
}

Result<Shape> infer_conv_shape(const Operands& o, Layout layout, const WindowAttrs& window, int64_t groups) {
  const auto in = dims_of(o.in[0].shape, layout), weights = dims_of(o.in[1].shape, layout);
  if (!in.ok()) return in.status();
  if (!weights.ok()) return weights.status();
  BITEXACT_TRY(check_channels(*in, weights->n, weights->c, weights->n, groups));
  BITEXACT_TRY(check_bias(o, weights->n));
  if (weights->h == -1 || weights->w == -1) return shape_of({in->n, weights->n, -1, -1}, layout);
  const auto axes = place_window(*in, {weights->h, weights->w}, window, false);
  if (!axes.ok()) return axes.status();
  return shape_of({in->n, weights->n, (*axes)[0].out, (*axes)[1].out}, layout);
}

Result<ConvParams> conv_params(const Operands& o, Layout layout, const WindowAttrs& attrs, int64_t groups,
                               const Activation& act) {
  const Dims in = *dims_of(o.in[0].shape, layout), weights = *dims_of(o.in[1].shape, layout);
  const std::array<int64_t, 2> kernel{weights.h, weights.w};
  const auto axes = place_window(in, kernel, attrs, false);
  if (!axes.ok()) return axes.status();
  const auto window = window_params(in, kernel, attrs, *axes);
  if (!window.ok()) return window.status();
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  return ConvParams{*window, layout, i32(in.n), i32(in.c), i32(weights.n), i32(groups), act, o.has(2)};
}

Result<Shape> infer_dense_shape(const Operands& o) {
  const Shape &in = o.in[0].shape, &weights = o.in[1].shape;
  if (in.rank() != 2 || weights.rank() != 2)
    return error(Code::shape, "expected [N, K] and [M, K], got " + in.text() + " and " + weights.text());
  BITEXACT_TRY(check_channels({in[0], in[1], 1, 1}, weights[0], weights[1], weights[0], 1));
  BITEXACT_TRY(check_bias(o, weights[0]));
  return Shape{in[0], weights[0]};
}

ConvParams dense_params(const Operands& o, const Activation& act) {
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  const WindowParams pixel{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
  const Shape& in = o.in[0].shape;
  return {pixel, Layout::nhwc, i32(in[0]), i32(in[1]), i32(o.in[1].shape[0]), 1, act, o.has(2)};
}

Filters filters_of(const ConvParams& p, const Args& args) {
  return {p.out_c, int64_t{p.window.kernel_h} * p.window.kernel_w * (p.in_c / p.groups),
          static_cast<const int32_t*>(args.in[1]), p.has_bias,
          static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr)};
}

Result<TensorType> infer_conv2d(const Operands& o) {
  const auto& a = o.as<Conv2dAttrs>();
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  BITEXACT_TRY(check_activation(a.act));
  const auto shape = infer_conv_shape(o, a.layout, a.window, a.groups);
  if (!shape.ok()) return shape.status();
  return TensorType{DType::q16, *shape};
}

Status prepare_conv2d(Prepare& p) {
  const auto& a = p.operands.as<Conv2dAttrs>();
  const auto params = conv_params(p.operands, a.layout, a.window, a.groups, a.act);
  if (!params.ok()) return params.status();
  p.args.conv = *params;
  const Filters filters = filters_of(*params, p.args);
  p.accumulator = bound_q16(filters, [&](int64_t o, int64_t i) { return o * filters.terms + i; });
  return {};
}

}  // namespace bitexact
