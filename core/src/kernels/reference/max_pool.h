#pragma once
// The maximum, for every dtype: elements become keys, integers in the order of ARITHMETIC 5, and the largest key wins.
#include <limits>
#include <type_traits>

#include "kernels/reference/reference.h"
#include "kernels/reference/windows.h"

namespace bitexact::reference {

template <DType T>
struct Order {
  using Key = Element<T>;
  static constexpr Key kLowestKey = std::numeric_limits<Key>::min();
  static constexpr bool kHasActivation = T == DType::q16 || T == DType::i8 || T == DType::u8 || T == DType::i16;

  static Key key(Element<T> v, bool) noexcept { return v; }
  static Element<T> element(Key k) noexcept { return k; }
};

// Bits of a negative float grow downwards; turned over they are in order, and -0 is just below +0. A NaN gets the key
// of -inf, which never wins, or to propagate that of the quiet NaN, which always does.
template <class Bits, int32_t kInfinity, int32_t kQuietNan>
struct FloatOrder {
  using Key = int32_t;
  static constexpr Key kMagnitude = std::numeric_limits<std::make_signed_t<Bits>>::max();
  static constexpr Key kLowestKey = ~kInfinity;
  static constexpr bool kHasActivation = false;

  static Key turned(Key v) noexcept { return v ^ ((v >> 31) & kMagnitude); }
  static Key key(Bits bits, bool propagate_nan) noexcept {
    const Key v = static_cast<std::make_signed_t<Bits>>(bits);
    const Key is_nan = (kInfinity - (v & kMagnitude)) >> 31;
    return (turned(v) & ~is_nan) | ((propagate_nan ? kQuietNan : kLowestKey) & is_nan);
  }
  static Bits element(Key k) noexcept { return static_cast<Bits>(turned(k)); }
};
template <>
struct Order<DType::f16> : FloatOrder<uint16_t, 0x7c00, 0x7e00> {};
template <>
struct Order<DType::f32> : FloatOrder<uint32_t, 0x7f800000, 0x7fc00000> {};

// By a mask, since a compiler may make a branch of a conditional.
template <class Key>
inline Key larger(Key a, Key b) noexcept {
  const auto b_wins = static_cast<Key>(-static_cast<Key>(b > a));
  return static_cast<Key>(a ^ ((a ^ b) & b_wins));
}

template <DType T>
void max_pool2d(const Args& args) noexcept {
  const PoolParams& p = args.pool;
  pool<Element<T>>(args, [&](const Window<Element<T>>& window) {
    auto best = Order<T>::kLowestKey;
    window.for_taps([&](Element<T> v) { best = larger(best, Order<T>::key(v, p.propagate_nan)); });
    if constexpr (Order<T>::kHasActivation) return activated<T>(best, p.act);
    return Order<T>::element(best);
  });
}

}  // namespace bitexact::reference
