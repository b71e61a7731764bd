#include "image/stb_memory.h"

#include <cstdlib>
#include <cstring>

namespace bitexact {
namespace {

thread_local StbBudget* current_budget = nullptr;

/// Stands before every block.
struct alignas(std::max_align_t) BlockHeader {
  size_t bytes;
};

BlockHeader* header_of(void* block) noexcept { return block ? static_cast<BlockHeader*>(block) - 1 : nullptr; }

}  // namespace

StbBudget::StbBudget(size_t bytes) noexcept : bytes_(bytes), left_(bytes) { current_budget = this; }
StbBudget::~StbBudget() { current_budget = nullptr; }

void* stb_realloc(void* block, size_t bytes) noexcept {
  BlockHeader* old = header_of(block);
  const size_t old_bytes = old ? old->bytes : 0;
  if (bytes > old_bytes && bytes - old_bytes > current_budget->left_) {
    current_budget->exceeded_ = true;
    return nullptr;
  }
  void* moved = old ? std::realloc(old, sizeof(BlockHeader) + bytes) : std::calloc(sizeof(BlockHeader) + bytes, 1);
  if (!moved) {
    current_budget->refused_ = true;
    return nullptr;
  }
  BlockHeader* header = static_cast<BlockHeader*>(moved);
  header->bytes = bytes;
  current_budget->left_ = current_budget->left_ + old_bytes - bytes;
  if (old && bytes > old_bytes) std::memset(reinterpret_cast<std::byte*>(header + 1) + old_bytes, 0, bytes - old_bytes);
  return header + 1;
}

void stb_free(void* block) noexcept {
  if (!block) return;
  current_budget->left_ += header_of(block)->bytes;
  std::free(header_of(block));
}

}  // namespace bitexact
