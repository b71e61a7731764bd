#pragma once
// From an integer accumulator to a quantized output; ARITHMETIC 7. Shift counts are parameters, the rest is data: masks
// instead of branches, and no float unit, whose modes and excess precision differ between machines.
#include <bit>
#include <cstdint>

#include "kernels/exact.h"
#include "kernels/kernels.h"

namespace bitexact {

/// The low 32 bits of x * 2^left.
[[nodiscard]] constexpr int32_t wrap32(int64_t x, int32_t left) noexcept {
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(x) << left));
}

/// a * b / 2^31, saturated. The law's nudge and truncation round to nearest, ties upwards, whatever the sign.
[[nodiscard]] constexpr int32_t srdhm(int32_t a, int32_t b) noexcept {
  const int64_t rounded = (int64_t{a} * b + (int64_t{1} << 30)) >> 31;
  return static_cast<int32_t>(rounded - ((rounded + (int64_t{1} << 31)) >> 32));
}

/// x / 2^e to nearest, ties away from zero; 0 <= e <= 61. Half a unit is added one place further right, so that e = 0
/// is no special case.
[[nodiscard]] constexpr int32_t rdpot(int32_t x, int32_t e) noexcept {
  return static_cast<int32_t>((2 * int64_t{x} + (int64_t{1} << e) + (x >> 31)) >> (e + 1));
}

/// TFLite's MultiplyByQuantizedMultiplier: acc * multiplier * 2^(shift - 31), rounded twice; -31 <= shift <= 31.
[[nodiscard]] constexpr int32_t requant_tflm(int64_t acc, int32_t multiplier, int32_t shift) noexcept {
  return rdpot(srdhm(wrap32(acc, shift > 0 ? shift : 0), multiplier), shift < 0 ? -shift : 0);
}

/// The same for int16 activations with int64 bias: 16 bits of the multiplier, rounded once. |acc| < 2^47,
/// 0 <= multiplier, -31 <= shift <= 14.
[[nodiscard]] constexpr int64_t requant_tflm_wide(int64_t acc, int32_t multiplier, int32_t shift) noexcept {
  const int64_t reduced = multiplier >= 0x7fff0000 ? 0x7fff : (multiplier + 0x8000) >> 16;
  return (acc * reduced + (int64_t{1} << (14 - shift))) >> (15 - shift);
}

/// x / 2^e to nearest, ties to even; x < 2^62, 0 <= e <= 61.
[[nodiscard]] constexpr uint64_t shift_to_even(uint64_t x, int64_t e) noexcept {
  return (2 * x + (uint64_t{1} << e) - 1 + (x >> e & 1)) >> (e + 1);
}

/// Of the bits of x, those beyond a binary32's 24; x < 2^63. By 32 bits, since a machine of 32 would branch.
[[nodiscard]] constexpr int64_t excess_bits(uint64_t x) noexcept {
  const uint64_t high = x >> 32, none = (high - 1) >> 32;  // none: 32 ones where high is 0
  const int zeros = std::countl_zero(static_cast<uint32_t>(high | (x & none) | 1)) + static_cast<int>(none & 32);
  return clamp_steadily(40 - zeros, 0, 40);
}

/// The nearest integer, ties to even, to binary32(binary32(acc) * scale); |acc| < 2^62, and so is the result: what
/// exceeds it no dtype holds. `scale` are the bits of a finite binary32 above 0.
[[nodiscard]] constexpr int64_t requant_xnnpack(int64_t acc, uint32_t scale) noexcept {
  const int64_t sign = acc >> 63;
  const auto size = static_cast<uint64_t>((acc ^ sign) - sign);
  const uint32_t exponent = scale >> 23, normal = exponent == 0 ? 0 : 1;

  int64_t power = excess_bits(size) + exponent + (1 - normal) - 150;
  const uint64_t product = shift_to_even(size, excess_bits(size)) * ((scale & 0x7fffff) | normal << 23);
  power += excess_bits(product);
  // No product is subnormal: its power of two is at least the scale's, and so at least the smallest binary32.
  const uint64_t rounded = shift_to_even(product, excess_bits(product));
  const uint64_t whole = shift_to_even(rounded, clamp_steadily(-power, 0, 40)) << clamp_steadily(power, 0, 37);
  return (static_cast<int64_t>(whole) ^ sign) - sign;
}

/// An output of channel `c`, without its zero.
[[nodiscard]] inline int64_t requantize(const RequantParams& p, int64_t acc, int32_t c) noexcept {
  const int32_t i = p.per_channel ? c : 0;
  if (p.rule == Requant::xnnpack) return requant_xnnpack(acc, p.scale[i]);
  return p.wide_bias ? requant_tflm_wide(acc, p.multiplier[i], p.shift[i])
                     : requant_tflm(acc, p.multiplier[i], p.shift[i]);
}

}  // namespace bitexact
