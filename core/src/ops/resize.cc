#include <algorithm>
#include <limits>

#include "ops/geometry.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

Status check_size(const Dims& in, const std::array<int64_t, 2>& size) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (size[0] < 1 || size[1] < 1)
    return error(Code::argument,
                 "size must be at least 1, got " + std::to_string(size[0]) + " x " + std::to_string(size[1]));
  if (in.h == 0 || in.w == 0)
    return error(Code::shape,
                 "an input of " + std::to_string(in.h) + " x " + std::to_string(in.w) + " has nothing to resize");
  if (std::max({in.n, in.c, in.h, in.w, size[0], size[1]}) > kMost)
    return error(Code::too_large, "batch, channels, height and width must stay below 2^31");
  return {};
}

}  // namespace

Result<TensorType> infer_resize(const Operands& o) {
  const auto& a = o.as<ResizeAttrs>();
  const bool bilinear = a.mode == ResizeAttrs::Mode::bilinear;
  if (bilinear) BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  const auto in = dims_of(o.in[0].shape, a.layout);
  if (!in.ok()) return in.status();
  BITEXACT_TRY(check_size(*in, a.size));
  // Weights are quarters of 1 / (height * width) at the finest: 2 * 2^31 * 4 * height * width stays in int64.
  if (bilinear && a.size[0] > ((1 << 29) - 1) / a.size[1])
    return error(Code::too_large, "bilinear output of " + std::to_string(a.size[0]) + " x " +
                                      std::to_string(a.size[1]) + " must have fewer than 2^29 pixels");
  return TensorType{o.in[0].dtype, shape_of({in->n, in->c, a.size[0], a.size[1]}, a.layout)};
}

Status prepare_resize(Prepare& p) {
  const auto& a = p.operands.as<ResizeAttrs>();
  const Dims in = *dims_of(p.operands.in[0].shape, a.layout);
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  p.args.resize = {a.layout,       i32(in.n), i32(in.c),     i32(in.h),  i32(in.w),           i32(a.size[0]),
                   i32(a.size[1]), a.mode,    a.coordinates, a.rounding, size_of(p.out.dtype)};
  return {};
}

}  // namespace bitexact
