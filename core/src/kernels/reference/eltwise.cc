#include "kernels/reference/reference.h"

namespace bitexact::reference {

void relu_q16(const Args& args) noexcept {
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  auto* out = static_cast<int32_t*>(args.out);
  for (size_t i = 0; i < args.eltwise.count; ++i) out[i] = in[i] > 0 ? in[i] : 0;
}

void leaky_relu_q16(const Args& args) noexcept {
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  auto* out = static_cast<int32_t*>(args.out);
  for (size_t i = 0; i < args.eltwise.count; ++i) {
    // A mask, since a compiler may make a branch of a conditional, and time would then depend on data.
    const int32_t negative = in[i] >> 31;
    out[i] = (fixed_mul(in[i], args.eltwise.alpha) & negative) | (in[i] & ~negative);
  }
}

}  // namespace bitexact::reference
