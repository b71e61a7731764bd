#pragma once
#include "image/bytes.h"

namespace bitexact {

/// CRC-32 of PNG and zlib (reflected polynomial 0xedb88320).
[[nodiscard]] uint32_t crc32(Bytes bytes) noexcept;

}  // namespace bitexact
