#pragma once
// The walks that every convolution shares. What is summed is a policy:
//   using In, Weight, Sum;  Sum start(o)  what the sum of output channel o begins with;  add(sum, in, weight);
//   finish(sum, o)  the output, in its type.
#include <utility>

#include "kernels/exact.h"
#include "kernels/kernels.h"

namespace bitexact::reference {

// The taps of window (y, x) that lie inside the input, over one group's channels.
template <class Policy>
inline void add_window(const Policy& policy, const ConvParams& p, const typename Policy::In* in,
                       const typename Policy::Weight* weights, int32_t y, int32_t x,
                       typename Policy::Sum& sum) noexcept {
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
      const auto* a = in + iy * at.y + ix * at.x;
      const auto* b = weights + i * tap.y + j * tap.x;
      for (int32_t c = 0; c < channels; ++c) policy.add(sum, a[c * at.c], b[c * tap.c]);
    }
  }
}

template <class Policy>
inline void convolve(const Args& args, const ConvParams& p, const Policy& policy) noexcept {
  using Out = decltype(policy.finish(policy.start(0), 0));
  const WindowParams& w = p.window;
  const Strides from = strides_of(p.layout, p.in_c, w.in_h, w.in_w),
                to = strides_of(p.layout, p.out_c, w.out_h, w.out_w);
  const ptrdiff_t filter = strides_of(p.layout, p.in_c / p.groups, w.kernel_h, w.kernel_w).n;
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t o = 0; o < p.out_c; ++o) {
      const int32_t first = o / (p.out_c / p.groups) * (p.in_c / p.groups);
      const auto* in = static_cast<const typename Policy::In*>(args.in[0]) + n * from.n + first * from.c;
      const auto* weights = static_cast<const typename Policy::Weight*>(args.in[1]) + o * filter;
      auto* out = static_cast<Out*>(args.out) + n * to.n + o * to.c;
      for (int32_t y = 0; y < w.out_h; ++y) {
        for (int32_t x = 0; x < w.out_w; ++x) {
          typename Policy::Sum sum = policy.start(o);
          add_window(policy, p, in, weights, y, x, sum);
          out[y * to.y + x * to.x] = policy.finish(sum, o);
        }
      }
    }
  }
}

// ARITHMETIC 6.
struct SumQ16 {
  using In = int32_t;
  using Weight = int32_t;
  using Sum = ExactSum;

  const int32_t* bias;
  Activation act;

  SumQ16(const Args& args, const ConvParams& p) noexcept
      : bias(static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr)), act(p.act) {}
  Sum start(int32_t o) const noexcept {
    Sum sum;
    if (bias != nullptr) sum.add(bias[o], 65536);
    return sum;
  }
  static void add(Sum& sum, In a, Weight b) noexcept { sum.add(a, b); }
  In finish(const Sum& sum, int32_t) const noexcept { return clamp(sum.to_q16(), act.min, act.max); }
};

// ARITHMETIC 9. The sum begins with half a unit of the output.
struct SumW16 {
  using In = int32_t;
  using Weight = int16_t;
  using Sum = int64_t;

  const int64_t* bias;
  const int32_t* shift;
  bool per_channel;
  Activation act;

  explicit SumW16(const Args& args) noexcept
      : bias(static_cast<const int64_t*>(args.scaled_conv.conv.has_bias ? args.in[2] : nullptr)),
        shift(args.scaled_conv.shift),
        per_channel(args.scaled_conv.per_channel),
        act(args.scaled_conv.conv.act) {}
  int32_t shift_of(int32_t o) const noexcept { return shift[per_channel ? o : 0]; }
  Sum start(int32_t o) const noexcept { return (bias == nullptr ? 0 : bias[o]) + ((int64_t{1} << shift_of(o)) >> 1); }
  static void add(Sum& sum, In a, Weight b) noexcept { sum += int64_t{a} * b; }
  In finish(Sum sum, int32_t o) const noexcept {
    return clamp(saturate_steadily(sum >> shift_of(o)), act.min, act.max);
  }
};

}  // namespace bitexact::reference
