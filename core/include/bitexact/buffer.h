#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

#include "bitexact/status.h"

namespace bitexact {

/// Owned, zeroed bytes, aligned for any element type. Allocation may fail, and then says so instead of aborting.
class Buffer {
 public:
  Buffer() = default;

  /// `no_memory` when the system refuses; a size of 0 is legal.
  [[nodiscard]] static Result<Buffer> make(size_t bytes) {
    Buffer b;
    b.data_.reset(static_cast<std::byte*>(std::calloc(bytes ? bytes : 1, 1)));
    if (!b.data_) return error(Code::no_memory, std::to_string(bytes) + " bytes could not be allocated");
    b.size_ = bytes;
    return b;
  }

  [[nodiscard]] std::byte* data() noexcept { return data_.get(); }
  [[nodiscard]] const std::byte* data() const noexcept { return data_.get(); }
  [[nodiscard]] size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::byte> span() noexcept { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const std::byte> span() const noexcept { return {data_.get(), size_}; }
  template <class T>
  [[nodiscard]] T* as() noexcept {
    return reinterpret_cast<T*>(data_.get());
  }
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return reinterpret_cast<const T*>(data_.get());
  }

 private:
  struct Free {
    void operator()(std::byte* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t size_ = 0;
};

}  // namespace bitexact
