#include <algorithm>
#include <limits>

#include "ops/geometry.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

Status check_channels(const Dims& in, const Dims& weights, int64_t groups) {
  if (groups < 1) return error(Code::argument, "groups must be at least 1, got " + std::to_string(groups));
  const auto bad = [&](const char* why) {
    return error(Code::shape, std::string(why) + ": input channels " + std::to_string(in.c) + ", weights " +
                                  std::to_string(weights.n) + " x " + std::to_string(weights.c) + ", groups " +
                                  std::to_string(groups));
  };
  if (in.c < 1 || weights.n < 1) return bad("channels must be at least 1");
  if (in.c % groups != 0 || weights.n % groups != 0) return bad("groups must divide both channel counts");
  if (weights.c != in.c / groups) return bad("weights must have input channels / groups channels");
  if (std::max({in.c, weights.n, in.n}) > std::numeric_limits<int32_t>::max())
    return error(Code::too_large, "batch and channels must stay below 2^31");
  return {};
}

// The accumulator's proof: the largest sum of |w| over an output channel, from which kernels decide which width is
// exact.
uint64_t weight_bound(const Model::Value& weights, int64_t filters) {
  if (weights.constant == nullptr) return std::numeric_limits<uint64_t>::max();
  const auto* w = reinterpret_cast<const int32_t*>(weights.constant);
  const size_t per_filter = *element_count(weights.shape) / static_cast<size_t>(filters);
  uint64_t bound = 0;
  for (int64_t o = 0; o < filters; ++o, w += per_filter) {
    uint64_t sum = 0;
    for (size_t i = 0; i < per_filter; ++i) sum += static_cast<uint64_t>(w[i] < 0 ? -int64_t{w[i]} : int64_t{w[i]});
    bound = std::max(bound, sum);
  }
  return bound;
}

}  // namespace

Status prepare_conv2d(Prepare& p) {
  BITEXACT_TRY(need_q16(p));
  const auto* a = std::get_if<Conv2dAttrs>(&p.node.attrs);
  if (a == nullptr) return error(Code::argument, "conv2d without Conv2dAttrs");
  const auto in = dims_of(p.inputs[0]->shape, a->layout), weights = dims_of(p.inputs[1]->shape, a->layout);
  if (!in.ok()) return in.status();
  if (!weights.ok()) return weights.status();
  BITEXACT_TRY(check_channels(*in, *weights, a->groups));
  const bool has_bias = p.inputs.size() > 2;
  if (has_bias && p.inputs[2]->shape != Shape{weights->n})
    return error(Code::shape, "bias must be [" + std::to_string(weights->n) + "], got " + p.inputs[2]->shape.text());
  if (a->act_min > a->act_max) return error(Code::argument, "activation minimum above its maximum");

  const std::array<int64_t, 2> kernel{weights->h, weights->w};
  const auto axes = place_window(*in, kernel, a->window, false);
  if (!axes.ok()) return axes.status();
  const auto window = window_params(*in, kernel, a->window, *axes);
  if (!window.ok()) return window.status();
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  p.shape = shape_of({in->n, weights->n, (*axes)[0].out, (*axes)[1].out}, a->layout);
  p.args.conv = {*window,    a->layout,       i32(in->n),
                 i32(in->c), i32(weights->n), i32(a->groups),
                 a->act_min, a->act_max,      weight_bound(*p.inputs[1], weights->n),
                 has_bias};
  return {};
}

}  // namespace bitexact
