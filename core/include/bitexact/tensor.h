#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

namespace bitexact {

/// q16 is Q16.16 in an int32. f16 and f32 are held as their bit patterns; kernels never run them through a float unit
/// (the one exception, the f32 average, is in ARITHMETIC 5).
enum class DType : uint8_t { q16, f16, f32, i8, u8, i16, u16, i32, i64 };

[[nodiscard]] constexpr size_t size_of(DType t) noexcept {
  constexpr std::array<uint8_t, 9> kBytes{4, 2, 4, 1, 1, 2, 2, 4, 8};
  return kBytes[static_cast<size_t>(t)];
}
[[nodiscard]] const char* dtype_name(DType t) noexcept;
[[nodiscard]] std::optional<DType> dtype_from_name(const std::string& name) noexcept;

/// Order of the four axes of an image tensor; of convolution weights: nhwc means OHWI, nchw means OIHW.
enum class Layout : uint8_t { nhwc, nchw };

/// Up to six dimensions, outermost first. A dimension of -1 is unknown (shape inference only).
class Shape {
 public:
  static constexpr size_t kMaxRank = 6;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<int64_t> dims) {
    for (int64_t d : dims) push_back(d);
  }
  constexpr void push_back(int64_t d) noexcept {
    if (rank_ < kMaxRank) dims_[rank_++] = d;
  }
  [[nodiscard]] constexpr size_t rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr int64_t operator[](size_t i) const noexcept { return dims_[i]; }
  [[nodiscard]] constexpr int64_t& operator[](size_t i) noexcept { return dims_[i]; }
  constexpr bool operator==(const Shape&) const = default;
  /// "[1, 3, 224, 224]"
  [[nodiscard]] std::string text() const;

 private:
  std::array<int64_t, kMaxRank> dims_{};
  uint8_t rank_ = 0;
};

/// Product of the dimensions; nothing when one is negative or the product exceeds what size_t, or half of it in bytes,
/// can address.
[[nodiscard]] std::optional<size_t> element_count(const Shape& shape) noexcept;
[[nodiscard]] std::optional<size_t> byte_size(DType dtype, const Shape& shape) noexcept;

/// What a tensor is before it has memory.
struct TensorType {
  DType dtype = DType::q16;
  Shape shape;
  bool operator==(const TensorType&) const = default;
};

/// A view of contiguous row-major elements in the machine's byte order. Owns nothing. `shape` has passed `byte_size`.
struct Tensor {
  DType dtype = DType::q16;
  Shape shape;
  std::byte* data = nullptr;

  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return reinterpret_cast<T*>(data);
  }
  [[nodiscard]] size_t count() const noexcept { return element_count(shape).value_or(0); }
  [[nodiscard]] size_t bytes() const noexcept { return count() * size_of(dtype); }
};

}  // namespace bitexact
