#include "kernels/element.h"
#include "kernels/exact.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

int32_t hard_sigmoid_of(int32_t x, int32_t alpha, int32_t beta) noexcept {
  const int64_t y = (int64_t{alpha} * x + int64_t{beta} * FIXED_ONE + FIXED_HALF) >> FIXED_SHIFT;
  return static_cast<int32_t>(clamp_steadily(y, 0, FIXED_ONE));
}

// Below 3 the law's Rdiv(t * (t + 3), 6), beyond it the line y = x: of that no division is left whose time depends on
// x.
int32_t hard_swish_of(int32_t x) noexcept {
  constexpr int64_t k3 = 3 * FIXED_ONE;
  const int64_t t = clamp_steadily(x, -k3, k3);
  // Rdiv by 6 * 2^16 = 3 * 2^17. 3 * 2^16 is added, and a third of it taken off, so that truncation is floor.
  const auto thrice = static_cast<int32_t>((t * (t + k3) + k3) >> 17);
  return (thrice + 3 * FIXED_ONE) / 3 - FIXED_ONE + static_cast<int32_t>(clamp_steadily(x - k3, 0, FIXED_MAX));
}

}  // namespace

template <DType T>
void clamp_values(const Args& args) noexcept {
  each<Element<T>>(args, Clamp<T>(args.eltwise.act));
}
template void clamp_values<DType::q16>(const Args&) noexcept;
template void clamp_values<DType::i8>(const Args&) noexcept;
template void clamp_values<DType::u8>(const Args&) noexcept;
template void clamp_values<DType::i16>(const Args&) noexcept;
template void clamp_values<DType::u16>(const Args&) noexcept;
template void clamp_values<DType::i32>(const Args&) noexcept;
template void clamp_values<DType::i64>(const Args&) noexcept;

void abs_q16(const Args& args) noexcept {
  each<int32_t>(args, [](int32_t x) { return saturate_steadily((x ^ (x >> 31)) - int64_t{x >> 31}); });
}
void neg_q16(const Args& args) noexcept {
  each<int32_t>(args, [](int32_t x) { return saturate_steadily(-int64_t{x}); });
}
void prelu_q16(const Args& args) noexcept { each_pair<int32_t>(args, leaky); }

void hard_sigmoid_q16(const Args& args) noexcept {
  each<int32_t>(args, [&](int32_t x) { return hard_sigmoid_of(x, args.eltwise.alpha, args.eltwise.beta); });
}
void hard_swish_q16(const Args& args) noexcept { each<int32_t>(args, hard_swish_of); }

}  // namespace bitexact::reference
