#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "bitexact/tensor.h"

namespace bitexact {

/// SHA-256 (FIPS 180-4), incremental. No heap.
class Sha256 {
 public:
  Sha256() noexcept;
  void update(std::span<const std::byte> bytes) noexcept;
  /// Ends the message; the object is then spent.
  [[nodiscard]] std::array<uint8_t, 32> finish() noexcept;

 private:
  void block(const uint8_t* p) noexcept;

  std::array<uint32_t, 8> state_;
  std::array<uint8_t, 64> pending_{};
  uint64_t length_ = 0;
};

/// 64 lower-case hex digits: what `sha256sum` prints for the same bytes.
[[nodiscard]] std::string sha256_hex(std::span<const std::byte> bytes);

/// ARITHMETIC 11: the digest of the elements in row-major order, little-endian on every machine. Equals `sha256sum` of
/// `dump`.
[[nodiscard]] std::string sha256_hex(const Tensor& tensor);

/// Copies elements [first, first + count) as little-endian bytes into `out` (count * size_of(dtype) bytes).
void dump(const Tensor& tensor, size_t first, size_t count, std::byte* out) noexcept;

}  // namespace bitexact
