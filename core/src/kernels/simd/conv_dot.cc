// Convolutions of channels that lie side by side: each output is a dot product of neighbouring elements.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/conv_dot.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/exact.h"
#include "kernels/requant.h"
#include "kernels/simd/dispatch.h"
#include "kernels/simd/positions-inl.h"
#include "kernels/simd/products-inl.h"
#include "kernels/simd/simd.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four filters share each load of the input.
constexpr int32_t kFilters = 4;

// Sums of products of q16 and int32 or int16 weights in int64.
template <class W>
struct DotQ16 {
  using In = int32_t;
  using Weight = W;
  using Sum = int64_t;

  HWY_INLINE Sum Product(In a, Weight b) const { return static_cast<Sum>(a) * b; }

#if HWY_TARGET != HWY_SCALAR
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const Weight* w) {
    if constexpr (sizeof(Weight) == sizeof(In))
      return hn::LoadU(d, w);
    else
      return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Weight, D>(), w));
  }

  template <class V>
  static HWY_INLINE auto Products(V a, V b, V a_odd) {
    return hn::Add(MulEvenSigned(a, b), MulEvenSigned(a_odd, hn::DupOdd(b)));
  }
#endif

  // sums[f] += the dot product of `count` elements with filter f; those lie `filter` apart.
  HWY_INLINE void operator()(const In* in, const Weight* w, ptrdiff_t filter, ptrdiff_t count, Sum* sums) const {
    ptrdiff_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<int32_t> d;
    const hn::RepartitionToWide<decltype(d)> wide;
    const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
    auto s0 = hn::Zero(wide), s1 = s0, s2 = s0, s3 = s0;
    for (; i + lanes <= count; i += lanes) {
      const auto a = hn::LoadU(d, in + i), odd = hn::DupOdd(a);
      s0 = hn::Add(s0, Products(a, Load(d, w + i), odd));
      s1 = hn::Add(s1, Products(a, Load(d, w + filter + i), odd));
      s2 = hn::Add(s2, Products(a, Load(d, w + 2 * filter + i), odd));
      s3 = hn::Add(s3, Products(a, Load(d, w + 3 * filter + i), odd));
    }
    sums[0] += hn::GetLane(hn::SumOfLanes(wide, s0));
    sums[1] += hn::GetLane(hn::SumOfLanes(wide, s1));
    sums[2] += hn::GetLane(hn::SumOfLanes(wide, s2));
    sums[3] += hn::GetLane(hn::SumOfLanes(wide, s3));
#endif
    for (; i < count; ++i)
      for (ptrdiff_t f = 0; f < kFilters; ++f) sums[f] += Product(in[i], w[f * filter + i]);
  }
};

// Sums of 8-bit products in int32: elements less their zero fit int16, whose products are added in pairs.
template <class X, class W>
struct DotQuantized {
  using In = X;
  using Weight = W;
  using Sum = int32_t;

  int16_t input_zero, weight_zero;

  HWY_INLINE Sum Product(In a, Weight b) const { return (a - input_zero) * (b - weight_zero); }

  template <class D, class T, class V>
  static HWY_INLINE V LoadLess(D d, const T* p, V zero) {
    return hn::Sub(hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), p)), zero);
  }

  HWY_INLINE void operator()(const In* in, const Weight* w, ptrdiff_t filter, ptrdiff_t count, Sum* sums) const {
    ptrdiff_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<int16_t> d;
    const hn::Repartition<int32_t, decltype(d)> wide;
    const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
    const auto zx = hn::Set(d, input_zero), zw = hn::Set(d, weight_zero);
    auto s0 = hn::Zero(wide), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
    for (; i + lanes <= count; i += lanes) {
      const auto a = LoadLess(d, in + i, zx);
      s0 = hn::ReorderWidenMulAccumulate(wide, a, LoadLess(d, w + i, zw), s0, t0);
      s1 = hn::ReorderWidenMulAccumulate(wide, a, LoadLess(d, w + filter + i, zw), s1, t1);
      s2 = hn::ReorderWidenMulAccumulate(wide, a, LoadLess(d, w + 2 * filter + i, zw), s2, t2);
      s3 = hn::ReorderWidenMulAccumulate(wide, a, LoadLess(d, w + 3 * filter + i, zw), s3, t3);
    }
    sums[0] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(s0, t0)));
    sums[1] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(s1, t1)));
    sums[2] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(s2, t2)));
    sums[3] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(s3, t3)));
