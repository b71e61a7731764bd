#include <cmath>
#include <type_traits>

#include "kernels/reference/reference.h"
#include "kernels/reference/windows.h"

namespace bitexact::reference {
namespace {

// Where the machine computes with more than binary32, only memory rounds to it.
using RoundedFloat = std::conditional_t<std::is_same_v<std::float_t, float>, float, volatile float>;

// How many cells a window divides by. Depends on shapes alone.
int64_t cells(const PoolParams& p, const Taps& rows, const Taps& columns) noexcept {
  const WindowParams& w = p.window;
  if (!p.count_include_pad) return int64_t{rows.end - rows.begin} * (columns.end - columns.begin);
  const Taps padded_rows = taps_inside(rows.at + w.pad_top, p.padded_h + w.pad_top, w.kernel_h, w.dilation_h);
  const Taps padded_columns = taps_inside(columns.at + w.pad_left, p.padded_w + w.pad_left, w.kernel_w, w.dilation_w);
  return int64_t{padded_rows.end} * padded_columns.end;
}

uint32_t quotient_f32(float sum, int64_t count) noexcept {
  const auto bits = __builtin_bit_cast(uint32_t, sum / static_cast<float>(count));
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

}  // namespace

template <DType T>
void avg_pool2d(const Args& args) noexcept {
  const PoolParams& p = args.pool;
  pool<Element<T>>(args, [&](const Window<Element<T>>& window) {
    const int64_t count = cells(p, window.rows, window.columns);
    int64_t sum = 0;
    window.for_taps([&](Element<T> v) { sum += v; });
    constexpr int kBits = 8 * static_cast<int>(sizeof(Element<T>));
    return activated<T>(count == 0 ? 0 : nearest_quotient(sum, count, kBits, T != DType::q16), p.act);
  });
}

template <>
void avg_pool2d<DType::f32>(const Args& args) noexcept {
  pool<uint32_t>(args, [&](const Window<uint32_t>& window) {
    const int64_t count = cells(args.pool, window.rows, window.columns);
    RoundedFloat sum = 0;
    window.for_taps([&](uint32_t v) { sum = sum + __builtin_bit_cast(float, v); });
    return count == 0 ? 0 : quotient_f32(sum, count);
  });
}

template void avg_pool2d<DType::q16>(const Args& args) noexcept;
template void avg_pool2d<DType::i8>(const Args& args) noexcept;
template void avg_pool2d<DType::u8>(const Args& args) noexcept;
template void avg_pool2d<DType::i16>(const Args& args) noexcept;

}  // namespace bitexact::reference
