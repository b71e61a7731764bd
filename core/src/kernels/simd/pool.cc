#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/pool.cc"
#include <algorithm>

#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/exact.h"
#include "kernels/simd/dispatch.h"
#include "kernels/simd/simd.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct MaxOf4 {
  template <class V>
  HWY_INLINE V operator()(V a, V b, V c, V d) const {
    return hn::Max(hn::Max(a, b), hn::Max(c, d));
  }
  HWY_INLINE int32_t operator()(int32_t a, int32_t b, int32_t c, int32_t d) const { return std::max({a, b, c, d}); }
};

// R(a + b + c + d, 2) without leaving 32 bits: quarters add up to at most 2^31 - 4, the remainders and the rounding to
// 3 more.
struct AverageOf4 {
  template <class V>
  HWY_INLINE V operator()(V a, V b, V c, V d) const {
    const hn::DFromV<V> tag;
    const auto three = hn::Set(tag, 3);
    const auto quarters = hn::Add(hn::Add(hn::ShiftRight<2>(a), hn::ShiftRight<2>(b)),
                                  hn::Add(hn::ShiftRight<2>(c), hn::ShiftRight<2>(d)));
    const auto rests =
        hn::Add(hn::Add(hn::And(a, three), hn::And(b, three)), hn::Add(hn::And(c, three), hn::And(d, three)));
    return hn::Add(quarters, hn::ShiftRight<2>(hn::Add(rests, hn::Set(tag, 2))));
  }
  HWY_INLINE int32_t operator()(int32_t a, int32_t b, int32_t c, int32_t d) const {
    return static_cast<int32_t>((int64_t{a} + b + c + d + 2) >> 2);
  }
};

template <class Reduce>
HWY_INLINE void HalveRow(Reduce reduce, const int32_t* top, const int32_t* bottom, int32_t out_w, const PoolParams& p,
                         int32_t* out) {
  const hn::ScalableTag<int32_t> d;
  const auto lanes = static_cast<int32_t>(hn::Lanes(d));
  const auto lo = hn::Set(d, p.act.min), hi = hn::Set(d, p.act.max);
  int32_t x = 0;
  for (; x <= out_w - lanes; x += lanes) {
    hn::Vec<decltype(d)> a, b, e, f;
    hn::LoadInterleaved2(d, top + 2 * x, a, b);
    hn::LoadInterleaved2(d, bottom + 2 * x, e, f);
    hn::StoreU(hn::Min(hn::Max(reduce(a, b, e, f), lo), hi), d, out + x);
  }
  for (; x < out_w; ++x)
    out[x] = clamp(reduce(top[2 * x], top[2 * x + 1], bottom[2 * x], bottom[2 * x + 1]), p.act.min, p.act.max);
}

template <class Reduce>
HWY_INLINE void Halve(Reduce reduce, const Args& args) {
  const PoolParams& p = args.pool;
  const WindowParams& w = p.window;
  const ptrdiff_t planes = static_cast<ptrdiff_t>(p.batch) * p.channels, row = w.in_w;
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  auto* out = static_cast<int32_t*>(args.out);
  for (ptrdiff_t n = 0; n < planes; ++n, in += w.in_h * row)
    for (ptrdiff_t y = 0; y < w.out_h; ++y, out += w.out_w)
      HalveRow(reduce, in + 2 * y * row, in + (2 * y + 1) * row, w.out_w, p, out);
}

void MaxHalve(const Args& args) { Halve(MaxOf4(), args); }
void AverageHalve(const Args& args) { Halve(AverageOf4(), args); }

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bitexact {
HWY_EXPORT(MaxHalve);
HWY_EXPORT(AverageHalve);

namespace simd {
void max_pool2d_q16_halve(const Args& args) noexcept { BITEXACT_DISPATCH(MaxHalve)(args); }
void avg_pool2d_q16_halve(const Args& args) noexcept { BITEXACT_DISPATCH(AverageHalve)(args); }
}  // namespace simd
}  // namespace bitexact
#endif