#endif
    for (; i < count; ++i)
      for (ptrdiff_t f = 0; f < kFilters; ++f) sums[f] += Product(in[i], w[f * filter + i]);
  }
};

// The taps of one output position: calls run(in offset, weight offset, count) for pieces where both lie side by side.
template <class Run>
HWY_INLINE void ForRuns(const ConvParams& p, const Taps& rows, const Taps& columns, Run&& run) {
  const WindowParams& w = p.window;
  const ptrdiff_t channels = p.in_c / p.groups;
  const bool whole_rows = p.groups == 1 && w.dilation_w == 1;
  const int32_t pieces = whole_rows ? 1 : columns.end - columns.begin;
  const ptrdiff_t count = whole_rows ? (columns.end - columns.begin) * channels : channels;
  if (columns.end <= columns.begin) return;
  for (int32_t i = rows.begin; i < rows.end; ++i) {
    const ptrdiff_t row = static_cast<ptrdiff_t>(rows.at + i * w.dilation_h) * w.in_w;
    for (int32_t piece = 0; piece < pieces; ++piece) {
      const int32_t j = columns.begin + piece;
      run((row + columns.at + j * w.dilation_w) * p.in_c, (static_cast<ptrdiff_t>(i) * w.kernel_w + j) * channels,
          count);
    }
  }
}

// The outputs of one group at one position. `in` is the group's first channel of the picture's first pixel; `start(o)`
// is what a sum begins with, `finish(sum, o)` makes it an output.
template <class Dot, class Start, class Finish>
HWY_INLINE void Position(const ConvParams& p, const Dot& dot, const typename Dot::In* in,
                         const typename Dot::Weight* filters, const Taps& rows, const Taps& columns, Start&& start,
                         Finish&& finish, typename Dot::In* out) {
  const ptrdiff_t filter = static_cast<ptrdiff_t>(p.in_c / p.groups) * p.window.kernel_h * p.window.kernel_w;
  const int32_t outputs = p.out_c / p.groups;
  int32_t o = 0;
  for (; o + kFilters <= outputs; o += kFilters) {
    typename Dot::Sum sums[kFilters];
    for (int32_t f = 0; f < kFilters; ++f) sums[f] = start(o + f);
    ForRuns(p, rows, columns, [&](ptrdiff_t at, ptrdiff_t tap, ptrdiff_t count) {
      dot(in + at, filters + o * filter + tap, filter, count, sums);
    });
    for (int32_t f = 0; f < kFilters; ++f) out[o + f] = finish(sums[f], o + f);
  }
  for (; o < outputs; ++o) {
    typename Dot::Sum sum = start(o);
    ForRuns(p, rows, columns, [&](ptrdiff_t at, ptrdiff_t tap, ptrdiff_t count) {
      const auto* w = filters + o * filter + tap;
      for (ptrdiff_t i = 0; i < count; ++i) sum += dot.Product(in[at + i], w[i]);
    });
    out[o] = finish(sum, o);
  }
}

