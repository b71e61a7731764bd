#pragma once
#include <cstddef>
#include <span>

namespace bitexact {

/// The memory of stb_image_write for one PNG, taken in full before it starts: its growing arrays go on writing when
/// growth is refused. Blocks are never freed one by one. The encoder asks through global functions, so the arena of the
/// call in progress is found per thread.
class EncodeArena {
 public:
  /// What the encoder asks for at most, for samples of so many bytes (below 2^29) in so many rows.
  [[nodiscard]] static size_t bytes_for(size_t sample_bytes, size_t rows) noexcept;

  explicit EncodeArena(std::span<std::byte> memory) noexcept;
  ~EncodeArena();
  EncodeArena(const EncodeArena&) = delete;
  EncodeArena& operator=(const EncodeArena&) = delete;

  [[nodiscard]] static void* resize(void* block, size_t old_bytes, size_t bytes) noexcept;
  [[nodiscard]] size_t left() const noexcept { return static_cast<size_t>(small_ - large_); }

 private:
  [[nodiscard]] void* take(size_t bytes) noexcept;

  std::byte *large_, *small_;  ///< the free space between large blocks, from the front, and small ones, from the back
};

}  // namespace bitexact
