#include "bitexact/fx.h"
#include "kernels/reference/reference.h"
#include "kernels/reference/windows.h"

namespace bitexact::reference {
namespace {

int32_t window_max(const WindowParams& w, const int32_t* in, const Strides& at, int32_t y, int32_t x) noexcept {
  int32_t best = FIXED_MIN;
  for_taps(w, y, x, [&](int32_t iy, int32_t ix) {
    if (!inside(w, iy, ix)) return;
    const int32_t v = in[iy * at.y + ix * at.x];
    best = v > best ? v : best;
  });
  return best;
}

}  // namespace

template <>
void max_pool2d<DType::q16>(const Args& args) noexcept {
  pool(args, [&](const int32_t* in, const Strides& at, int32_t y, int32_t x) {
    return window_max(args.pool.window, in, at, y, x);
  });
}

}  // namespace bitexact::reference
