#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bitexact/photo.h"

// A task that was read can be written, and what was written reads as the same task.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto task = bitexact::read_task(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!task.ok()) return 0;
  const std::string once = bitexact::write_task(*task);
  const auto again = bitexact::read_task(once);
  if (!again.ok() || bitexact::write_task(*again) != once) __builtin_trap();
  return 0;
}
