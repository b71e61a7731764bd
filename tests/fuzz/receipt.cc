#include "bitexact/receipt.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// One receipt, or two with a line break between them: receipts hold none.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find('\n');
  const std::string_view a = text.substr(0, end), b = end == text.npos ? a : text.substr(end + 1);
  (void)bitexact::read_receipt_task(a);
  const auto self = bitexact::compare_receipts(a, a);
  if (self.ok() && !self->same) __builtin_trap();
  const auto there = bitexact::compare_receipts(a, b), back = bitexact::compare_receipts(b, a);
  if (there.ok() != back.ok()) __builtin_trap();
  if (!there.ok()) return 0;
  if (there->same != back->same || there->text().empty()) __builtin_trap();
  if (there->same != (there->text() == "same")) __builtin_trap();
  return 0;
}
