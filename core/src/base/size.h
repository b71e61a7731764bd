#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bitexact {

/// a * b into `out`; false (and `out` untouched) when it does not fit.
[[nodiscard]] constexpr bool checked_mul(size_t a, size_t b, size_t& out) noexcept {
  if (b != 0 && a > std::numeric_limits<size_t>::max() / b) return false;
  out = a * b;
  return true;
}

/// a + b into `out`; false (and `out` untouched) when it does not fit.
[[nodiscard]] constexpr bool checked_add(size_t a, size_t b, size_t& out) noexcept {
  if (a > std::numeric_limits<size_t>::max() - b) return false;
  out = a + b;
  return true;
}

}  // namespace bitexact
