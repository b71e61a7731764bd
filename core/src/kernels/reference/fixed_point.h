#pragma once
// The functions that TFLite Micro's 8-bit softmax, sigmoid and tanh are made of. Qm.n is an int32 with m bits before
// the point.
#include <array>

#include "kernels/requant.h"

namespace bitexact::reference {

[[nodiscard]] constexpr int32_t saturate32(int64_t x) noexcept {
  return static_cast<int32_t>(clamp_steadily(x, INT32_MIN, INT32_MAX));
}

/// `yes` where the mask has ones.
[[nodiscard]] constexpr int32_t select(int32_t mask, int32_t yes, int32_t no) noexcept {
  return (yes & mask) | (no & ~mask);
}

/// All ones when x is 0.
[[nodiscard]] constexpr int32_t zero_mask(int32_t x) noexcept { return ~(x | wrap32(-int64_t{x}, 0)) >> 31; }

/// exp of a Q0.31 in [-1/4, 0): Taylor's series about -1/8.
[[nodiscard]] constexpr int32_t exp_near_zero(int32_t a) noexcept {
  constexpr int32_t kExpOfMinusEighth = 1895147668, kThird = 715827883;
  const int32_t x = a + (1 << 28), x2 = srdhm(x, x), x3 = srdhm(x2, x), x4 = srdhm(x2, x2);
  const int32_t terms = rdpot(srdhm(rdpot(x4, 2) + x3, kThird) + x2, 1);
  return kExpOfMinusEighth + srdhm(kExpOfMinusEighth, x + terms);
}

/// exp of a number not above 0 with `Bits` (at most 5) before the point, to Q0.31: that of what is left after whole
/// quarters, times a factor for each bit of their number.
template <int Bits>
[[nodiscard]] constexpr int32_t exp_negative(int32_t a) noexcept {
  // exp(-2^i), i from -2 to 4
  constexpr std::array<int32_t, 7> kFactors = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  constexpr int32_t kPlaces = 29 - Bits, kQuarter = 1 << kPlaces;
  const int32_t left = (a & (kQuarter - 1)) - kQuarter;
  const uint32_t quarters = (static_cast<uint32_t>(left) - static_cast<uint32_t>(a)) >> kPlaces;
  int32_t y = exp_near_zero(left * (1 << Bits));
  for (size_t i = 0; i < Bits + 2; ++i) y = select(-static_cast<int32_t>(quarters >> i & 1), srdhm(y, kFactors[i]), y);
  return select(zero_mask(a), INT32_MAX, y);
}

/// 2 / (1 + a), a of Q0.31 and the result of Q2.29: three steps of Newton's from 48/17 - 32/17 * (1 + a) / 2.
[[nodiscard]] constexpr int32_t two_over_one_plus(int32_t a) noexcept {
  const int32_t half = (a >> 1) + (1 << 30);
  int32_t x = 1515870810 + srdhm(half, -1010580540);
  for (int i = 0; i < 3; ++i) x += saturate32(int64_t{srdhm(x, (1 << 29) - srdhm(half, x))} * 4);
  return x;
}

/// 1 / (1 + a), both Q0.31.
[[nodiscard]] constexpr int32_t reciprocal_of_one_plus(int32_t a) noexcept {
  return saturate32(int64_t{two_over_one_plus(a)} * 2);
}

}  // namespace bitexact::reference
