#include "bitexact/receipt.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)bitexact::read_receipt_task(text);
  const auto verdict = bitexact::compare_receipts(text, text);
  if (verdict.ok() && !verdict->same) __builtin_trap();
  return 0;
}
