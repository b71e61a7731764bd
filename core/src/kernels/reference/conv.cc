#include "kernels/exact.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// One output value before rounding: the taps of window (y, x) that lie inside the input, over one group's channels.
ExactSum window_sum(const ConvParams& p, const int32_t* in, const int32_t* weights, int32_t y, int32_t x) noexcept {
  const WindowParams& w = p.window;
  const int32_t channels = p.in_c / p.groups;
  const Strides at = strides_of(p.layout, p.in_c, w.in_h, w.in_w);
  const Strides tap = strides_of(p.layout, channels, w.kernel_h, w.kernel_w);
  ExactSum sum;
  for (int32_t i = 0; i < w.kernel_h; ++i) {
    const int32_t iy = y * w.stride_h - w.pad_top + i * w.dilation_h;
    if (iy < 0 || iy >= w.in_h) continue;
    for (int32_t j = 0; j < w.kernel_w; ++j) {
      const int32_t ix = x * w.stride_w - w.pad_left + j * w.dilation_w;
      if (ix < 0 || ix >= w.in_w) continue;
      const int32_t* a = in + iy * at.y + ix * at.x;
      const int32_t* b = weights + i * tap.y + j * tap.x;
      for (int32_t c = 0; c < channels; ++c) sum.add(a[c * at.c], b[c * tap.c]);
    }
  }
  return sum;
}

}  // namespace

void conv2d_q16(const Args& args) noexcept {
  const ConvParams& p = args.conv;
  const WindowParams& w = p.window;
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  const Strides from = strides_of(p.layout, p.in_c, w.in_h, w.in_w),
                to = strides_of(p.layout, p.out_c, w.out_h, w.out_w);
  const ptrdiff_t filter = strides_of(p.layout, p.in_c / p.groups, w.kernel_h, w.kernel_w).n;
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t o = 0; o < p.out_c; ++o) {
      const int32_t first = o / (p.out_c / p.groups) * (p.in_c / p.groups);
      const int32_t* in = static_cast<const int32_t*>(args.in[0]) + n * from.n + first * from.c;
      const int32_t* weights = static_cast<const int32_t*>(args.in[1]) + o * filter;
      int32_t* out = static_cast<int32_t*>(args.out) + n * to.n + o * to.c;
      for (int32_t y = 0; y < w.out_h; ++y) {
        for (int32_t x = 0; x < w.out_w; ++x) {
          ExactSum sum = window_sum(p, in, weights, y, x);
          if (p.has_bias) sum.add(bias[o], 65536);
          out[y * to.y + x * to.x] = clamp(sum.to_q16(), p.act.min, p.act.max);
        }
      }
    }
  }
}

}  // namespace bitexact::reference
