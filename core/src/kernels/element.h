#pragma once
#include <cstdint>
#include <limits>

#include "bitexact/tensor.h"

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
inline constexpr int64_t kLowest = std::numeric_limits<Element<T>>::min();
template <DType T>
inline constexpr int64_t kHighest = std::numeric_limits<Element<T>>::max();

}  // namespace bitexact
