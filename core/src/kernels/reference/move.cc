#include <cstring>

#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

constexpr size_t kRow = Shape::kMaxRank - 1;  // the innermost axis

// Calls visit(index) for every row in order: each index along all axes but the innermost, which stays 0.
template <class Visit>
void each_row(const Dims6& dims, Visit&& visit) noexcept {
  Dims6 index{};
  for (bool more = true; more;) {
    visit(index);
    more = false;
    for (size_t axis = kRow; axis-- > 0 && !more;) {
      more = ++index[axis] < dims[axis];
      if (!more) index[axis] = 0;
    }
  }
}

template <class T>
void copy_as(const Args& args) noexcept {
  const StridedParams& p = args.strided;
  const ptrdiff_t length = p.dims[kRow], step = p.stride[kRow];
  const auto* in = static_cast<const T*>(args.in[0]);
  auto* out = static_cast<T*>(args.out);
  each_row(p.dims, [&](const Dims6& index) {
    ptrdiff_t at = p.offset;
    for (size_t axis = 0; axis < kRow; ++axis) at += index[axis] * p.stride[axis];
    if (step == 1)
      std::memcpy(out, in + at, static_cast<size_t>(length) * sizeof(T));
    else
      for (ptrdiff_t x = 0; x < length; ++x) out[x] = in[at + x * step];
    out += length;
  });
}

// Which of an axis' n elements stands at position i, where those before 0 and from n on are padding; -1: none.
ptrdiff_t source(PadAttrs::Mode mode, ptrdiff_t i, ptrdiff_t n) noexcept {
  const bool before = i < 0, after = i >= n;
  if (!before && !after) return i;
  switch (mode) {
    case PadAttrs::Mode::constant:
      return -1;
    case PadAttrs::Mode::edge:
      return before ? 0 : n - 1;
    case PadAttrs::Mode::reflect:
      return before ? -i : n - 1 - (i - (n - 1));
  }
  return -1;
}

template <class T>
void pad_row(const PadParams& p, const T* in, T* out) noexcept {
  const ptrdiff_t before = p.before[kRow], n = p.in[kRow], length = p.out[kRow];
  const auto fill = [&](ptrdiff_t from, ptrdiff_t to) {
    for (ptrdiff_t x = from; x < to; ++x) {
      const ptrdiff_t i = source(p.mode, x - before, n);
      out[x] = i < 0 ? static_cast<T>(p.value) : in[i];
    }
  };
  fill(0, before);
  if (n != 0) std::memcpy(out + before, in, static_cast<size_t>(n) * sizeof(T));
  fill(before + n, length);
}

template <class T>
void pad_as(const Args& args) noexcept {
  const PadParams& p = *args.pad;
  const auto* in = static_cast<const T*>(args.in[0]);
  auto* out = static_cast<T*>(args.out);
  each_row(p.out, [&](const Dims6& index) {
    ptrdiff_t row = 0;
    bool inside = true;
    for (size_t axis = 0; axis < kRow; ++axis) {
      const ptrdiff_t i = source(p.mode, index[axis] - p.before[axis], p.in[axis]);
      inside = inside && i >= 0;
      row = row * p.in[axis] + i;
    }
    if (inside)
      pad_row(p, in + row * p.in[kRow], out);
    else
      for (ptrdiff_t x = 0; x < p.out[kRow]; ++x) out[x] = static_cast<T>(p.value);
    out += p.out[kRow];
  });
}

// Calls move.operator()<T>() with the unsigned integer of an element's size.
template <class Move>
void with_element(size_t bytes, Move&& move) noexcept {
  switch (bytes) {
    case 1:
      return move.template operator()<uint8_t>();
    case 2:
      return move.template operator()<uint16_t>();
    case 4:
      return move.template operator()<uint32_t>();
    default:
      return move.template operator()<uint64_t>();
  }
}

}  // namespace

void copy_strided(const Args& args) noexcept {
  with_element(args.strided.element_bytes, [&]<class T>() { copy_as<T>(args); });
}

void pad(const Args& args) noexcept {
  with_element(args.pad->element_bytes, [&]<class T>() { pad_as<T>(args); });
}

void concat(const Args& args) noexcept {
  const ConcatParams& p = args.concat;
  auto* out = static_cast<std::byte*>(args.out);
  for (size_t i = 0; i < p.count; ++i) {
    const auto* in = static_cast<const std::byte*>(args.in[i]);
    const size_t bytes = p.piece[i];
    for (size_t row = 0; row < p.rows && bytes != 0; ++row)
      std::memcpy(out + row * p.row_bytes, in + row * bytes, bytes);
    out += bytes;
  }
}

}  // namespace bitexact::reference
