#pragma once
#include <cstddef>

namespace bitexact {

/// What a decoder may still allocate. The decoder asks for memory through global functions, so the budget of the call
/// in progress is found per thread.
class StbBudget {
 public:
  explicit StbBudget(size_t bytes) noexcept;
  ~StbBudget();
  StbBudget(const StbBudget&) = delete;
  StbBudget& operator=(const StbBudget&) = delete;

  [[nodiscard]] bool exceeded() const noexcept { return exceeded_; }  ///< a request was beyond the budget
  [[nodiscard]] bool refused() const noexcept { return refused_; }    ///< a request within it was refused by the system
  [[nodiscard]] size_t bytes() const noexcept { return bytes_; }

 private:
  friend void* stb_realloc(void* block, size_t bytes) noexcept;
  friend void stb_free(void* block) noexcept;
  const size_t bytes_;
  size_t left_;
  bool exceeded_ = false, refused_ = false;
};

/// All memory comes zeroed: a damaged file that makes the decoder read what it never wrote gives the same bytes
/// everywhere.
[[nodiscard]] void* stb_realloc(void* block, size_t bytes) noexcept;
void stb_free(void* block) noexcept;

}  // namespace bitexact
