#include <algorithm>

#include "kernels/element.h"
#include "kernels/exact.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// fixed_div, in time that does not depend on values.
int32_t div_of(int32_t a, int32_t b) noexcept {
  const auto magnitude = [](int32_t x) {
    const int32_t sign = x >> 31;
    return static_cast<uint64_t>(static_cast<uint32_t>((x ^ sign) - int64_t{sign}));
  };
  // |a| / 2^32 / |b| to 2^49 is twice the magnitude of the quotient.
  const Quotient q = divide_steadily(magnitude(a), magnitude(b) << 32, 49);
  const int64_t negative = (a ^ b) >> 31, some_left = q.rest != 0;
  // Ties go up: towards zero when negative.
  const int64_t nearest = static_cast<int64_t>(q.digits + static_cast<uint64_t>(1 + (negative & ~-some_left))) >> 1;
  const int64_t y = clamp_steadily((nearest ^ negative) - negative, FIXED_MIN, FIXED_MAX);
  return static_cast<int32_t>(y & -int64_t{b != 0});
}

// out = clamp(f(a, b))
template <DType T, class F>
void each_clamped(const Args& args, F&& f) noexcept {
  const Clamp<T> clamp(args.binary->act);
  each_pair<Element<T>>(args, [&](Element<T> a, Element<T> b) { return clamp(f(a, b)); });
}

}  // namespace

void add_q16(const Args& args) noexcept { each_clamped<DType::q16>(args, fixed_add); }
void sub_q16(const Args& args) noexcept { each_clamped<DType::q16>(args, fixed_sub); }
void mul_q16(const Args& args) noexcept { each_clamped<DType::q16>(args, fixed_mul); }
void div_q16(const Args& args) noexcept { each_clamped<DType::q16>(args, div_of); }

template <DType T>
void maximum(const Args& args) noexcept {
  each_clamped<T>(args, [](Element<T> a, Element<T> b) { return std::max(a, b); });
}
template <DType T>
void minimum(const Args& args) noexcept {
  each_clamped<T>(args, [](Element<T> a, Element<T> b) { return std::min(a, b); });
}
template void maximum<DType::q16>(const Args&) noexcept;
template void maximum<DType::i8>(const Args&) noexcept;
template void maximum<DType::u8>(const Args&) noexcept;
template void maximum<DType::i16>(const Args&) noexcept;
template void maximum<DType::u16>(const Args&) noexcept;
template void maximum<DType::i32>(const Args&) noexcept;
template void maximum<DType::i64>(const Args&) noexcept;
template void minimum<DType::q16>(const Args&) noexcept;
template void minimum<DType::i8>(const Args&) noexcept;
template void minimum<DType::u8>(const Args&) noexcept;
template void minimum<DType::i16>(const Args&) noexcept;
template void minimum<DType::u16>(const Args&) noexcept;
template void minimum<DType::i32>(const Args&) noexcept;
template void minimum<DType::i64>(const Args&) noexcept;

}  // namespace bitexact::reference
