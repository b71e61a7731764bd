#include "bitexact/pool.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "ops/geometry.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

constexpr DTypes kClamped = only(DType::q16) | only(DType::i8) | only(DType::u8) | only(DType::i16);
constexpr DTypes kAveraged = kClamped | only(DType::f32);

struct PlacedWindow {
  std::array<int64_t, 2> kernel;
  WindowAttrs attrs;
  std::array<Axis, 2> axes;
};

Status check_sizes(const Pool2dAttrs& a, const Dims& in) {
  const std::string sizes = shape_of(in, a.layout).text();
  if (std::min({in.n, in.c, in.h, in.w}) < -1) return error(Code::shape, "negative dimension in " + sizes);
  if (in.n > std::numeric_limits<int32_t>::max() || in.c > std::numeric_limits<int32_t>::max())
    return error(Code::too_large, "batch and channels must stay below 2^31, got " + sizes);
  if (a.global && (in.h == 0 || in.w == 0)) return error(Code::shape, "global pooling of no rows or columns: " + sizes);
  const Pad pad = a.window.pad.kind;
  if (in.c == 0 && !a.global && (pad == Pad::explicit_ || pad == Pad::full))
    return error(Code::shape, "0 channels are legal only with VALID and SAME padding, got " + sizes);
  return {};
}

Result<PlacedWindow> place(const Pool2dAttrs& a, const Dims& in) {
  BITEXACT_TRY(check_sizes(a, in));
  Dims at = in;
  PlacedWindow placed{a.kernel, a.window, {}};
  if (a.global) {
    // A window of the input's own size, and one output however large an unknown size will be.
    at.h = std::abs(in.h), at.w = std::abs(in.w);
    placed = {{at.h, at.w}, {}, {}};
  }
  const auto axes = place_window(at, placed.kernel, placed.attrs, true);
  if (!axes.ok()) return axes.status();
  placed.axes = *axes;
  return placed;
}

Status check_clamp(const Activation& act, DType dtype) {
  BITEXACT_TRY(check_activation(act));
  const Activation none;
  if ((kClamped & only(dtype)) != 0 || (act.min == none.min && act.max == none.max)) return {};
  return error(Code::unsupported,
               std::string("act_min and act_max are for q16, i8, u8 and i16, not for ") + dtype_name(dtype));
}

Result<TensorType> infer_pool2d(const Operands& o, DTypes taken) {
  const auto& a = o.as<Pool2dAttrs>();
  BITEXACT_TRY(need_dtypes(o, taken));
  BITEXACT_TRY(check_clamp(a.act, o.in[0].dtype));
  const auto shape = infer_pool_shape(o.in[0].shape, a);
  if (!shape.ok()) return shape.status();
  return TensorType{o.in[0].dtype, *shape};
}

// An integer average rounds (2 |sum| + count) / (2 count). A binary32 one divides by a binary32, and a larger count
// might not be one.
Result<AccumulatorBound> bound_average(const WindowParams& w, DType dtype) {
  const bool f32 = dtype == DType::f32;
  const int64_t cells = int64_t{w.kernel_h} * w.kernel_w, most = int64_t{1} << (f32 ? 24 : 30);
  if (cells > most)
    return error(Code::too_large, "a window of " + std::to_string(cells) + " cells; an average of " +
                                      dtype_name(dtype) + " takes at most " + std::to_string(most));
  if (f32) return AccumulatorBound{0, "binary32 in window order"};
  const auto [lowest, highest] = clamp_to({}, dtype);
  const int64_t largest = std::max<int64_t>(-int64_t{lowest}, highest), bound = 2 * cells * largest + cells;
  const std::string n = std::to_string(cells);
  return AccumulatorBound{
      static_cast<int>(std::bit_width(static_cast<uint64_t>(bound))) + 1,
      "2 * " + n + " cells * " + std::to_string(largest) + " + " + n + " = " + std::to_string(bound)};
}

}  // namespace

Result<Shape> infer_pool_shape(const Shape& shape, const Pool2dAttrs& attrs) {
  const auto in = dims_of(shape, attrs.layout);
  if (!in.ok()) return in.status();
  const auto placed = place(attrs, *in);
  if (!placed.ok()) return placed.status();
  return shape_of({in->n, in->c, placed->axes[0].out, placed->axes[1].out}, attrs.layout);
}

Result<TensorType> infer_max_pool2d(const Operands& o) { return infer_pool2d(o, kAnyDType); }
Result<TensorType> infer_avg_pool2d(const Operands& o) { return infer_pool2d(o, kAveraged); }

Status prepare_pool2d(Prepare& p) {
  const auto& a = p.operands.as<Pool2dAttrs>();
  const Dims in = *dims_of(p.operands.in[0].shape, a.layout);
  const auto placed = place(a, in);
  if (!placed.ok()) return placed.status();
  const auto window = window_params(in, placed->kernel, placed->attrs, placed->axes);
  if (!window.ok()) return window.status();
  if (p.operands.op == Op::avg_pool2d) {
    auto bound = bound_average(*window, p.out.dtype);
    if (!bound.ok()) return bound.status();
    p.accumulator = std::move(*bound);
  }
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  p.args.pool = {*window,
                 a.layout,
                 i32(in.n),
                 i32(in.c),
                 i32(placed->axes[0].padded_end),
                 i32(placed->axes[1].padded_end),
                 a.count_include_pad,
                 a.propagate_nan,
                 clamp_to(a.act, p.out.dtype)};
  return {};
}

}  // namespace bitexact
