#pragma once
// Checks that the quantized operators share.
#include "ops/prepare.h"

namespace bitexact {

inline constexpr DTypes kQuantized = only(DType::i8) | only(DType::u8) | only(DType::i16);

struct Range {
  int64_t lowest, highest;
};
/// Of i8, u8, i16 and i32.
[[nodiscard]] Range range_of(DType t) noexcept;
/// The largest |x - zero|.
[[nodiscard]] int64_t reach(DType t, int64_t zero) noexcept;

/// `argument` unless lo <= value <= hi.
[[nodiscard]] Status check_within(const char* name, int64_t value, int64_t lo, int64_t hi);
[[nodiscard]] Status check_zero(const char* name, int32_t zero, DType t);
/// None, one, or one for each of `count` (-1 unknown).
[[nodiscard]] Status check_zeros(const char* name, const std::vector<int32_t>& zeros, DType t, int64_t count);
/// A pointer into `zeros`.
[[nodiscard]] Zeros zeros_of(const std::vector<int32_t>& zeros);

/// Weights that lie `step` apart; `at` is null where they are not constant.
struct WeightRun {
  const void* at;
  DType dtype;  ///< i8 or u8
  uint64_t first, count, step;
};
/// The sum of |w - zero|, or the largest there could be.
[[nodiscard]] uint64_t sum_of_sizes(const WeightRun& run, int32_t zero);

/// Of TFLite: a multiplier is not negative, and no shift leaves 32 bits.
[[nodiscard]] Status check_scaled(const char* name, int32_t multiplier, int32_t shift, int32_t highest_shift);

/// One element, or `count`; -1 unknown.
[[nodiscard]] Status check_length(const char* name, size_t length, int64_t count);
/// Bits of finite binary32 above 0.
[[nodiscard]] Status check_scales(std::span<const uint32_t> scales);
/// `wide`: of an int64 bias.
[[nodiscard]] Status check_requant(const QuantAttrs& q, DType data, bool wide, int64_t channels);
/// Pointers are into `q`.
[[nodiscard]] RequantParams requant_params(const QuantAttrs& q, bool wide);

}  // namespace bitexact
