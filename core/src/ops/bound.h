#pragma once
#include <algorithm>
#include <bit>
#include <limits>

#include "bitexact/session.h"

namespace bitexact {

// Sizes of sums, which saturate at 2^63.
inline constexpr uint64_t kMostSum = uint64_t{1} << 63;
[[nodiscard]] constexpr uint64_t saturating_add(uint64_t a, uint64_t b) {
  return a > kMostSum - std::min(kMostSum, b) ? kMostSum : a + b;
}
[[nodiscard]] constexpr uint64_t saturating_mul(uint64_t a, uint64_t b) {
  return b != 0 && a > kMostSum / b ? kMostSum : a * b;
}
[[nodiscard]] constexpr uint64_t size_of_value(int64_t v) {
  return v < 0 ? ~static_cast<uint64_t>(v) + 1 : static_cast<uint64_t>(v);
}
/// Bits that hold all between -largest and largest.
[[nodiscard]] constexpr int signed_bits(uint64_t largest) { return static_cast<int>(std::bit_width(largest)) + 1; }

/// Sums of `terms` products of q16, one for each filter. Weights and bias are null unless they are constant.
struct Filters {
  int64_t count, terms;
  const int32_t* weights;
  bool has_bias;
  const int32_t* bias;
};

/// What the accumulator of such sums must hold, where weight i of filter o is `weights[at(o, i)]`.
template <class At>
[[nodiscard]] AccumulatorBound bound_q16(const Filters& f, At&& at) {
  constexpr uint64_t kMost = uint64_t{1} << 62;
  const auto size = [](int32_t v) { return static_cast<uint64_t>(v < 0 ? -int64_t{v} : int64_t{v}); };
  // The largest over all filters of sum |w| * 2^15 + |bias|: what 2^16 of bounds the accumulator. Saturates.
  uint64_t largest = 0;
  const int64_t different = f.weights == nullptr && f.bias == nullptr ? std::min<int64_t>(f.count, 1) : f.count;
  for (int64_t o = 0; o < different; ++o) {
    uint64_t sum = f.weights == nullptr ? std::min(kMost >> 31, static_cast<uint64_t>(f.terms)) << 31 : 0;
    if (f.weights != nullptr)
      for (int64_t i = 0; i < f.terms; ++i) sum = std::min(kMost, sum + size(f.weights[at(o, i)]));
    const uint64_t bias = !f.has_bias ? 0 : size(f.bias == nullptr ? std::numeric_limits<int32_t>::min() : f.bias[o]);
    largest = std::max(largest, sum >= kMost >> 15 ? kMost : (sum << 15) + bias);
  }
  const int bits = std::min(static_cast<int>(std::bit_width(largest)) + 17, 96);
  return {bits, "2^16 * (sum|w| * 2^15 + |bias|) + 2^15 with the largest bracket " + std::to_string(largest)};
}

}  // namespace bitexact
