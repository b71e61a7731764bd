#pragma once
// What the convolutions share: the sum of one window and the walk over all outputs.
#include "kernels/exact.h"
#include "kernels/kernels.h"

namespace bitexact::reference {

// Calls add(in, weight) for the taps of window (y, x) that lie inside the input, over one group's channels.
template <class In, class Weight, class Add>
inline void for_products(const ConvParams& p, const In* in, const Weight* weights, int32_t y, int32_t x,
                         Add&& add) noexcept {
  const WindowParams& w = p.window;
  const int32_t channels = p.in_c / p.groups;
  const Strides at = strides_of(p.layout, p.in_c, w.in_h, w.in_w);
  const Strides tap = strides_of(p.layout, channels, w.kernel_h, w.kernel_w);
  for (int32_t i = 0; i < w.kernel_h; ++i) {
    const int32_t iy = y * w.stride_h - w.pad_top + i * w.dilation_h;
    if (iy < 0 || iy >= w.in_h) continue;
    for (int32_t j = 0; j < w.kernel_w; ++j) {
      const int32_t ix = x * w.stride_w - w.pad_left + j * w.dilation_w;
      if (ix < 0 || ix >= w.in_w) continue;
      const In* a = in + iy * at.y + ix * at.x;
      const Weight* b = weights + i * tap.y + j * tap.x;
      for (int32_t c = 0; c < channels; ++c) add(a[c * at.c], b[c * tap.c]);
    }
  }
}

// Output channel o at (y, x) becomes value(o, in, weights, y, x): the image's first channel of its group, its filter.
template <class In, class Weight, class Value>
inline void convolve(const ConvParams& p, const Args& args, Value&& value) noexcept {
  const WindowParams& w = p.window;
  const Strides from = strides_of(p.layout, p.in_c, w.in_h, w.in_w),
                to = strides_of(p.layout, p.out_c, w.out_h, w.out_w);
  const ptrdiff_t filter = strides_of(p.layout, p.in_c / p.groups, w.kernel_h, w.kernel_w).n;
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t o = 0; o < p.out_c; ++o) {
      const int32_t first = o / (p.out_c / p.groups) * (p.in_c / p.groups);
      const In* in = static_cast<const In*>(args.in[0]) + n * from.n + first * from.c;
      const Weight* weights = static_cast<const Weight*>(args.in[1]) + o * filter;
      In* out = static_cast<In*>(args.out) + n * to.n + o * to.c;
      for (int32_t y = 0; y < w.out_h; ++y)
        for (int32_t x = 0; x < w.out_w; ++x) out[y * to.y + x * to.x] = value(o, in, weights, y, x);
    }
  }
}

}  // namespace bitexact::reference
