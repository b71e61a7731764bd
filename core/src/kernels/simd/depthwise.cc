// Depthwise convolutions of channels that lie side by side: each lane is a channel.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/depthwise.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/requant.h"
#include "kernels/simd/dispatch.h"
#include "kernels/simd/positions-inl.h"
#include "kernels/simd/simd.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sums[l] = bias + the products of channel c + l, in int32, for as many channels as `d` has lanes.
template <class D, class X>
HWY_INLINE void Block(D d, const QConvParams& q, const X* in, const int16_t* weights, const int32_t* bias, ptrdiff_t c,
                      const Taps& rows, const Taps& columns, int32_t* sums) {
  const hn::Rebind<X, D> d_in;
  const hn::Rebind<int16_t, D> d_weights;
  const auto zero = hn::Set(d, q.requant.input_zero);
  auto sum = bias == nullptr ? hn::Zero(d) : hn::LoadU(d, bias + c);
  const ptrdiff_t channels = q.conv.in_c;
  ForTaps(q.conv.window, rows, columns, [&](ptrdiff_t pixel, ptrdiff_t tap) {
    const auto a = hn::Sub(hn::PromoteTo(d, hn::LoadU(d_in, in + pixel * channels + c)), zero);
    sum = hn::Add(sum, hn::Mul(a, hn::PromoteTo(d, hn::LoadU(d_weights, weights + tap * channels + c))));
  });
  hn::StoreU(sum, d, sums);
}

// All channels of one output position.
template <class X>
HWY_INLINE void Position(const QConvParams& q, const X* in, const int16_t* weights, const int32_t* bias,
                         const Taps& rows, const Taps& columns, X* out) {
  const hn::ScalableTag<int32_t> d;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  const auto finish = [&](int32_t sum, ptrdiff_t c) {
    const int64_t y = requantize(q.requant, sum, static_cast<int32_t>(c)) + q.requant.output_zero;
    return static_cast<X>(clamp_steadily(y, q.conv.act.min, q.conv.act.max));
  };
  HWY_ALIGN int32_t sums[HWY_MAX_BYTES / sizeof(int32_t)];
  ptrdiff_t c = 0;
  for (; c + lanes <= q.conv.in_c; c += lanes) {
    Block(d, q, in, weights, bias, c, rows, columns, sums);
    for (ptrdiff_t l = 0; l < lanes; ++l) out[c + l] = finish(sums[l], c + l);
  }
  for (; c < q.conv.in_c; ++c) {
    int32_t sum = bias == nullptr ? 0 : bias[c];
    ForTaps(q.conv.window, rows, columns, [&](ptrdiff_t pixel, ptrdiff_t tap) {
      sum += (in[pixel * q.conv.in_c + c] - q.requant.input_zero) * weights[tap * q.conv.in_c + c];
    });
    out[c] = finish(sum, c);
  }
}

template <class X>
HWY_INLINE void Depthwise(const Args& args) {
  const QConvParams& q = args.q_conv;
  const ConvParams& p = q.conv;
  const ptrdiff_t picture = static_cast<ptrdiff_t>(p.window.in_h) * p.window.in_w * p.in_c;
  const auto* weights = reinterpret_cast<const int16_t*>(args.packed);
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  auto* out = static_cast<X*>(args.out);
  ForPositions(p.window, p.batch, [&](int32_t n, const Taps& rows, const Taps& columns) {
    Position(q, static_cast<const X*>(args.in[0]) + n * picture, weights, bias, rows, columns, out);
    out += p.in_c;
  });
}

void DepthwiseI8(const Args& args) { Depthwise<int8_t>(args); }
void DepthwiseU8(const Args& args) { Depthwise<uint8_t>(args); }

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bitexact {
HWY_EXPORT(DepthwiseI8);
HWY_EXPORT(DepthwiseU8);

namespace simd {
namespace {

size_t taps(const QConvParams& q) noexcept {
  return static_cast<size_t>(q.conv.window.kernel_h) * static_cast<size_t>(q.conv.window.kernel_w);
}

// From a filter after the other to a tap after the other, less their zero.
template <class W>
void pack(const QConvParams& q, const W* weights, int16_t* packed) noexcept {
  const auto channels = static_cast<size_t>(q.conv.in_c);
  for (size_t c = 0; c < channels; ++c)
    for (size_t t = 0; t < taps(q); ++t)
      packed[t * channels + c] = static_cast<int16_t>(weights[c * taps(q) + t] - q.requant.weight_zero);
}

}  // namespace

size_t q_conv2d_depthwise_bytes(const Args& args) noexcept {
  return taps(args.q_conv) * static_cast<size_t>(args.q_conv.conv.in_c) * sizeof(int16_t);
}
void q_conv2d_depthwise_pack(const Args& args, std::byte* packed) noexcept {
  auto* to = reinterpret_cast<int16_t*>(packed);
  if (args.q_conv.weights == DType::i8)
    pack(args.q_conv, static_cast<const int8_t*>(args.in[1]), to);
  else
    pack(args.q_conv, static_cast<const uint8_t*>(args.in[1]), to);
}
void q_conv2d_i8_depthwise(const Args& args) noexcept { BITEXACT_DISPATCH(DepthwiseI8)(args); }
void q_conv2d_u8_depthwise(const Args& args) noexcept { BITEXACT_DISPATCH(DepthwiseU8)(args); }
}  // namespace simd
}  // namespace bitexact
#endif
