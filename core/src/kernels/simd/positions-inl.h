// The walks over windows whose channels lie side by side. Included once for every target.
#if defined(BITEXACT_SIMD_POSITIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef BITEXACT_SIMD_POSITIONS_INL_H
#undef BITEXACT_SIMD_POSITIONS_INL_H
#else
#define BITEXACT_SIMD_POSITIONS_INL_H
#endif

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/taps.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {

// Calls visit(picture, rows, columns) for every output position, in the order of the output; the last two are the taps
// of its window.
template <class Visit>
HWY_INLINE void ForPositions(const WindowParams& w, int32_t batch, Visit&& visit) {
  for (int32_t n = 0; n < batch; ++n)
    for (int32_t y = 0; y < w.out_h; ++y) {
      const Taps rows = taps_inside(y * w.stride_h - w.pad_top, w.in_h, w.kernel_h, w.dilation_h);
      for (int32_t x = 0; x < w.out_w; ++x)
        visit(n, rows, taps_inside(x * w.stride_w - w.pad_left, w.in_w, w.kernel_w, w.dilation_w));
    }
}

// Calls tap(pixel of the picture, tap of the window) for the taps inside, both counted row by row.
template <class Tap>
HWY_INLINE void ForTaps(const WindowParams& w, const Taps& rows, const Taps& columns, Tap&& tap) {
  for (int32_t i = rows.begin; i < rows.end; ++i)
    for (int32_t j = columns.begin; j < columns.end; ++j) {
      const ptrdiff_t y = rows.at + i * w.dilation_h, x = columns.at + j * w.dilation_w;
      tap(y * w.in_w + x, static_cast<ptrdiff_t>(i) * w.kernel_w + j);
    }
}

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
