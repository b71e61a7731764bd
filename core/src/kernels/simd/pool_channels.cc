// Pooling of channels that lie side by side: each lane is a channel.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/pool_channels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/exact.h"
#include "kernels/simd/dispatch.h"
#include "kernels/simd/positions-inl.h"
#include "kernels/simd/simd.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls reduce(rows, columns, for_taps, out) for every output pixel; for_taps(c, tap) calls tap(pointer to channel c)
// for the taps inside.
template <class T, class Reduce>
HWY_INLINE void ForPixels(const Args& args, Reduce&& reduce) {
  const PoolParams& p = args.pool;
  const WindowParams& w = p.window;
  const ptrdiff_t picture = static_cast<ptrdiff_t>(w.in_h) * w.in_w * p.channels;
  auto* out = static_cast<T*>(args.out);
  ForPositions(w, p.batch, [&](int32_t n, const Taps& rows, const Taps& columns) {
    const T* in = static_cast<const T*>(args.in[0]) + n * picture;
    const auto for_taps = [&](ptrdiff_t c, auto&& tap) {
      ForTaps(w, rows, columns, [&](ptrdiff_t pixel, ptrdiff_t) { tap(in + pixel * p.channels + c); });
    };
    reduce(rows, columns, for_taps, out);
    out += p.channels;
  });
}

// Bounds of the activation as values of T.
template <class T>
HWY_INLINE T Bound(int32_t bound) {
  return static_cast<T>(clamp_steadily(bound, hwy::LimitsMin<T>(), hwy::LimitsMax<T>()));
}

template <class T>
HWY_INLINE void Max(const Args& args) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  // Unsigned 32-bit bounds have no activation: the whole range.
  const T lo = Bound<T>(args.pool.act.min), hi = Bound<T>(args.pool.act.max);
  ForPixels<T>(args, [&](const Taps&, const Taps&, const auto& for_taps, T* out) {
    ptrdiff_t c = 0;
    for (; c + lanes <= args.pool.channels; c += lanes) {
      auto best = hn::Set(d, hwy::LimitsMin<T>());
      for_taps(c, [&](const T* tap) { best = hn::Max(best, hn::LoadU(d, tap)); });
      hn::StoreU(hn::Min(hn::Max(best, hn::Set(d, lo)), hn::Set(d, hi)), d, out + c);
    }
    for (; c < args.pool.channels; ++c) {
      T best = hwy::LimitsMin<T>();
      for_taps(c, [&](const T* tap) { best = *tap > best ? *tap : best; });
      out[c] = best < lo ? lo : best > hi ? hi : best;
    }
  });
}

// away(sum, count) as a product and a shift: with u = 2 |sum| + count and d = 2 count, floor(u * m / 2^23) is
// floor(u / d) for m = floor(2^23 / d) + 1 as long as u * d < 2^23, and u * m fits 32 bits as long as u / d < 256.
// Both hold for up to 90 cells of 8 bits.
constexpr int32_t kShift = 23;

template <class T>
HWY_INLINE void Average(const Args& args) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<T, decltype(d)> narrow;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  const Activation& act = args.pool.act;
  ForPixels<T>(args, [&](const Taps& rows, const Taps& columns, const auto& for_taps, T* out) {
    const int32_t count = (rows.end - rows.begin) * (columns.end - columns.begin);
    const uint32_t inverse = count <= 0 ? 0 : (uint32_t{1} << kShift) / (2 * static_cast<uint32_t>(count)) + 1;
    ptrdiff_t c = 0;
    for (; c + lanes <= args.pool.channels; c += lanes) {
      auto sum = hn::Zero(d);
      for_taps(c, [&](const T* tap) { sum = hn::Add(sum, hn::PromoteTo(d, hn::LoadU(narrow, tap))); });
      const auto size = hn::BitCast(bits, hn::Abs(sum));
      const auto twice = hn::Add(hn::Add(size, size), hn::Set(bits, static_cast<uint32_t>(count)));
      const auto mean = hn::BitCast(d, hn::ShiftRight<kShift>(hn::Mul(twice, hn::Set(bits, inverse))));
      const auto negative = hn::ShiftRight<31>(sum);
      const auto result = hn::Sub(hn::Xor(mean, negative), negative);
      hn::StoreU(hn::DemoteTo(narrow, hn::Min(hn::Max(result, hn::Set(d, act.min)), hn::Set(d, act.max))), narrow,
                 out + c);
    }
    for (; c < args.pool.channels; ++c) {
      int32_t sum = 0;
      for_taps(c, [&](const T* tap) { sum += *tap; });
      const int32_t negative = sum >> 31, size = (sum ^ negative) - negative;
      const auto mean = static_cast<int32_t>((static_cast<uint32_t>(2 * size + count) * inverse) >> kShift);
      out[c] = static_cast<T>(clamp((mean ^ negative) - negative, act.min, act.max));
    }
  });
}

void MaxI32(const Args& args) { Max<int32_t>(args); }
void MaxI16(const Args& args) { Max<int16_t>(args); }
void MaxU16(const Args& args) { Max<uint16_t>(args); }
void MaxI8(const Args& args) { Max<int8_t>(args); }
void MaxU8(const Args& args) { Max<uint8_t>(args); }
void AverageI8(const Args& args) { Average<int8_t>(args); }
void AverageU8(const Args& args) { Average<uint8_t>(args); }

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bitexact {
HWY_EXPORT(MaxI32);
HWY_EXPORT(MaxI16);
HWY_EXPORT(MaxU16);
HWY_EXPORT(MaxI8);
HWY_EXPORT(MaxU8);
HWY_EXPORT(AverageI8);
HWY_EXPORT(AverageU8);

namespace simd {
void max_pool2d_i32_channels(const Args& args) noexcept { BITEXACT_DISPATCH(MaxI32)(args); }
void max_pool2d_i16_channels(const Args& args) noexcept { BITEXACT_DISPATCH(MaxI16)(args); }
void max_pool2d_u16_channels(const Args& args) noexcept { BITEXACT_DISPATCH(MaxU16)(args); }
void max_pool2d_i8_channels(const Args& args) noexcept { BITEXACT_DISPATCH(MaxI8)(args); }
void max_pool2d_u8_channels(const Args& args) noexcept { BITEXACT_DISPATCH(MaxU8)(args); }
void avg_pool2d_i8_channels(const Args& args) noexcept { BITEXACT_DISPATCH(AverageI8)(args); }
void avg_pool2d_u8_channels(const Args& args) noexcept { BITEXACT_DISPATCH(AverageU8)(args); }
}  // namespace simd
}  // namespace bitexact
#endif
