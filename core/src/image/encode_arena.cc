#include "image/encode_arena.h"

#include <cstring>

namespace bitexact {
namespace {

thread_local EncodeArena* current_arena = nullptr;

constexpr size_t kAlign = alignof(std::max_align_t);
constexpr size_t aligned(size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

/// Blocks up to this size are the lists of the hash table, and the output while it is still as short. Among the larger
/// ones only the last grows.
constexpr size_t kSmall = 256;

/// A growing array has two ints before its elements, starts with room for 2 and goes from m to 2m + 1.
constexpr size_t array_bytes(size_t element, size_t room) { return aligned(2 * sizeof(int) + element * room); }

/// A list is halved at 16 entries, so 23 places suffice, and every smaller block it had before is left behind.
constexpr size_t kLists = 16384;
constexpr size_t kListBytes = array_bytes(sizeof(void*), 2) + array_bytes(sizeof(void*), 5) +
                              array_bytes(sizeof(void*), 11) + array_bytes(sizeof(void*), 23);
static_assert(array_bytes(sizeof(void*), 23) <= kSmall);

}  // namespace

size_t EncodeArena::bytes_for(size_t sample_bytes, size_t rows) noexcept {
  const size_t filtered = sample_bytes + rows, row = sample_bytes / rows;
  // Fixed Huffman codes take 9 bits for a byte at most; less for a match, by each byte that it stands for.
  const size_t deflated = filtered + filtered / 8 + 16;
  const size_t growing = array_bytes(1, 2 * deflated + 3) + 4 * kSmall;
  // Stored blocks replace the codes when those are longer.
  const size_t file = filtered + 5 * (filtered / 32767 + 1) + 64;
  const size_t lists = filtered < kLists ? filtered : kLists;
  return aligned(filtered) + aligned(row) + aligned(kLists * sizeof(void*)) + growing + lists * kListBytes +
         aligned(file) + kAlign;
}

EncodeArena::EncodeArena(std::span<std::byte> memory) noexcept
    : large_(memory.data()), small_(memory.data() + memory.size() / kAlign * kAlign) {
  current_arena = this;
}
EncodeArena::~EncodeArena() { current_arena = nullptr; }

void* EncodeArena::take(size_t bytes) noexcept {
  if (aligned(bytes) > left()) return nullptr;
  if (bytes <= kSmall) return small_ -= aligned(bytes);
  void* block = large_;
  large_ += aligned(bytes);
  return block;
}

void* EncodeArena::resize(void* block, size_t old_bytes, size_t bytes) noexcept {
  const bool last = old_bytes > kSmall && static_cast<std::byte*>(block) + aligned(old_bytes) == current_arena->large_;
  if (last && bytes > old_bytes) {
    const size_t more = aligned(bytes) - aligned(old_bytes);
    if (more > current_arena->left()) return nullptr;
    current_arena->large_ += more;
    return block;
  }
  void* moved = current_arena->take(bytes);
  if (moved && block) std::memcpy(moved, block, old_bytes);
  return moved;
}

}  // namespace bitexact
