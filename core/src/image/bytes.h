#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace bitexact {

using Bytes = std::span<const std::byte>;

// Readers of unaligned integers; the caller has checked that `at` and the bytes after it exist.
[[nodiscard]] inline uint32_t u8_at(Bytes b, size_t at) noexcept { return std::to_integer<uint32_t>(b[at]); }
[[nodiscard]] inline uint32_t be16_at(Bytes b, size_t at) noexcept { return u8_at(b, at) << 8 | u8_at(b, at + 1); }
[[nodiscard]] inline uint32_t be32_at(Bytes b, size_t at) noexcept { return be16_at(b, at) << 16 | be16_at(b, at + 2); }
[[nodiscard]] inline uint32_t le16_at(Bytes b, size_t at) noexcept { return u8_at(b, at) | u8_at(b, at + 1) << 8; }
[[nodiscard]] inline uint32_t le32_at(Bytes b, size_t at) noexcept { return le16_at(b, at) | le16_at(b, at + 2) << 16; }

/// Whether `text` stands at byte `at`; false when the bytes end before.
[[nodiscard]] inline bool has_text(Bytes b, size_t at, std::string_view text) noexcept {
  return at <= b.size() && b.size() - at >= text.size() && std::memcmp(b.data() + at, text.data(), text.size()) == 0;
}

}  // namespace bitexact
