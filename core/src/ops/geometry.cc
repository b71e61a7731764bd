#include "ops/geometry.h"

namespace bitexact {
namespace {

constexpr const char* kAxisName[2] = {"height", "width"};

std::string on(int axis) { return std::string(" along the ") + kAxisName[axis]; }

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }
int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

Axis same(int64_t n, int64_t e, int64_t s, bool upper) {
  const int64_t out = ceil_div(n, s), wanted = (out - 1) * s + e - n, total = wanted > 0 ? wanted : 0;
  const int64_t before = upper ? total / 2 : total - total / 2;
  return {out, before, n + total - before};
}

Result<Axis> declared(int64_t n, int64_t e, int64_t s, int64_t before, int64_t after, bool ceil_mode, int axis) {
  const int64_t room = n + before + after - e;
  int64_t out = (ceil_mode ? ceil_div(room, s) : floor_div(room, s)) + 1;
  if (ceil_mode && (out - 1) * s >= n + before) --out;
  if (out < 1)
    return error(Code::shape, "window of " + std::to_string(e) + " does not fit the padded input of " +
                                  std::to_string(n + before + after) + on(axis));
  return Axis{out, before, n + after};
}

Status check(int64_t n, int64_t k, int64_t s, int64_t d, int axis) {
  if (k < 1 || s < 1 || d < 1)
    return error(Code::argument, "kernel, stride and dilation must be at least 1" + on(axis));
  if (k > kMaxPosition || s > kMaxPosition || d > kMaxPosition || n > kMaxPosition ||
      (k - 1) * d + 1 + n > kMaxPosition)
    return error(Code::too_large, "kernel, stride, dilation and input must together stay below 2^31" + on(axis));
  return {};
}

Result<Axis> place(int64_t n, int64_t k, int64_t s, int64_t d, const WindowAttrs& w, int axis, bool pooling) {
  BITEXACT_TRY(check(n, k, s, d, axis));
  const int64_t e = (k - 1) * d + 1;
  const int64_t before = axis == 0 ? w.pad.top : w.pad.left, after = axis == 0 ? w.pad.bottom : w.pad.right;
  if (w.pad.kind == Pad::explicit_ && (before < 0 || after < 0 || before >= e || after >= e))
    return error(Code::argument, "padding " + std::to_string(before) + ", " + std::to_string(after) +
                                     " must be at least 0 and less than the window of " + std::to_string(e) + on(axis));
  if (n == -1) return Axis{-1, 0, -1};
  const bool sliding = w.pad.kind == Pad::valid || w.pad.kind == Pad::same_upper || w.pad.kind == Pad::same_lower;
  if (n == 0 && pooling && sliding) return Axis{};
  if (n <= 0) return error(Code::shape, "input of size " + std::to_string(n) + on(axis));
  switch (w.pad.kind) {
    case Pad::same_upper:
      return same(n, e, s, true);
    case Pad::same_lower:
      return same(n, e, s, false);
    case Pad::full:
      return declared(n, e, s, e - 1, e - 1, w.ceil_mode, axis);
    case Pad::explicit_:
      return declared(n, e, s, before, after, w.ceil_mode, axis);
    case Pad::valid:
      break;
  }
  if (n >= e) return Axis{(n - e) / s + 1, 0, n};
  if (pooling) return Axis{0, 0, n};
  return error(Code::shape,
               "window of " + std::to_string(e) + " is larger than the input of " + std::to_string(n) + on(axis));
}

}  // namespace

Result<Dims> dims_of(const Shape& s, Layout layout) {
  if (s.rank() != 4) return error(Code::shape, "expected 4 dimensions, got " + s.text());
  return layout == Layout::nhwc ? Dims{s[0], s[3], s[1], s[2]} : Dims{s[0], s[1], s[2], s[3]};
}

Shape shape_of(const Dims& d, Layout layout) {
  return layout == Layout::nhwc ? Shape{d.n, d.h, d.w, d.c} : Shape{d.n, d.c, d.h, d.w};
}

Result<std::array<Axis, 2>> place_window(const Dims& in, std::array<int64_t, 2> kernel, const WindowAttrs& w,
                                         bool pooling) {
  const auto y = place(in.h, kernel[0], w.stride[0], w.dilation[0], w, 0, pooling);
  if (!y.ok()) return y.status();
  const auto x = place(in.w, kernel[1], w.stride[1], w.dilation[1], w, 1, pooling);
  if (!x.ok()) return x.status();
  return std::array<Axis, 2>{*y, *x};
}

Result<WindowParams> window_params(const Dims& in, std::array<int64_t, 2> kernel, const WindowAttrs& w,
                                   const std::array<Axis, 2>& axes) {
  // The furthest tap is at most out * stride + window, which for any padding stays below input + 2 * window + stride.
  for (size_t i = 0; i < 2; ++i) {
    const int64_t e = (kernel[i] - 1) * w.dilation[i] + 1, n = i == 0 ? in.h : in.w;
    if ((axes[i].out - 1) * w.stride[i] > kMaxPosition - e || n + 2 * e > kMaxPosition)
      return error(Code::too_large, "window positions must stay below 2^31" + on(static_cast<int>(i)));
  }
  const auto i32 = [](int64_t v) { return static_cast<int32_t>(v); };
  return WindowParams{i32(in.h),          i32(in.w),          i32(axes[0].out),    i32(axes[1].out),
                      i32(kernel[0]),     i32(kernel[1]),     i32(w.stride[0]),    i32(w.stride[1]),
                      i32(w.dilation[0]), i32(w.dilation[1]), i32(axes[0].before), i32(axes[1].before)};
}

}  // namespace bitexact
