#pragma once
// Checks that the quantized operators share.
#include "ops/prepare.h"

namespace bitexact {

inline constexpr DTypes kQuantized = only(DType::i8) | only(DType::u8) | only(DType::i16);

struct Range {
  int64_t lowest, highest;
};
/// Of i8, u8 and i16.
[[nodiscard]] Range range_of(DType t) noexcept;
/// The largest |x - zero|.
[[nodiscard]] int64_t reach(DType t, int64_t zero) noexcept;

/// `argument` unless lo <= value <= hi.
[[nodiscard]] Status check_within(const char* name, int64_t value, int64_t lo, int64_t hi);
[[nodiscard]] Status check_zero(const char* name, int32_t zero, DType t);
/// Of TFLite: a multiplier is not negative, and no shift leaves 32 bits.
[[nodiscard]] Status check_scaled(const char* name, int32_t multiplier, int32_t shift, int32_t highest_shift);

/// One element, or one for each channel; -1 unknown.
[[nodiscard]] Status check_length(const char* name, size_t length, int64_t channels);
/// Bits of finite binary32 above 0.
[[nodiscard]] Status check_scales(std::span<const uint32_t> scales);
/// `wide`: of an int64 bias.
[[nodiscard]] Status check_requant(const QuantAttrs& q, DType data, bool wide, int64_t channels);
/// Pointers are into `q`.
[[nodiscard]] RequantParams requant_params(const QuantAttrs& q, bool wide);

}  // namespace bitexact
