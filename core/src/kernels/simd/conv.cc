#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/conv.cc"
#include <algorithm>
#include <bit>

#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/exact.h"
#include "kernels/simd/dispatch.h"
#include "kernels/simd/products-inl.h"
#include "kernels/simd/simd.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One output row: `in` and `weights` start at the first tap inside, `rows` of them in each of `channels`, which lie
// `in_plane` and `filter_plane` apart.
template <class Weight>
struct Row {
  const int32_t* in;
  const Weight* weights;
  int32_t channels, rows, kernel_w, in_w, pad_left;
  ptrdiff_t in_plane, filter_plane;
  int64_t start;  // the bias and half a unit of the output
  int32_t shift, act_min, act_max;

  // Saturation before the shift: the largest and smallest sums whose bits from `shift` on are the q16 result.
  int64_t Lowest() const { return INT32_MIN * (int64_t{1} << shift); }
  int64_t Highest() const { return (int64_t{1} << (31 + shift)) - 1; }
};

template <class Weight>
HWY_INLINE int32_t Finish(int64_t sum, const Row<Weight>& r) {
  return clamp(static_cast<int32_t>(std::min(std::max(sum, r.Lowest()), r.Highest()) >> r.shift), r.act_min, r.act_max);
}

// At the borders some taps fall outside.
template <class Weight>
HWY_INLINE int32_t Border(const Row<Weight>& r, int32_t x) {
  const int32_t first = std::max(0, r.pad_left - x), last = std::min(r.kernel_w, r.in_w + r.pad_left - x);
  int64_t sum = r.start;
  for (ptrdiff_t c = 0; c < r.channels; ++c)
    for (ptrdiff_t i = 0; i < r.rows; ++i) {
      const int32_t* in = r.in + c * r.in_plane + i * r.in_w + x - r.pad_left;
      const Weight* weights = r.weights + c * r.filter_plane + i * r.kernel_w;
      for (int32_t j = first; j < last; ++j) sum += static_cast<int64_t>(in[j]) * weights[j];
    }
  return Finish(sum, r);
}

// Adds the taps of one filter row to Lanes(d) neighbouring outputs. Even and odd outputs have int64 sums of their own;
// the odd ones read the vector that starts one element later, which is also the next tap of the even ones.
template <class D, class Weight, class Wide>
HWY_INLINE void AddTaps(D d, const int32_t* in, const Weight* weights, ptrdiff_t taps, Wide& even, Wide& odd) {
  auto v = hn::LoadU(d, in);
  for (ptrdiff_t j = 0; j < taps; ++j) {
    const auto w = hn::Set(d, int32_t{weights[j]}), next = hn::LoadU(d, in + j + 1);
    even = hn::Add(even, MulEvenSigned(v, w));
    odd = hn::Add(odd, MulEvenSigned(next, w));
    v = next;
  }
}

// Lanes(d) neighbouring outputs whose taps are all inside.
template <class D, class Weight>
HWY_INLINE void Block(D d, const Row<Weight>& r, int32_t x, int32_t* out) {
  const hn::RepartitionToWide<D> wide;
  auto even = hn::Set(wide, r.start), odd = even;
  for (ptrdiff_t c = 0; c < r.channels; ++c)
    for (ptrdiff_t i = 0; i < r.rows; ++i)
      AddTaps(d, r.in + c * r.in_plane + i * r.in_w + x - r.pad_left, r.weights + c * r.filter_plane + i * r.kernel_w,
              r.kernel_w, even, odd);
  const auto lo = hn::Set(wide, r.Lowest()), hi = hn::Set(wide, r.Highest());
  even = hn::Min(hn::Max(even, lo), hi);
  odd = hn::Min(hn::Max(odd, lo), hi);
  const hn::RebindToUnsigned<decltype(wide)> bits;
  const auto e = hn::BitCast(bits, even), o = hn::BitCast(bits, odd);
  // The first half of a 64-bit lane in memory is its low one, or on a big-endian machine its high one.
  constexpr bool kLow = std::endian::native == std::endian::little;
  const auto first = hn::BitCast(d, kLow ? hn::ShiftRightSame(e, r.shift) : hn::ShiftLeftSame(e, 32 - r.shift));
  const auto second = hn::BitCast(d, kLow ? hn::ShiftLeftSame(o, 32 - r.shift) : hn::ShiftRightSame(o, r.shift));
  const auto result = hn::OddEven(second, first);
  hn::StoreU(hn::Min(hn::Max(result, hn::Set(d, r.act_min)), hn::Set(d, r.act_max)), d, out + x);
}

