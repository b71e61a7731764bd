#include "files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace bitexact::cli {
namespace {

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

Status system_error(const std::string& path) { return error(Code::argument, path + ": " + std::strerror(errno)); }

// `name` is what the user called the file.
Status write_all(const std::string& path, const std::string& name, std::span<const std::byte> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return system_error(name);
  return std::fclose(file.release()) == 0 ? Status{} : system_error(name);
}

}  // namespace

Result<Buffer> read_file(const std::string& path, uint64_t limit) {
  std::error_code why;
  const uintmax_t size = std::filesystem::file_size(path, why);
  if (why) return error(Code::argument, path + ": " + why.message());
  if (size > limit)
    return error(Code::too_large,
                 path + ": " + std::to_string(size) + " bytes; at most " + std::to_string(limit) + " are read");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return system_error(path);
  auto bytes = Buffer::make(static_cast<size_t>(size));
  if (!bytes.ok()) return bytes.status();
  if (std::fread(bytes->data(), 1, bytes->size(), file.get()) != bytes->size()) return system_error(path);
  return bytes;
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::error_code why;
  const auto kind = std::filesystem::symlink_status(path, why).type();
  const bool replaceable = kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular;
  if (!replaceable) return write_all(path, path, bytes);  // devices, pipes and links stay what they are
  const std::string part = path + ".part";
  Status s = write_all(part, path, bytes);
  if (s.ok() && std::rename(part.c_str(), path.c_str()) != 0) s = system_error(path);
  if (!s.ok()) std::remove(part.c_str());
  return s;
}

}  // namespace bitexact::cli
