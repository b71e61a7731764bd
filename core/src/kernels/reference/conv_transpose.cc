#include <utility>

#include "kernels/exact.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// The input position whose tap at `offset` falls on `at`; -1 when none does.
int32_t source(int32_t at, int32_t offset, int32_t stride, int32_t size) noexcept {
  const int32_t distance = at - offset;
  return distance >= 0 && distance % stride == 0 && distance / stride < size ? distance / stride : -1;
}

// What falls on output (y, x) from one group's channels.
ExactSum gather(const ConvParams& p, const int32_t* in, const int32_t* weights, const Strides& at, const Strides& tap,
                int32_t y, int32_t x) noexcept {
  const WindowParams& w = p.window;
  ExactSum sum;
  for (int32_t i = 0; i < w.kernel_h; ++i) {
    const int32_t iy = source(y + w.pad_top, i * w.dilation_h, w.stride_h, w.in_h);
    for (int32_t j = 0; iy >= 0 && j < w.kernel_w; ++j) {
      const int32_t ix = source(x + w.pad_left, j * w.dilation_w, w.stride_w, w.in_w);
      if (ix < 0) continue;
      const int32_t* a = in + iy * at.y + ix * at.x;
      const int32_t* b = weights + i * tap.y + j * tap.x;
      for (int32_t c = 0; c < p.in_c / p.groups; ++c) sum.add(a[c * at.c], b[c * tap.c]);
    }
  }
  return sum;
}

}  // namespace

void conv_transpose2d_q16(const Args& args) noexcept {
  const ConvParams& p = args.conv;
  const WindowParams& w = p.window;
  const int32_t per_in = p.in_c / p.groups, per_out = p.out_c / p.groups;
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  const Strides from = strides_of(p.layout, p.in_c, w.in_h, w.in_w),
                to = strides_of(p.layout, p.out_c, w.out_h, w.out_w);
  // Weights are [O, H, W, I / groups] or [I, O / groups, H, W]. From here on n counts outputs and c inputs.
  const bool nhwc = p.layout == Layout::nhwc;
  Strides tap = strides_of(p.layout, nhwc ? per_in : per_out, w.kernel_h, w.kernel_w);
  if (!nhwc) std::swap(tap.n, tap.c);
  const ptrdiff_t group_size = ptrdiff_t{per_in} * per_out * w.kernel_h * w.kernel_w;
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t o = 0; o < p.out_c; ++o) {
      const int32_t group = o / per_out;
      const int32_t* in = static_cast<const int32_t*>(args.in[0]) + n * from.n + group * per_in * from.c;
      const int32_t* weights = static_cast<const int32_t*>(args.in[1]) + group * group_size + o % per_out * tap.n;
      int32_t* out = static_cast<int32_t*>(args.out) + n * to.n + o * to.c;
      for (int32_t y = 0; y < w.out_h; ++y) {
        for (int32_t x = 0; x < w.out_w; ++x) {
          ExactSum sum = gather(p, in, weights, from, tap, y, x);
          if (p.has_bias) sum.add(bias[o], FIXED_ONE);
          out[y * to.y + x * to.x] = clamp(sum.to_q16(), p.act.min, p.act.max);
        }
      }
    }
  }
}

}  // namespace bitexact::reference
