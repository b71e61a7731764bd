#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {

void relu_q16(const Args& args) noexcept {
  each<int32_t>(args, [](int32_t x) { return x > 0 ? x : 0; });
}

void leaky_relu_q16(const Args& args) noexcept {
  each<int32_t>(args, [&](int32_t x) { return leaky(x, args.eltwise.alpha); });
}

}  // namespace bitexact::reference
