#pragma once
#include <cstdint>

// Every function of fx.h once, on fixed shapes, over memory that the caller fills: for tests of how the functions
// behave (instruction counts, allocations) rather than of what they return.
namespace bitexact::testing {

inline constexpr int kWorkloadElements = 4096;

struct FxMemory {
  int32_t a[kWorkloadElements];
  int32_t b[kWorkloadElements];
  int32_t out[kWorkloadElements];
};

struct FxWorkload {
  const char* name;
  bool (*run)(FxMemory&);  // false if the function refused its arguments
};

extern const FxWorkload kFxWorkloads[];
extern const int kFxWorkloadCount;

}  // namespace bitexact::testing
