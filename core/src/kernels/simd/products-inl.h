// Included once for every target.
#if defined(BITEXACT_SIMD_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef BITEXACT_SIMD_PRODUCTS_INL_H
#undef BITEXACT_SIMD_PRODUCTS_INL_H
#else
#define BITEXACT_SIMD_PRODUCTS_INL_H
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The exact products of the even lanes. Highway 1.0.3 takes them for unsigned numbers on wasm.
template <class V>
HWY_INLINE auto MulEvenSigned(V a, V b) {
#if HWY_TARGET == HWY_WASM
  const auto even = [](V v) { return wasm_i32x4_shuffle(v.raw, v.raw, 0, 2, 0, 2); };
  return hn::Vec128<int64_t>{wasm_i64x2_extmul_low_i32x4(even(a), even(b))};
#else
  return hn::MulEven(a, b);
#endif
}

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
