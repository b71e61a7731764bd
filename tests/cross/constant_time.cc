// Runs each workload of fx.h over each data pattern, for callgrind to count the instructions inside `measured_call`.
// Prints one line per call, in order: workload, tab, pattern.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "fx_workloads.h"

using namespace bitexact::testing;

namespace {

uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

struct Pattern {
  const char* name;
  int32_t (*element)(uint32_t index);
};

const Pattern kPatterns[] = {
    {"zeros", [](uint32_t) -> int32_t { return 0; }},
    {"largest", [](uint32_t) -> int32_t { return INT32_MAX; }},
    {"smallest", [](uint32_t) -> int32_t { return INT32_MIN; }},
    {"alternating", [](uint32_t i) -> int32_t { return i % 2 ? INT32_MAX : INT32_MIN; }},
    {"rising", [](uint32_t i) -> int32_t { return static_cast<int32_t>(i * 4096) - (1 << 23); }},
    {"falling", [](uint32_t i) -> int32_t { return (1 << 23) - static_cast<int32_t>(i * 4096); }},
    {"small noise", [](uint32_t i) -> int32_t { return static_cast<int32_t>(mix(i) >> 15) - 65536; }},
    {"noise", [](uint32_t i) -> int32_t { return static_cast<int32_t>(mix(i)); }},
};

void fill(FxMemory& memory, const Pattern& pattern) {
  for (uint32_t i = 0; i < kWorkloadElements; ++i) {
    memory.a[i] = pattern.element(i);
    memory.b[i] = pattern.element(i + kWorkloadElements);
  }
  std::memset(memory.out, 0, sizeof memory.out);
}

FxMemory memory;

}  // namespace

// Kept out of line and under a plain name: callgrind starts and stops counting by it.
extern "C" __attribute__((noinline)) bool measured_call(const FxWorkload* workload) { return workload->run(memory); }

// "leaky": a workload that returns early on its data, to show that the comparison can fail.
static bool first_zero(FxMemory& m) {
  int i = 0;
  while (i < kWorkloadElements && m.a[i] != 0) ++i;
  m.out[0] = i;
  return true;
}

static bool run_all_patterns(const FxWorkload& workload) {
  for (const Pattern& pattern : kPatterns) {
    fill(memory, pattern);
    if (!measured_call(&workload)) {
      std::fprintf(stderr, "%s refused its arguments\n", workload.name);
      return false;
    }
    std::printf("%s\t%s\n", workload.name, pattern.name);
  }
  return true;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "leaky") == 0) return run_all_patterns({"leaky", first_zero}) ? 0 : 1;
  for (int i = 0; i < kFxWorkloadCount; ++i) {
    if (!run_all_patterns(kFxWorkloads[i])) return 1;
  }
  return 0;
}
