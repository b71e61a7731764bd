#include "digest.h"

#include <bitexact/digest.h>

void digest_hex(const fx_matrix_t* m, char hex[65]) {
  bitexact::Sha256 sha;
  for (size_t i = 0; i < size_t{m->rows} * m->cols; ++i) {
    const auto x = static_cast<uint32_t>(m->data[i]);
    const std::array bytes{std::byte(x), std::byte(x >> 8), std::byte(x >> 16), std::byte(x >> 24)};
    sha.update(bytes);
  }
  for (const uint8_t byte : sha.finish()) {
    *hex++ = "0123456789abcdef"[byte >> 4];
    *hex++ = "0123456789abcdef"[byte & 15];
  }
  *hex = '\0';
}
