// Between q16 and integers of another scale. Scales are parameters, binary32 by their bits; the rest is data.
#include <algorithm>

#include "kernels/element.h"
#include "kernels/exact.h"
#include "kernels/reference/reference.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

// A binary32 above 0: mantissa * 2^exponent. The mantissa of a normal one has 24 bits.
struct Binary32 {
  int64_t mantissa;
  int32_t exponent;
};
Binary32 parts_of(uint32_t bits) noexcept {
  const auto field = static_cast<int32_t>(bits >> 23);
  const int64_t fraction = bits & 0x7fffff;
  return field == 0 ? Binary32{fraction, -149} : Binary32{fraction | 0x800000, field - 150};
}

// x / (65536 * scale) to nearest, as |x| * 2^s / mantissa. Of the quotient 18 bits and the half are found: what is
// larger leaves every output, and is cut to 2^18.
class Divisor {
 public:
  Divisor(uint32_t scale, bool ties_away) noexcept : away_(ties_away) {
    const Binary32 b = parts_of(scale);
    const int32_t s = -16 - b.exponent - (kPlaces - 1);
    // |x| << 25 exceeds any mantissa, unless x is 0; and 2^31 / (2^23 << 39) vanishes. Subnormal scales have s > 0.
    left_ = std::clamp(s, 0, 25);
    divisor_ = static_cast<uint64_t>(b.mantissa) << std::clamp(-s, 0, 39);
  }

  [[nodiscard]] int64_t operator()(int32_t x) const noexcept {
    const int64_t negative = x >> 31;
    const auto size = static_cast<uint64_t>((int64_t{x} ^ negative) - negative) << left_;
    const uint64_t excess = size - divisor_, below = excess >> 63;
    const Quotient q = divide_steadily(divisor_ + (excess & (0 - below)), divisor_, kPlaces);
    const uint64_t whole = q.digits >> 1, some_left = static_cast<uint64_t>(q.rest != 0);
    const uint64_t up = q.digits & (some_left | (whole & 1) | static_cast<uint64_t>(away_)) & 1;
    return (static_cast<int64_t>(whole + up) ^ negative) - negative;
  }

 private:
  static constexpr int32_t kPlaces = 19;
  bool away_;
  int32_t left_;
  uint64_t divisor_;
};

template <DType T>
void quantize_to(const Args& args) noexcept {
  const QuantizeParams& p = args.quantize;
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  auto* out = static_cast<Element<T>*>(args.out);
  const Divisor divided(p.scale, p.ties_away);
  for (size_t i = 0; i < p.count; ++i)
    out[i] = static_cast<Element<T>>(clamp_steadily(divided(in[i]) + p.zero, kLowest<T>, kHighest<T>));
}

// 65536 * scale * x to nearest, ties upwards, saturated; |x| <= 2^32. A product beyond 2^31 stays there when it moves
// left, and one below 2^57 vanishes by 60 places to the right.
class Multiplier {
 public:
  explicit Multiplier(uint32_t scale) noexcept {
    const Binary32 b = parts_of(scale);
    mantissa_ = b.mantissa;
    left_ = std::clamp(b.exponent + 16, 0, 31);
    right_ = std::clamp(-(b.exponent + 16), 0, 60);
  }

  [[nodiscard]] int32_t operator()(int64_t x) const noexcept {
    const int64_t product = left_ > 0 ? clamp_steadily(x * mantissa_, -kEnd, kEnd) * (int64_t{1} << left_)
                                      : (x * mantissa_ + ((int64_t{1} << right_) >> 1)) >> right_;
    return saturate_steadily(product);
  }

 private:
  static constexpr int64_t kEnd = int64_t{1} << 31;
  int64_t mantissa_;
  int32_t left_, right_;
};

template <DType In, DType Out>
void requantize_to(const Args& args) noexcept {
  const RequantizeParams& p = args.requantize;
  const auto* in = static_cast<const Element<In>*>(args.in[0]);
  auto* out = static_cast<Element<Out>*>(args.out);
  for (size_t i = 0; i < p.count; ++i) {
    const int64_t y = bitexact::requantize(p.requant, in[i] - p.requant.input_zero, 0) + p.requant.output_zero;
    out[i] = static_cast<Element<Out>>(clamp_steadily(y, kLowest<Out>, kHighest<Out>));
  }
}

}  // namespace

void quantize_q16(const Args& args) noexcept {
  if (args.quantize.output == DType::i8) return quantize_to<DType::i8>(args);
  if (args.quantize.output == DType::u8) return quantize_to<DType::u8>(args);
  quantize_to<DType::i16>(args);
}

template <DType T>
void dequantize(const Args& args) noexcept {
  const DequantizeParams& p = args.dequantize;
  const auto* in = static_cast<const Element<T>*>(args.in[0]);
  auto* out = static_cast<int32_t*>(args.out);
  for (ptrdiff_t o = 0; o < p.outer; ++o)
    for (ptrdiff_t c = 0; c < p.axis; ++c) {
      const Multiplier times(p.scale[c * p.scale_step]);
      const int64_t zero = p.zero[c];
      for (ptrdiff_t i = 0; i < p.inner; ++i) *out++ = times(*in++ - zero);
    }
}
template void dequantize<DType::i8>(const Args&) noexcept;
template void dequantize<DType::u8>(const Args&) noexcept;
template void dequantize<DType::i16>(const Args&) noexcept;
template void dequantize<DType::i32>(const Args&) noexcept;

template <DType T>
void requantize(const Args& args) noexcept {
  if (args.requantize.output == DType::i8) return requantize_to<T, DType::i8>(args);
  if (args.requantize.output == DType::u8) return requantize_to<T, DType::u8>(args);
  requantize_to<T, DType::i16>(args);
}
template void requantize<DType::i8>(const Args&) noexcept;
template void requantize<DType::u8>(const Args&) noexcept;
template void requantize<DType::i16>(const Args&) noexcept;

}  // namespace bitexact::reference
