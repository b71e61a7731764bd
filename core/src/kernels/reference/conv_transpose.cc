#include <utility>

#include "kernels/reference/convolve.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// The input position whose tap at `offset` falls on `at`; -1 when none does.
int32_t source(int32_t at, int32_t offset, int32_t stride, int32_t size) noexcept {
  const int32_t distance = at - offset;
  return distance >= 0 && distance % stride == 0 && distance / stride < size ? distance / stride : -1;
}

// What falls on output (y, x) from one group's channels.
template <class Policy>
void gather(const Policy& policy, const ConvParams& p, const typename Policy::In* in,
            const typename Policy::Weight* weights, const Strides& at, const Strides& tap, int32_t y, int32_t x,
            typename Policy::Sum& sum) noexcept {
  const WindowParams& w = p.window;
  for (int32_t i = 0; i < w.kernel_h; ++i) {
    const int32_t iy = source(y + w.pad_top, i * w.dilation_h, w.stride_h, w.in_h);
    for (int32_t j = 0; iy >= 0 && j < w.kernel_w; ++j) {
      const int32_t ix = source(x + w.pad_left, j * w.dilation_w, w.stride_w, w.in_w);
      if (ix < 0) continue;
      const auto* a = in + iy * at.y + ix * at.x;
      const auto* b = weights + i * tap.y + j * tap.x;
      for (int32_t c = 0; c < p.in_c / p.groups; ++c) policy.add(sum, a[c * at.c], b[c * tap.c]);
    }
  }
}

template <class Policy>
void transpose_convolve(const Args& args, const ConvParams& p, const Policy& policy) noexcept {
  const WindowParams& w = p.window;
  const int32_t per_in = p.in_c / p.groups, per_out = p.out_c / p.groups;
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
      const auto* in = static_cast<const typename Policy::In*>(args.in[0]) + n * from.n + group * per_in * from.c;
      const auto* weights =
          static_cast<const typename Policy::Weight*>(args.in[1]) + group * group_size + o % per_out * tap.n;
      auto* out = static_cast<typename Policy::In*>(args.out) + n * to.n + o * to.c;
      for (int32_t y = 0; y < w.out_h; ++y) {
        for (int32_t x = 0; x < w.out_w; ++x) {
          typename Policy::Sum sum = policy.start(o);
          gather(policy, p, in, weights, from, tap, y, x, sum);
          out[y * to.y + x * to.x] = policy.finish(sum, o);
        }
      }
    }
  }
}

}  // namespace

void conv_transpose2d_q16(const Args& args) noexcept { transpose_convolve(args, args.conv, SumQ16(args, args.conv)); }
void conv_transpose2d_w16(const Args& args) noexcept { transpose_convolve(args, args.scaled_conv.conv, SumW16(args)); }

}  // namespace bitexact::reference
