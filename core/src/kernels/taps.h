#pragma once
#include <algorithm>
#include <cstdint>

namespace bitexact {

/// The taps of a window along one axis. Tap i is at `at + i * dilation`; those from `begin` to before `end` are in [0,
/// size). Never a walk over the others: a legal window may be 2^30 wide.
struct Taps {
  int32_t at, begin, end;
};
inline Taps taps_inside(int32_t at, int32_t size, int32_t kernel, int32_t dilation) noexcept {
  if (at >= 0 && at + (kernel - 1) * dilation < size) return {at, 0, kernel};
  const int32_t begin = at < 0 ? (-at - 1) / dilation + 1 : 0;
  const int32_t end = at < size ? std::min(kernel, (size - 1 - at) / dilation + 1) : 0;
  return {at, begin, end};
}

}  // namespace bitexact
