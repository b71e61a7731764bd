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

Result<TensorType> infer_max_pool2d(const Operands& o) {
  const auto& a = o.as<Pool2dAttrs>();
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  BITEXACT_TRY(check_activation(a.act));
  const auto in = dims_of(o.in[0].shape, a.layout);
  if (!in.ok()) return in.status();
  BITEXACT_TRY(check_empty(*in, a.window.pad));
  const auto axes = place_window(*in, a.kernel, a.window, true);
  if (!axes.ok()) return axes.status();
  return TensorType{DType::q16, shape_of({in->n, in->c, (*axes)[0].out, (*axes)[1].out}, a.layout)};
}

Result<TensorType> infer_avg_pool2d(const Operands& o) { return infer_max_pool2d(o); }

Status prepare_pool2d(Prepare& p) {
  const auto& a = p.operands.as<Pool2dAttrs>();
  const Dims in = *dims_of(p.operands.in[0].shape, a.layout);
  const auto axes = place_window(in, a.kernel, a.window, true);
  if (!axes.ok()) return axes.status();
  const auto window = window_params(in, a.kernel, a.window, *axes);
  if (!window.ok()) return window.status();
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  p.args.pool = {*window,
                 a.layout,
                 i32(in.n),
                 i32(in.c),
                 i32((*axes)[0].padded_end),
                 i32((*axes)[1].padded_end),
                 a.count_include_pad,
                 a.propagate_nan,
                 a.act};
  return {};
}

}  // namespace bitexact