template <class Dot, class Start, class Finish>
HWY_INLINE void ConvolveDot(const ConvParams& p, const Args& args, const Dot& dot, Start&& start, Finish&& finish) {
  const WindowParams& w = p.window;
  const auto* in = static_cast<const typename Dot::In*>(args.in[0]);
  const auto* weights = static_cast<const typename Dot::Weight*>(args.in[1]);
  auto* out = static_cast<typename Dot::In*>(args.out);
  const int32_t channels = p.in_c / p.groups, outputs = p.out_c / p.groups;
  const ptrdiff_t group = static_cast<ptrdiff_t>(outputs) * channels * w.kernel_h * w.kernel_w;
  const ptrdiff_t picture = static_cast<ptrdiff_t>(w.in_h) * w.in_w * p.in_c;
  ForPositions(w, p.batch, [&](int32_t n, const Taps& rows, const Taps& columns) {
    for (int32_t g = 0; g < p.groups; ++g, out += outputs)
      Position(
          p, dot, in + n * picture + static_cast<ptrdiff_t>(g) * channels, weights + g * group, rows, columns,
          [&](int32_t o) { return start(g * outputs + o); },
          [&](typename Dot::Sum sum, int32_t o) { return finish(sum, g * outputs + o); }, out);
  });
}

void ConvDotQ16(const Args& args) {
  const ConvParams& p = args.conv;
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  ConvolveDot(
      p, args, DotQ16<int32_t>(), [&](int32_t o) { return (bias == nullptr ? 0 : bias[o] * int64_t{65536}) + 0x8000; },
      [&](int64_t sum, int32_t) { return static_cast<int32_t>(clamp_steadily(sum >> 16, p.act.min, p.act.max)); });
}

void ConvDotW16(const Args& args) {
  const ScaledConvParams& s = args.scaled_conv;
  const ConvParams& p = s.conv;
  const auto* bias = static_cast<const int64_t*>(p.has_bias ? args.in[2] : nullptr);
  const auto shift = [&](int32_t o) { return s.shift[s.per_channel ? o : 0]; };
  ConvolveDot(
      p, args, DotQ16<int16_t>(),
      [&](int32_t o) { return (bias == nullptr ? 0 : bias[o]) + ((int64_t{1} << shift(o)) >> 1); },
      [&](int64_t sum, int32_t o) { return clamp(saturate_steadily(sum >> shift(o)), p.act.min, p.act.max); });
}

template <class X, class W>
HWY_INLINE void ConvDotQuantizedOf(const Args& args) {
  const ConvParams& p = args.q_conv.conv;
  const RequantParams& q = args.q_conv.requant;
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  const DotQuantized<X, W> dot{static_cast<int16_t>(q.input_zero), static_cast<int16_t>(q.weight_zero)};
  ConvolveDot(
      p, args, dot, [&](int32_t o) { return bias == nullptr ? 0 : bias[o]; },
      [&](int32_t sum, int32_t o) {
        return static_cast<X>(clamp_steadily(requantize(q, sum, o) + q.output_zero, p.act.min, p.act.max));
      });
}

template <class X>
HWY_INLINE void ConvDotQuantized(const Args& args) {
  if (args.q_conv.weights == DType::i8)
    ConvDotQuantizedOf<X, int8_t>(args);
  else
    ConvDotQuantizedOf<X, uint8_t>(args);
}

void ConvDotI8(const Args& args) { ConvDotQuantized<int8_t>(args); }
void ConvDotU8(const Args& args) { ConvDotQuantized<uint8_t>(args); }

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bitexact {
HWY_EXPORT(ConvDotQ16);
HWY_EXPORT(ConvDotW16);
HWY_EXPORT(ConvDotI8);
HWY_EXPORT(ConvDotU8);

namespace simd {
void conv2d_q16_dot(const Args& args) noexcept { BITEXACT_DISPATCH(ConvDotQ16)(args); }
void conv2d_w16_dot(const Args& args) noexcept { BITEXACT_DISPATCH(ConvDotW16)(args); }
void q_conv2d_i8_dot(const Args& args) noexcept { BITEXACT_DISPATCH(ConvDotI8)(args); }
void q_conv2d_u8_dot(const Args& args) noexcept { BITEXACT_DISPATCH(ConvDotU8)(args); }
}  // namespace simd
}  // namespace bitexact
#endif
