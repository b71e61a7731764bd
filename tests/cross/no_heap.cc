// Calls every function of fx.h in a program whose allocators trap (linked with --wrap for each name below).
// With the argument "provoke" it allocates once, to show that the trap works.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fx_workloads.h"

using namespace bitexact::testing;

namespace {

bool armed = false;

void trap(const char* name) {
  if (!armed) return;
  armed = false;
  std::fprintf(stderr, "allocation by %s\n", name);
  std::exit(3);
}

FxMemory memory;

}  // namespace

extern "C" {
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* block, size_t bytes);

void* __wrap_malloc(size_t bytes) { return trap("malloc"), __real_malloc(bytes); }
void* __wrap_calloc(size_t count, size_t bytes) { return trap("calloc"), __real_calloc(count, bytes); }
void* __wrap_realloc(void* block, size_t bytes) { return trap("realloc"), __real_realloc(block, bytes); }
void* __wrap__Znwm(size_t bytes) { return trap("operator new"), __real_malloc(bytes); }
void* __wrap__Znam(size_t bytes) { return trap("operator new[]"), __real_malloc(bytes); }
}

int main(int argc, char** argv) {
  for (int i = 0; i < kWorkloadElements; ++i) memory.a[i] = memory.b[i] = i * 7919;
  armed = true;
  if (argc > 1 && std::strcmp(argv[1], "provoke") == 0) {
    void* volatile block = std::malloc(1);
    return block == nullptr;
  }
  for (int i = 0; i < kFxWorkloadCount; ++i) {
    if (!kFxWorkloads[i].run(memory)) return 1;
  }
  armed = false;
  std::printf("%d passed, 0 failed\n", kFxWorkloadCount);
  return 0;
}
