// exp, sigmoid, tanh and softmax, correctly rounded. There are no tables to look up, no branches and no divisions: time
// does not depend on values, not even through a cache.
#include "kernels/exact.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/exp_table.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// floor(a * b / 2^64), where no wider type is to be had.
constexpr uint64_t high_product(uint64_t a, uint64_t b) noexcept {
  const uint64_t a0 = static_cast<uint32_t>(a), a1 = a >> 32, b0 = static_cast<uint32_t>(b), b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + static_cast<uint32_t>(middle);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

// scale * exp(-t / 65536), off by less than 32 since each of 21 products is off by less than 1.5. That is 2^-27 of the
// last place of exp and softmax, and 2^-40 of sigmoid's and tanh's; no input between the saturation points comes closer
// than 2^-24.9 (exp, softmax), 2^-34.6 (sigmoid) or 2^-20.3 (tanh) to where its rounding turns: exp_table.py --margins.
constexpr uint64_t decay(uint64_t scale, int64_t t) noexcept {
  const auto bits = static_cast<uint64_t>(clamp_steadily(t, 0, (int64_t{1} << kExpBits) - 1));
  for (int k = 0; k < kExpBits; ++k) scale -= high_product(scale, kExpLoss[k]) & (0 - (bits >> k & 1));
  return scale;
}

// floor(2^bits * a / b + 1/2) for a <= b
constexpr int32_t ratio(uint64_t a, uint64_t b, int bits) noexcept {
  return static_cast<int32_t>((divide_steadily(a, b, bits + 1).digits + 1) >> 1);
}
constexpr int32_t ratio_q16(uint64_t a, uint64_t b) noexcept { return ratio(a, b, 16); }

// Nearest to 2^31 * exp(-t / 65536).
constexpr uint32_t softmax_term(int64_t t) noexcept {
  return static_cast<uint32_t>((decay(uint64_t{1} << 63, t) + 0x80000000) >> 32);
}

// |x|
constexpr int64_t magnitude(int64_t x) noexcept { return (x ^ x >> 63) - (x >> 63); }

constexpr uint64_t kOne = uint64_t{1} << 62;

int32_t exp_of(int32_t x) noexcept {
  const uint64_t scaled = decay(kExp11, 11 * FIXED_ONE - int64_t{x});
  return static_cast<int32_t>(clamp_steadily(static_cast<int64_t>((scaled + 0x80000000) >> 32), 0, FIXED_MAX));
}

// 1 / (1 + e) or e / (1 + e), where e = exp(-|x|)
int32_t sigmoid_of(int32_t x) noexcept {
  const uint64_t e = decay(kOne, magnitude(x)), negative = 0 - static_cast<uint64_t>(x < 0);
  return ratio_q16((kOne & ~negative) | (e & negative), kOne + e);
}

// (1 - e) / (1 + e), where e = exp(-2|x|), with the sign of x
int32_t tanh_of(int32_t x) noexcept {
  const uint64_t e = decay(kOne, 2 * magnitude(x));
  return (ratio_q16(kOne - e, kOne + e) ^ x >> 31) - (x >> 31);
}

// A share as q16, or as a code of 1/256.
template <class Out>
Out share(uint64_t term, uint64_t sum) noexcept {
  if constexpr (sizeof(Out) > 1)
    return ratio_q16(term, sum);
  else
    return static_cast<Out>(clamp_steadily(ratio(term, sum, 8), 0, 255) + std::numeric_limits<Out>::min());
}

template <class Out>
void softmax_run(const int32_t* in, Out* out, ptrdiff_t count, ptrdiff_t step) noexcept {
  int64_t top = FIXED_MIN;
  for (ptrdiff_t i = 0; i < count; ++i) top = clamp_steadily(in[i * step], top, FIXED_MAX);
  uint64_t sum = 0;
  for (ptrdiff_t i = 0; i < count; ++i) sum += softmax_term(top - in[i * step]);
  // Each term a second time, since a kernel has no memory of its own.
  for (ptrdiff_t i = 0; i < count; ++i) out[i * step] = share<Out>(softmax_term(top - in[i * step]), sum);
}

template <class Out>
void softmax_runs(const Args& args) noexcept {
  const AxisParams& p = args.axis;
  for (ptrdiff_t o = 0; o < p.outer; ++o) {
    for (ptrdiff_t i = 0; i < p.inner; ++i) {
      const ptrdiff_t at = o * p.axis * p.inner + i;
      softmax_run(static_cast<const int32_t*>(args.in[0]) + at, static_cast<Out*>(args.out) + at, p.axis, p.inner);
    }
  }
}

}  // namespace

void exp_q16(const Args& args) noexcept { each<int32_t>(args, exp_of); }
void sigmoid_q16(const Args& args) noexcept { each<int32_t>(args, sigmoid_of); }
void tanh_q16(const Args& args) noexcept { each<int32_t>(args, tanh_of); }

void softmax_q16(const Args& args) noexcept {
  const DType out = args.axis.output;
  (out == DType::i8 ? softmax_runs<int8_t> : out == DType::u8 ? softmax_runs<uint8_t> : softmax_runs<int32_t>)(args);
}

}  // namespace bitexact::reference
