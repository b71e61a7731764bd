#include "bitexact/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace bitexact {
namespace {

std::string hex(const std::array<uint8_t, 32>& digest) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string s;
  for (const uint8_t b : digest) {
    s += kDigits[b >> 4];
    s += kDigits[b & 15];
  }
  return s;
}

}  // namespace

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 sha;
  sha.update(bytes);
  return hex(sha.finish());
}

void dump(const Tensor& tensor, size_t first, size_t count, std::byte* out) noexcept {
  const size_t width = size_of(tensor.dtype);
  std::memcpy(out, tensor.data + first * width, count * width);
  if constexpr (std::endian::native == std::endian::big)
    for (size_t i = 0; i < count; ++i) std::reverse(out + i * width, out + (i + 1) * width);
}

std::string sha256_hex(const Tensor& tensor) {
  if constexpr (std::endian::native == std::endian::little)
    return sha256_hex(std::span<const std::byte>(tensor.data, tensor.bytes()));
  constexpr size_t kChunk = 1024;
  std::array<std::byte, kChunk * 8> bytes;
  Sha256 sha;
  const size_t total = tensor.count();
  for (size_t i = 0; i < total; i += kChunk) {
    const size_t n = std::min(kChunk, total - i);
    dump(tensor, i, n, bytes.data());
    sha.update({bytes.data(), n * size_of(tensor.dtype)});
  }
  return hex(sha.finish());
}

}  // namespace bitexact
