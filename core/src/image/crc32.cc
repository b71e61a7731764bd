#include "image/crc32.h"

#include <array>

namespace bitexact {
namespace {

constexpr std::array<uint32_t, 256> make_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[i] = c;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = make_table();

}  // namespace

uint32_t crc32(Bytes bytes) noexcept {
  uint32_t c = 0xffffffffu;
  for (std::byte b : bytes) c = kTable[(c ^ std::to_integer<uint32_t>(b)) & 255] ^ c >> 8;
  return ~c;
}

}  // namespace bitexact
