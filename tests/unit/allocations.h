#pragma once
#include <cstddef>

namespace bitexact::test {

/// Whether this build counts what is allocated. Sanitisers have a heap of their own, and are slow.
#ifdef BITEXACT_COUNT_ALLOCATIONS
inline constexpr bool kAllocationsAreCounted = true;
#else
inline constexpr bool kAllocationsAreCounted = false;
#endif

/// Bytes allocated now, and the most there were since the last `forget_peak`; 0 where they are not counted.
[[nodiscard]] size_t allocated() noexcept;
[[nodiscard]] size_t peak_allocated() noexcept;
void forget_peak() noexcept;

}  // namespace bitexact::test