template <class Weight>
void ConvRow(const Row<Weight>& r, int32_t out_w, int32_t* out) {
  const hn::ScalableTag<int32_t> d;
  const auto lanes = static_cast<int32_t>(hn::Lanes(d));
  const int32_t first = std::min(r.pad_left, out_w);
  // A block reads lanes + kernel_w elements, one more than its taps.
  const int32_t last = std::min(out_w, r.in_w + r.pad_left - r.kernel_w) - lanes;
  int32_t x = 0;
  for (; x < first; ++x) out[x] = Border(r, x);
  for (; x <= last; x += lanes) Block(d, r, x, out);
  for (; x < out_w; ++x) out[x] = Border(r, x);
}

// All rows of one output channel. `in` is the first channel of its group.
template <class Weight>
void ConvPlane(const ConvParams& p, const int32_t* in, const Weight* weights, int64_t start, int32_t shift,
               int32_t* out) {
  const WindowParams& w = p.window;
  const ptrdiff_t in_plane = static_cast<ptrdiff_t>(w.in_h) * w.in_w;
  const ptrdiff_t filter_plane = static_cast<ptrdiff_t>(w.kernel_h) * w.kernel_w;
  for (int32_t y = 0; y < w.out_h; ++y, out += w.out_w) {
    const int32_t top = std::max(0, w.pad_top - y), bottom = std::min(w.kernel_h, w.in_h + w.pad_top - y);
    const Row<Weight> row{in + static_cast<ptrdiff_t>(y - w.pad_top + top) * w.in_w,
                          weights + static_cast<ptrdiff_t>(top) * w.kernel_w,
                          p.in_c / p.groups,
                          std::max(0, bottom - top),
                          w.kernel_w,
                          w.in_w,
                          w.pad_left,
                          in_plane,
                          filter_plane,
                          start,
                          shift,
                          p.act.min,
                          p.act.max};
    ConvRow(row, w.out_w, out);
  }
}

// `start(o)` is what the sums of channel o begin with, `shift(o)` what they lose.
template <class Weight, class Start, class Shift>
HWY_INLINE void ConvolveRows(const ConvParams& p, const Args& args, Start&& start, Shift&& shift) {
  const WindowParams& w = p.window;
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  const auto* weights = static_cast<const Weight*>(args.in[1]);
  auto* out = static_cast<int32_t*>(args.out);
  const Strides from = strides_of(Layout::nchw, p.in_c, w.in_h, w.in_w),
                to = strides_of(Layout::nchw, p.out_c, w.out_h, w.out_w),
                filter = strides_of(Layout::nchw, p.in_c / p.groups, w.kernel_h, w.kernel_w);
  for (ptrdiff_t n = 0; n < p.batch; ++n)
    for (int32_t o = 0; o < p.out_c; ++o) {
      const ptrdiff_t first = o / (p.out_c / p.groups) * (p.in_c / p.groups);
      ConvPlane(p, in + n * from.n + first * from.c, weights + o * filter.n, start(o), shift(o),
                out + n * to.n + o * to.c);
    }
}

void ConvRows(const Args& args) {
  const ConvParams& p = args.conv;
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  ConvolveRows<int32_t>(
      p, args, [&](int32_t o) { return (bias == nullptr ? 0 : bias[o] * int64_t{65536}) + 0x8000; },
      [](int32_t) { return 16; });
}

void ConvRowsW16(const Args& args) {
  const ScaledConvParams& s = args.scaled_conv;
  const auto* bias = static_cast<const int64_t*>(s.conv.has_bias ? args.in[2] : nullptr);
  const auto shift = [&](int32_t o) { return s.shift[s.per_channel ? o : 0]; };
  ConvolveRows<int16_t>(
      s.conv, args, [&](int32_t o) { return (bias == nullptr ? 0 : bias[o]) + ((int64_t{1} << shift(o)) >> 1); },
      shift);
}

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bitexact {
HWY_EXPORT(ConvRows);
HWY_EXPORT(ConvRowsW16);

namespace simd {
void conv2d_q16_rows(const Args& args) noexcept { BITEXACT_DISPATCH(ConvRows)(args); }
void conv2d_w16_rows(const Args& args) noexcept { BITEXACT_DISPATCH(ConvRowsW16)(args); }
}  // namespace simd
}  // namespace bitexact
#endif
