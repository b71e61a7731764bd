#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "bitexact/ops.h"

namespace bitexact {

/// The C++ type of a dtype's elements in memory; floats are their bits.
template <DType>
struct ElementOf;
template <>
struct ElementOf<DType::q16> {
  using type = int32_t;
};
template <>
struct ElementOf<DType::f16> {
  using type = uint16_t;
};
template <>
struct ElementOf<DType::f32> {
  using type = uint32_t;
};
template <>
struct ElementOf<DType::i8> {
  using type = int8_t;
};
template <>
struct ElementOf<DType::u8> {
  using type = uint8_t;
};
template <>
struct ElementOf<DType::i16> {
  using type = int16_t;
};
template <>
struct ElementOf<DType::u16> {
  using type = uint16_t;
};
template <>
struct ElementOf<DType::i32> {
  using type = int32_t;
};
template <>
struct ElementOf<DType::i64> {
  using type = int64_t;
};
template <DType T>
using Element = typename ElementOf<T>::type;

template <DType T>
inline constexpr int64_t kLowest = int64_t{std::numeric_limits<Element<T>>::min()};
template <DType T>
inline constexpr int64_t kHighest = std::numeric_limits<Element<T>>::max();

/// An activation whose bounds are values of the dtype; the ends of int32 do not bind an i64.
template <DType T>
struct Clamp {
  Element<T> lo, hi;

  constexpr explicit Clamp(const Activation& act) noexcept
      : lo(static_cast<Element<T>>(act.min == std::numeric_limits<int32_t>::min() ? kLowest<T> : act.min)),
        hi(static_cast<Element<T>>(act.max == std::numeric_limits<int32_t>::max() ? kHighest<T> : act.max)) {}
  [[nodiscard]] constexpr Element<T> operator()(Element<T> x) const noexcept { return std::min(std::max(x, lo), hi); }
};

}  // namespace bitexact
