#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bitexact/buffer.h"
#include "bitexact/status.h"

namespace bitexact::cli {

/// What is read at most: tasks, receipts and kernels; suites of vectors and pipelines; images and dumps.
inline constexpr uint64_t kTextLimit = uint64_t{1} << 20, kSuiteLimit = uint64_t{256} << 20,
                          kImageLimit = uint64_t{2} << 30;

/// The whole file; `argument` with the path and the system's reason, `too_large` beyond the limit.
[[nodiscard]] Result<Buffer> read_file(const std::string& path, uint64_t limit);
/// All of it or nothing: the bytes go to a file beside it, which then takes its name.
[[nodiscard]] Status write_file(const std::string& path, std::span<const std::byte> bytes);

/// The same trouble, and in which file.
[[nodiscard]] inline Status in_file(const std::string& path, const Status& s) {
  return error(s.code, path + ": " + s.why, s.where);
}

[[nodiscard]] inline std::string_view text_of(const Buffer& b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}
[[nodiscard]] inline std::span<const std::byte> bytes_of(std::string_view s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

}  // namespace bitexact::cli
