#include "bitexact/tensor.h"

#include <limits>

#include "base/size.h"

namespace bitexact {
namespace {

constexpr std::array<const char*, 9> kNames{"q16", "f16", "f32", "i8", "u8", "i16", "u16", "i32", "i64"};

}  // namespace

const char* dtype_name(DType t) noexcept { return kNames[static_cast<size_t>(t)]; }

std::optional<DType> dtype_from_name(const std::string& name) noexcept {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<DType>(i);
  return std::nullopt;
}

std::string Shape::text() const {
  std::string s = "[";
  for (size_t i = 0; i < rank_; ++i) s += (i ? ", " : "") + std::to_string(dims_[i]);
  return s + "]";
}

std::optional<size_t> element_count(const Shape& shape) noexcept {
  size_t n = 1;
  bool fits = true, empty = false;
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] < 0) return std::nullopt;
    if (shape[i] == 0) empty = true;
    const auto d = static_cast<uint64_t>(shape[i]);
    fits = fits && d <= std::numeric_limits<size_t>::max() && checked_mul(n, static_cast<size_t>(d), n);
  }
  if (empty) return 0;
  return fits ? std::optional(n) : std::nullopt;
}

std::optional<size_t> byte_size(DType dtype, const Shape& shape) noexcept {
  const auto count = element_count(shape);
  size_t bytes = 0;
  if (!count || !checked_mul(*count, size_of(dtype), bytes)) return std::nullopt;
  if (bytes > static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max())) return std::nullopt;
  return bytes;
}

}  // namespace bitexact
