#pragma once
#include <cstddef>
#include <cstdint>

#include "bitexact/ops.h"

namespace bitexact {

/// Clamps by masks, since a compiler may make a branch of a conditional, and time would then depend on data.
/// |x| <= 2^62 and |lo|, |hi| <= 2^32.
[[nodiscard]] constexpr int64_t clamp_steadily(int64_t x, int64_t lo, int64_t hi) noexcept {
  const int64_t above_lo = x - lo;
  const int64_t raised = lo + (above_lo & ~(above_lo >> 63));
  const int64_t above_hi = raised - hi;
  return hi + (above_hi & (above_hi >> 63));
}

/// The nearest value of int32, whatever x is.
[[nodiscard]] constexpr int32_t saturate_steadily(int64_t x) noexcept {
  const int64_t sign = x >> 63, excess = (x >> 31) ^ sign, beyond = (excess | -excess) >> 63;
  return static_cast<int32_t>((x & ~beyond) | ((sign ^ INT32_MAX) & beyond));
}

struct Quotient {
  uint64_t digits, rest;
};
/// floor(2^places * a / b), and 0 for the rest exactly when nothing is left, digit by digit: the time of a division
/// instruction may depend on its operands. a <= b, 0 < b <= 2^63, places < 64.
[[nodiscard]] constexpr Quotient divide_steadily(uint64_t a, uint64_t b, int places) noexcept {
  Quotient q{0, a};
  for (int i = 0; i <= places; ++i) {
    const uint64_t difference = q.rest - b, below = difference >> 63;
    q.digits = 2 * q.digits + (1 - below);
    q.rest = 2 * (difference + (b & (0 - below)));
  }
  return q;
}

/// sum / count to nearest, a tie upwards or away from zero; the quotient has `bits` bits. Upwards, for negatives, is
/// one less to divide. |sum| <= count * 2^31 and 1 <= count <= 2^30, so that nothing exceeds 2^63.
[[nodiscard]] constexpr int64_t nearest_quotient(int64_t sum, int64_t count, int bits, bool ties_away) noexcept {
  const int64_t negative = sum >> 63, magnitude = (sum ^ negative) - negative;
  const int64_t doubled = 2 * magnitude + count + (ties_away ? 0 : negative);
  const uint64_t divisor = static_cast<uint64_t>(2 * count) << bits;
  const auto quotient = static_cast<int64_t>(divide_steadily(static_cast<uint64_t>(doubled), divisor, bits).digits);
  return (quotient ^ negative) - negative;
}

/// The sum of up to 2^32 products of two int32, without overflow: value = high * 2^32 + low. Two products
/// FIXED_MIN * FIXED_MIN already leave int64.
struct ExactSum {
  uint64_t low = 0;
  int64_t high = 0;

  constexpr void add(int32_t a, int32_t b) noexcept {
    const int64_t product = static_cast<int64_t>(a) * b;
    low += static_cast<uint32_t>(product);
    high += product >> 32;
  }

  /// saturate(floor((value + 2^15) / 2^16))
  [[nodiscard]] constexpr int32_t to_q16() const noexcept {
    const uint64_t rounded = (low & 0xffffffff) + 0x8000;
    const int64_t top = high + static_cast<int64_t>(low >> 32) + static_cast<int64_t>(rounded >> 32);
    const auto fraction = static_cast<int64_t>(rounded >> 16 & 0xffff);
    return static_cast<int32_t>(
        clamp_steadily(clamp_steadily(top, -0x8001, 0x8000) * 65536 + fraction, INT32_MIN, INT32_MAX));
  }
};

[[nodiscard]] constexpr int32_t clamp(int32_t x, int32_t lo, int32_t hi) noexcept {
  return x < lo ? lo : x > hi ? hi : x;
}

/// Distances, in elements, between neighbours along each axis of a 4-D tensor.
struct Strides {
  ptrdiff_t n, c, y, x;
};
[[nodiscard]] constexpr Strides strides_of(Layout layout, int32_t channels, int32_t height, int32_t width) noexcept {
  const ptrdiff_t c = channels, h = height, w = width;
  return layout == Layout::nhwc ? Strides{h * w * c, 1, w * c, c} : Strides{c * h * w, h * w, w, 1};
}

}  // namespace bitexact
