// Only in builds with contracts: the certifiable part itself needs no C library.
#include <cstdio>
#include <cstdlib>

#include "bitexact/fx.h"

extern "C" __attribute__((weak)) void fx_contract_violated(const char* function, const char* precondition) {
  std::fprintf(stderr, "fx contract violated in %s: %s\n", function, precondition);
  std::abort();
}
