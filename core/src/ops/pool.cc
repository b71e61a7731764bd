#include <limits>

#include "ops/geometry.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

Status check_empty(const Dims& in, const Padding& pad) {
  const bool empty_legal = pad.kind != Pad::explicit_ && pad.kind != Pad::full;
  if (in.c == 0 && !empty_legal) return error(Code::shape, "0 channels are legal only with VALID and SAME padding");
  const int64_t most = std::numeric_limits<int32_t>::max();
  if (in.n > most || in.c > most) return error(Code::too_large, "batch and channels must stay below 2^31");
  return {};
}

}  // namespace

Result<Shape> infer_pool_shape(const Shape& in, const Pool2dAttrs& a) {
  const auto dims = dims_of(in, a.layout);
  if (!dims.ok()) return dims.status();
  const auto axes = place_window(*dims, a.kernel, a.window, true);
  if (!axes.ok()) return axes.status();
  return shape_of({dims->n, dims->c, (*axes)[0].out, (*axes)[1].out}, a.layout);
}

Status prepare_pool2d(Prepare& p) {
  BITEXACT_TRY(need_q16(p));
  const auto* a = std::get_if<Pool2dAttrs>(&p.node.attrs);
  if (a == nullptr) return error(Code::argument, "pooling without Pool2dAttrs");
  if (a->act_min > a->act_max) return error(Code::argument, "activation minimum above its maximum");
  const auto in = dims_of(p.inputs[0]->shape, a->layout);
  if (!in.ok()) return in.status();
  BITEXACT_TRY(check_empty(*in, a->window.pad));
  const auto axes = place_window(*in, a->kernel, a->window, true);
  if (!axes.ok()) return axes.status();
  const auto window = window_params(*in, a->kernel, a->window, *axes);
  if (!window.ok()) return window.status();
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  p.shape = shape_of({in->n, in->c, (*axes)[0].out, (*axes)[1].out}, a->layout);
  p.args.pool = {*window,
                 a->layout,
                 i32(in->n),
                 i32(in->c),
                 i32((*axes)[0].padded_end),
                 i32((*axes)[1].padded_end),
                 a->count_include_pad,
                 a->propagate_nan,
                 a->act_min,
                 a->act_max};
  return {};
}

}  // namespace bitexact
