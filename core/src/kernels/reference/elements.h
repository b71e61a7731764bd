#pragma once
// The walks of the operators that treat each element alone, or each pair of a broadcast.
#include "bitexact/fx.h"
#include "kernels/kernels.h"

namespace bitexact::reference {

// out = f(in)
template <class T, class F>
inline void each(const Args& args, F&& f) noexcept {
  const auto* in = static_cast<const T*>(args.in[0]);
  auto* out = static_cast<T*>(args.out);
  for (size_t i = 0; i < args.eltwise.count; ++i) out[i] = f(in[i]);
}

// Calls f with both offsets, in row-major order of `dims`.
template <size_t D = 0, class F>
inline void walk(const Dims6& dims, const Dims6& a, const Dims6& b, F&& f, ptrdiff_t at_a = 0,
                 ptrdiff_t at_b = 0) noexcept {
  for (ptrdiff_t i = 0; i < dims[D]; ++i) {
    if constexpr (D + 1 < Shape::kMaxRank)
      walk<D + 1>(dims, a, b, f, at_a + i * a[D], at_b + i * b[D]);
    else
      f(at_a + i * a[D], at_b + i * b[D]);
  }
}

// out = f(a, b) of `args.binary`
template <class T, class F>
inline void each_pair(const Args& args, F&& f) noexcept {
  const auto* a = static_cast<const T*>(args.in[0]);
  const auto* b = static_cast<const T*>(args.in[1]);
  auto* out = static_cast<T*>(args.out);
  const BinaryParams& p = *args.binary;
  walk(p.dims, p.a, p.b, [&](ptrdiff_t i, ptrdiff_t j) { *out++ = f(a[i], b[j]); });
}

// x < 0: x * alpha. A mask, since a compiler may make a branch of a conditional, and time would then depend on data.
inline int32_t leaky(int32_t x, int32_t alpha) noexcept {
  const int32_t negative = x >> 31;
  return (fixed_mul(x, alpha) & negative) | (x & ~negative);
}

}  // namespace bitexact::reference
