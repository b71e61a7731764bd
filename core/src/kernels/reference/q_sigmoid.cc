// Sigmoid and tanh of quantized elements as TFLite Micro computes them.
#include "kernels/element.h"
#include "kernels/reference/fixed_point.h"
#include "kernels/reference/reference.h"
#include "kernels/reference/sigmoid_table.h"

namespace bitexact::reference {
namespace {

// Of a Q4.27.
int32_t sigmoid(int32_t a) noexcept {
  const int32_t negative = a >> 31, size = (a ^ negative) - negative;
  const int32_t y = reciprocal_of_one_plus(exp_negative<4>(-size));
  return select(zero_mask(a), 1 << 30, select(negative, INT32_MAX - y, y));
}

// (1 - e) / (1 + e) with e = exp(-2|a|), which is that of the same bits read as a Q5.26.
int32_t tanh(int32_t a) noexcept {
  const int32_t negative = a >> 31, size = (a ^ negative) - negative;
  const int32_t y = saturate32((int64_t{two_over_one_plus(exp_negative<5>(-size))} - (1 << 29)) * 4);
  return select(zero_mask(a), 0, (y ^ negative) - negative);
}

// Beyond the radius, 15, the result is that of its side.
template <bool Tanh>
int8_t of8(const QCurveParams& p, int32_t x) noexcept {
  const int64_t v = int64_t{x} - p.input_zero, inside = clamp_steadily(v, -int64_t{p.radius}, p.radius);
  const int32_t a = requant_tflm(inside, p.input_multiplier, p.input_left_shift);
  const int32_t y = Tanh ? rdpot(tanh(a), 24) : rdpot(sigmoid(a), 23) - 128;
  const auto above = static_cast<int32_t>(~((v - p.radius) >> 63)),
             below = static_cast<int32_t>(~((-v - p.radius) >> 63));
  return static_cast<int8_t>(clamp_steadily(select(below, -128, select(above, 127, y)), -128, 127));
}

// Between the table's samples, 2^Bits apart, by a straight line; from the last on `most`.
template <int32_t Bits>
int64_t look_up(int64_t size, int32_t most) noexcept {
  const int64_t i = clamp_steadily(size >> Bits, 0, 254), part = size & ((1 << Bits) - 1);
  const int64_t low = kSigmoidTable[i], high = kSigmoidTable[i + 1];
  const int64_t within = ((size >> Bits) - 255) >> 63;
  return (((low << Bits) + part * (high - low)) & within) | (most & ~within);
}

// A table for both: tanh(x) = 2 sigmoid(2x) - 1.
template <bool Tanh>
int16_t of16(const QCurveParams& p, int32_t x) noexcept {
  const int32_t shift = p.input_left_shift;
  const int64_t at = (int64_t{x} * p.input_multiplier + ((int64_t{1} << shift) >> 1)) >> shift;
  const int64_t negative = at >> 63, size = (at ^ negative) - negative;
  if constexpr (Tanh) {
    const int64_t y = look_up<8>(size, 0xffff << 8) - (1 << 23);
    return static_cast<int16_t>(((y ^ negative) - negative + 128 + negative) >> 8);
  } else {
    const int64_t y = look_up<9>(size, 0x7fff << 10);
    return static_cast<int16_t>((((y ^ negative) - negative) + ((1 << 25) & negative) + 512 + negative) >> 10);
  }
}

template <DType T, bool Tanh>
void curve(const Args& args) noexcept {
  using E = Element<T>;
  const QCurveParams& p = args.q_curve;
  const auto* in = static_cast<const E*>(args.in[0]);
  auto* out = static_cast<E*>(args.out);
  for (size_t i = 0; i < p.count; ++i) {
    if constexpr (T == DType::i8)
      out[i] = of8<Tanh>(p, in[i]);
    else
      out[i] = of16<Tanh>(p, in[i]);
  }
}

}  // namespace

template <DType T>
void q_sigmoid(const Args& args) noexcept {
  curve<T, false>(args);
}
template <DType T>
void q_tanh(const Args& args) noexcept {
  curve<T, true>(args);
}

template void q_sigmoid<DType::i8>(const Args& args) noexcept;
template void q_sigmoid<DType::i16>(const Args& args) noexcept;
template void q_tanh<DType::i8>(const Args& args) noexcept;
template void q_tanh<DType::i16>(const Args& args) noexcept;

}  // namespace bitexact::reference
