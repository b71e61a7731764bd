#include "files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace bitexact::cli {
namespace {

constexpr uintmax_t kLargest = uintmax_t{2} << 30;

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

Status system_error(const std::string& path) { return error(Code::argument, path + ": " + std::strerror(errno)); }

}  // namespace

Result<Buffer> read_file(const std::string& path) {
  std::error_code why;
  const uintmax_t size = std::filesystem::file_size(path, why);
  if (why) return error(Code::argument, path + ": " + why.message());
  if (size > kLargest)
    return error(Code::too_large, path + ": " + std::to_string(size) + " bytes; at most 2 GiB are read");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return system_error(path);
  auto bytes = Buffer::make(static_cast<size_t>(size));
  if (!bytes.ok()) return bytes.status();
  if (std::fread(bytes->data(), 1, bytes->size(), file.get()) != bytes->size()) return system_error(path);
  return bytes;
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  const File file(std::fopen(path.c_str(), "wb"));
  if (!file) return system_error(path);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || std::fflush(file.get()) != 0)
    return system_error(path);
  return {};
}

}  // namespace bitexact::cli
