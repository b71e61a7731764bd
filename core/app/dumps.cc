#include "dumps.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include "bitexact/digest.h"
#include "files.h"

namespace bitexact::cli {
namespace {

constexpr size_t kMostName = 100;

Result<Buffer> read_digested(const std::string& path, const std::string& sha256) {
  auto bytes = read_file(path, kImageLimit);
  if (bytes.ok() && sha256_hex(bytes->span()) != sha256)
    return error(Code::argument, path + ": is not the stage of the receipt (its digest differs)");
  return bytes;
}

}  // namespace

std::string dump_path(const std::string& dir, size_t index, const std::string& stage) {
  std::string name = stage.substr(0, kMostName);
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-';
  };
  for (char& c : name)
    if (!plain(c)) c = '_';
  return dir + "/" + (index < 10 ? "0" : "") + std::to_string(index) + "-" + name + ".bin";
}

Result<Buffer> dump_all(const Tensor& tensor) {
  auto bytes = Buffer::make(tensor.bytes());
  if (bytes.ok()) dump(tensor, 0, tensor.count(), bytes->data());
  return bytes;
}

Status make_folder(const std::string& dir) {
  std::error_code why;
  std::filesystem::create_directories(dir, why);
  return why ? error(Code::argument, dir + ": " + why.message()) : Status{};
}

Status write_dump(const std::string& dir, size_t index, const std::string& stage, const Tensor& tensor) {
  const auto bytes = dump_all(tensor);
  return bytes.ok() ? write_file(dump_path(dir, index, stage), bytes->span()) : bytes.status();
}

Result<OwnedTensor> read_dump(const std::string& path, const TensorType& type, const std::string& sha256) {
  auto bytes = read_digested(path, sha256);
  if (!bytes.ok()) return bytes.status();
  const Tensor view{type.dtype, type.shape, bytes->data()};
  if (byte_size(type.dtype, type.shape) != bytes->size())
    return error(Code::shape, path + ": has " + std::to_string(bytes->size()) + " bytes, not those of " +
                                  type.shape.text() + " in " + dtype_name(type.dtype));
  const size_t width = size_of(type.dtype);
  if constexpr (std::endian::native == std::endian::big)
    for (std::byte* p = bytes->data(); p < bytes->data() + bytes->size(); p += width) std::reverse(p, p + width);
  return OwnedTensor{view, std::move(*bytes)};
}

Result<std::optional<Verdict::Element>> first_difference(const std::string& path, const std::string& expected,
                                                         const Tensor& got) {
  const auto bytes = read_digested(path, expected);
  if (!bytes.ok()) return bytes.status();
  auto element = compare_dump(bytes->span(), got);
  if (!element.ok()) return error(element.status().code, path + ": " + element.status().why);
  return element;
}

}  // namespace bitexact::cli
