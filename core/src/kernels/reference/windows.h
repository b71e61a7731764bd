#pragma once
// What the pooling kernels share: the taps of a window and the walk over all windows.
#include "kernels/element.h"
#include "kernels/exact.h"
#include "kernels/kernels.h"
#include "kernels/taps.h"

namespace bitexact::reference {

// A window of one plane: the taps along both axes of the output it belongs to.
template <class E>
struct Window {
  const WindowParams& params;
  const E* plane;
  const Strides& strides;
  Taps rows, columns;

  // Calls fold(element) for the taps inside the input, row by row.
  template <class Fold>
  void for_taps(Fold&& fold) const noexcept {
    for (int32_t i = rows.begin; i < rows.end; ++i)
      for (int32_t j = columns.begin; j < columns.end; ++j)
        fold(plane[(rows.at + i * params.dilation_h) * strides.y + (columns.at + j * params.dilation_w) * strides.x]);
  }
};

// Walks batch, channels and output positions; `reduce` gives the value of one window.
template <class E, class Reduce>
inline void pool(const Args& args, Reduce&& reduce) noexcept {
  const PoolParams& p = args.pool;
  const WindowParams& w = p.window;
  const Strides from = strides_of(p.layout, p.channels, w.in_h, w.in_w),
                to = strides_of(p.layout, p.channels, w.out_h, w.out_w);
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t c = 0; c < p.channels; ++c) {
      const E* in = static_cast<const E*>(args.in[0]) + n * from.n + c * from.c;
      E* out = static_cast<E*>(args.out) + n * to.n + c * to.c;
      for (int32_t y = 0; y < w.out_h; ++y) {
        const Taps rows = taps_inside(y * w.stride_h - w.pad_top, w.in_h, w.kernel_h, w.dilation_h);
        for (int32_t x = 0; x < w.out_w; ++x) {
          const Taps columns = taps_inside(x * w.stride_w - w.pad_left, w.in_w, w.kernel_w, w.dilation_w);
          out[y * to.y + x * to.x] = reduce(Window<E>{w, in, from, rows, columns});
        }
      }
    }
  }
}

// The activation's bounds are values of T.
template <DType T>
inline Element<T> activated(int64_t value, const Activation& act) noexcept {
  return static_cast<Element<T>>(clamp_steadily(value, act.min, act.max));
}

}  // namespace bitexact::reference
