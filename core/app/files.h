#pragma once
#include <span>
#include <string>
#include <string_view>

#include "bitexact/buffer.h"

namespace bitexact::cli {

/// The whole file; `argument` with the path and the system's reason. At most 2 GiB.
[[nodiscard]] Result<Buffer> read_file(const std::string& path);
[[nodiscard]] Status write_file(const std::string& path, std::span<const std::byte> bytes);

[[nodiscard]] inline std::string_view text_of(const Buffer& b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}
[[nodiscard]] inline std::span<const std::byte> bytes_of(std::string_view s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

}  // namespace bitexact::cli
