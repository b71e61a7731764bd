// Softmax as TFLite Micro computes it.
#include "kernels/element.h"
#include "kernels/reference/fixed_point.h"
#include "kernels/reference/reference.h"
#include "kernels/reference/softmax_tables.h"

namespace bitexact::reference {
namespace {

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
  return {exp_negative<5>(scaled), counts};
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
