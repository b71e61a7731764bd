// The linker brings every malloc of the tests and of the core here (--wrap), and `new` is one of them.
#include "allocations.h"

#include <atomic>

#ifdef BITEXACT_COUNT_ALLOCATIONS
#include <malloc.h>

#include <cstdlib>
#include <new>
#endif

namespace bitexact::test {
namespace {

std::atomic<size_t> now{0}, most{0};

}  // namespace

size_t allocated() noexcept { return now; }
size_t peak_allocated() noexcept { return most; }
void forget_peak() noexcept { most = now.load(); }

#ifdef BITEXACT_COUNT_ALLOCATIONS
namespace {

void* counted(void* p) noexcept {
  const size_t after = now += malloc_usable_size(p);
  for (size_t before = most; before < after && !most.compare_exchange_weak(before, after);) {
  }
  return p;
}
void uncount(void* p) noexcept { now -= malloc_usable_size(p); }

}  // namespace

extern "C" {
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* p, size_t bytes);
void __real_free(void* p);

void* __wrap_malloc(size_t bytes) { return counted(__real_malloc(bytes)); }
void* __wrap_calloc(size_t count, size_t bytes) { return counted(__real_calloc(count, bytes)); }
void __wrap_free(void* p) {
  uncount(p);
  __real_free(p);
}
void* __wrap_realloc(void* p, size_t bytes) {
  const size_t before = malloc_usable_size(p);
  void* moved = __real_realloc(p, bytes);
  if (moved == nullptr) return nullptr;
  now -= before;
  return counted(moved);
}
}
#endif

}  // namespace bitexact::test

#ifdef BITEXACT_COUNT_ALLOCATIONS
void* operator new(size_t bytes) {
  if (void* p = std::malloc(bytes == 0 ? 1 : bytes)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
#endif
