#include "bitexact/fx.h"
#include "kernels/reference/reference.h"
#include "kernels/reference/windows.h"

namespace bitexact::reference {
namespace {

int32_t window_average(const PoolParams& p, const int32_t* in, const Strides& at, int32_t y, int32_t x) noexcept {
  int64_t sum = 0, count = 0;
  for_taps(p.window, y, x, [&](int32_t iy, int32_t ix) {
    if (inside(p.window, iy, ix)) {
      sum += in[iy * at.y + ix * at.x];
      ++count;
    } else if (p.count_include_pad && iy >= -p.window.pad_top && iy < p.padded_h && ix >= -p.window.pad_left &&
               ix < p.padded_w) {
      ++count;
    }
  });
  return count == 0 ? 0 : static_cast<int32_t>(fx_round_div(sum, count));
}

}  // namespace

template <>
void avg_pool2d<DType::q16>(const Args& args) noexcept {
  pool(args, [&](const int32_t* in, const Strides& at, int32_t y, int32_t x) {
    return window_average(args.pool, in, at, y, x);
  });
}

}  // namespace bitexact::reference
