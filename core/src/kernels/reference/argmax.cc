#include "kernels/element.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// The position of the largest of `n` elements that lie `step` apart, or with all bits of `flip` the smallest, since
// ~x turns the order round: the first of equal ones in the direction of the walk. Masks, since a branch would make time
// depend on data.
template <class T>
int64_t largest(const T* in, ptrdiff_t n, ptrdiff_t step, bool backwards, int64_t flip) noexcept {
  int64_t best = backwards ? n - 1 : 0, value = in[best * step] ^ flip;
  for (ptrdiff_t i = 1; i < n; ++i) {
    const int64_t at = backwards ? n - 1 - i : i, x = in[at * step] ^ flip;
    const int64_t larger = -static_cast<int64_t>(x > value);
    value ^= (value ^ x) & larger;
    best ^= (best ^ at) & larger;
  }
  return best;
}

template <DType T>
void arg(const Args& args, int64_t flip) noexcept {
  const AxisParams& p = args.axis;
  const auto* in = static_cast<const Element<T>*>(args.in[0]);
  for (ptrdiff_t o = 0, at = 0; o < p.outer; ++o)
    for (ptrdiff_t i = 0; i < p.inner; ++i, ++at) {
      const int64_t index = largest(in + o * p.axis * p.inner + i, p.axis, p.inner, p.select_last, flip);
      if (p.output == DType::i32)
        static_cast<int32_t*>(args.out)[at] = static_cast<int32_t>(index);
      else
        static_cast<int64_t*>(args.out)[at] = index;
    }
}

}  // namespace

template <DType T>
void argmax(const Args& args) noexcept {
  arg<T>(args, 0);
}
template <DType T>
void argmin(const Args& args) noexcept {
  arg<T>(args, -1);
}

template void argmax<DType::q16>(const Args&) noexcept;
template void argmax<DType::i8>(const Args&) noexcept;
template void argmax<DType::u8>(const Args&) noexcept;
template void argmax<DType::i16>(const Args&) noexcept;
template void argmax<DType::u16>(const Args&) noexcept;
template void argmax<DType::i32>(const Args&) noexcept;
template void argmax<DType::i64>(const Args&) noexcept;
template void argmin<DType::q16>(const Args&) noexcept;
template void argmin<DType::i8>(const Args&) noexcept;
template void argmin<DType::u8>(const Args&) noexcept;
template void argmin<DType::i16>(const Args&) noexcept;
template void argmin<DType::u16>(const Args&) noexcept;
template void argmin<DType::i32>(const Args&) noexcept;
template void argmin<DType::i64>(const Args&) noexcept;

}  // namespace bitexact::reference
