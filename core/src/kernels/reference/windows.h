#pragma once
// What the pooling kernels share: the taps of a window and the walk over all windows.
#include "kernels/exact.h"
#include "kernels/kernels.h"

namespace bitexact::reference {

// Calls fold(y, x) for the taps of output (y, x) along both axes, inside the input or not.
template <class Fold>
inline void for_taps(const WindowParams& w, int32_t y, int32_t x, Fold&& fold) noexcept {
  for (int32_t i = 0; i < w.kernel_h; ++i)
    for (int32_t j = 0; j < w.kernel_w; ++j)
      fold(y * w.stride_h - w.pad_top + i * w.dilation_h, x * w.stride_w - w.pad_left + j * w.dilation_w);
}

inline bool inside(const WindowParams& w, int32_t y, int32_t x) noexcept {
  return y >= 0 && x >= 0 && y < w.in_h && x < w.in_w;
}

// Walks batch, channels and output positions; `reduce` gives the value of one window.
template <class Reduce>
inline void pool(const Args& args, Reduce&& reduce) noexcept {
  const PoolParams& p = args.pool;
  const WindowParams& w = p.window;
  const Strides from = strides_of(p.layout, p.channels, w.in_h, w.in_w),
                to = strides_of(p.layout, p.channels, w.out_h, w.out_w);
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t c = 0; c < p.channels; ++c) {
      const int32_t* in = static_cast<const int32_t*>(args.in[0]) + n * from.n + c * from.c;
      int32_t* out = static_cast<int32_t*>(args.out) + n * to.n + c * to.c;
      for (int32_t y = 0; y < w.out_h; ++y)
        for (int32_t x = 0; x < w.out_w; ++x)
          out[y * to.y + x * to.x] = clamp(reduce(in, from, y, x), p.act.min, p.act.max);
    }
  }
}

}  // namespace bitexact::reference
