#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/eltwise.cc"
#include <algorithm>

#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/simd/dispatch.h"
#include "kernels/simd/simd.h"

HWY_BEFORE_NAMESPACE();
namespace bitexact::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Relu(const Args& args) {
  const hn::ScalableTag<int32_t> d;
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  auto* out = static_cast<int32_t*>(args.out);
  const size_t count = args.eltwise.count, lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Max(hn::LoadU(d, in + i), hn::Zero(d)), d, out + i);
  for (; i < count; ++i) out[i] = std::max(in[i], 0);
}

}  // namespace bitexact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bitexact {
HWY_EXPORT(Relu);

namespace simd {
void relu_q16(const Args& args) noexcept { BITEXACT_DISPATCH(Relu)(args); }
}  // namespace simd
}  // namespace bitexact
#endif
