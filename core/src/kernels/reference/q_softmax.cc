// Softmax as TFLite Micro computes it. Qm.n is an int32 with m bits before the point.
#include <array>

#include "kernels/element.h"
#include "kernels/reference/reference.h"
#include "kernels/reference/softmax_tables.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

constexpr int32_t kMax32 = INT32_MAX;

int32_t saturated(int64_t x) noexcept { return static_cast<int32_t>(clamp_steadily(x, INT32_MIN, kMax32)); }

// exp of a Q0.31 in [-1/4, 0): Taylor's series about -1/8.
int32_t exp_near_zero(int32_t a) noexcept {
  constexpr int32_t kExpOfMinusEighth = 1895147668, kThird = 715827883;
  const int32_t x = a + (1 << 28), x2 = srdhm(x, x), x3 = srdhm(x2, x), x4 = srdhm(x2, x2);
  const int32_t terms = rdpot(srdhm(rdpot(x4, 2) + x3, kThird) + x2, 1);
  return kExpOfMinusEighth + srdhm(kExpOfMinusEighth, x + terms);
}

// Q5.26, not above 0, to Q0.31: exp of what is left after whole quarters, times a factor for each bit of their number.
int32_t exp_negative(int32_t a) noexcept {
  // exp(-2^i), i from -2 to 4
  constexpr std::array<int32_t, 7> kFactors = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  constexpr int32_t kQuarter = 1 << 24;
  const int32_t left = (a & (kQuarter - 1)) - kQuarter;
  const uint32_t quarters = (static_cast<uint32_t>(left) - static_cast<uint32_t>(a)) >> 24;
  int32_t y = exp_near_zero(left * 32);
  for (size_t i = 0; i < kFactors.size(); ++i) {
    const int32_t taken = -static_cast<int32_t>(quarters >> i & 1);
    y = (srdhm(y, kFactors[i]) & taken) | (y & ~taken);
  }
  const int32_t zero = ~(a | wrap32(-int64_t{a}, 0)) >> 31;
  return (kMax32 & zero) | (y & ~zero);
}

// 1 / (1 + a), both Q0.31: three steps of Newton's from 48/17 - 32/17 * (1 + a) / 2, in Q2.29.
int32_t reciprocal_of_one_plus(int32_t a) noexcept {
  const int32_t half = (a >> 1) + (1 << 30);
  int32_t x = 1515870810 + srdhm(half, -1010580540);
  for (int i = 0; i < 3; ++i) x += saturated(int64_t{srdhm(x, (1 << 29) - srdhm(half, x))} * 4);
  return saturated(int64_t{x} * 2);
}

template <class T>
int32_t largest(const T* row, ptrdiff_t n) noexcept {
  int32_t most = row[0];
  for (ptrdiff_t i = 1; i < n; ++i) most += (row[i] - most) & ~((row[i] - most) >> 31);
  return most;
}

// What an element weighs: exp of its distance from the row's largest, Q0.31. `counts` is a mask; further away than
// diff_min an element weighs nothing.
struct Weight {
  int32_t exp, counts;
};
Weight weight_of(const QSoftmaxParams& p, int32_t diff) noexcept {
  const auto counts = static_cast<int32_t>(~((int64_t{diff} - p.diff_min) >> 63));
  const int32_t scaled = srdhm(wrap32(diff & counts, p.input_left_shift), p.input_multiplier);
  return {exp_negative(scaled), counts};
}

template <class In, class Out>
void row8(const QSoftmaxParams& p, const In* in, Out* out) noexcept {
  constexpr int32_t kLeast = std::numeric_limits<Out>::min(), kMost = std::numeric_limits<Out>::max();
  constexpr int32_t kOutBits = 8 * static_cast<int32_t>(sizeof(Out));
  const int32_t top = largest(in, p.axis.axis);
  uint32_t sum = 0;  // Q12.19; prepare bounds the row
  for (ptrdiff_t i = 0; i < p.axis.axis; ++i) {
    const Weight w = weight_of(p, in[i] - top);
    sum += static_cast<uint32_t>(rdpot(w.exp, 12) & w.counts);
  }
  const int32_t headroom = std::countl_zero(sum | 1);
  const int32_t scale = reciprocal_of_one_plus(wrap32(sum, headroom) ^ INT32_MIN);
  for (ptrdiff_t i = 0; i < p.axis.axis; ++i) {
    const Weight w = weight_of(p, in[i] - top);
    const int32_t y = rdpot(srdhm(scale, w.exp), 12 - headroom + 31 - kOutBits) & w.counts;
    out[i] = static_cast<Out>(clamp_steadily(int64_t{y} + kLeast, kLeast, kMost));
  }
}

// Between the table's samples, 128 apart, by a straight line.
int32_t look_up(const int16_t (&table)[513], int64_t at) noexcept {
  const auto x = static_cast<int32_t>(clamp_steadily(at, INT16_MIN, INT16_MAX));
  const int16_t* sample = table + 256 + (x >> 7);
  return sample[0] + (((sample[1] - sample[0]) * (x & 127) + 64) >> 7);
}

void row16(const QSoftmaxParams& p, const int16_t* in, int16_t* out) noexcept {
  const int32_t top = largest(in, p.axis.axis);
  int32_t sum = 0;  // Q16.15; prepare bounds the row
  for (ptrdiff_t i = 0; i < p.axis.axis; ++i) {
    const int64_t scaled = requant_tflm(in[i] - top, p.input_multiplier, p.input_left_shift);
    out[i] = static_cast<int16_t>(look_up(kExpTable, scaled + 32767));
    sum += out[i];
  }
  const int32_t headroom = std::countl_zero(static_cast<uint32_t>(sum | 1)) - 1;
  const int64_t normal = ((int64_t{sum} << headroom) + (1 << 13)) >> 14;  // [1, 2], Q.16
  const int32_t scale = look_up(kReciprocalTable, normal - (1 << 15) - (1 << 16));
  for (ptrdiff_t i = 0; i < p.axis.axis; ++i) {
    const int64_t y = (int64_t{out[i]} * scale + (int64_t{1} << (29 - headroom))) >> (30 - headroom);
    out[i] = static_cast<int16_t>(clamp_steadily(y, 0, INT16_MAX));
  }
}

template <class In, class Out, class Row>
void rows(const Args& args, Row&& row) noexcept {
  const QSoftmaxParams& p = args.q_softmax;
  const auto* in = static_cast<const In*>(args.in[0]);
  auto* out = static_cast<Out*>(args.out);
  for (ptrdiff_t r = 0; r < p.axis.outer; ++r) row(p, in + r * p.axis.axis, out + r * p.axis.axis);
}

}  // namespace

template <DType T>
void q_softmax(const Args& args) noexcept {
  using In = Element<T>;
  if constexpr (T == DType::i16)
    rows<In, int16_t>(args, row16);
  else if (args.q_softmax.axis.output == DType::i16)
    rows<In, int16_t>(args, row8<In, int16_t>);
  else
    rows<In, In>(args, row8<In, In>);
}

template void q_softmax<DType::i8>(const Args& args) noexcept;
template void q_softmax<DType::u8>(const Args& args) noexcept;
template void q_softmax<DType::i16>(const Args& args) noexcept;

}  // namespace bitexact::reference
