#include "kernels/element.h"
#include "kernels/reference/convolve.h"
#include "kernels/reference/reference.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

// Padding equals the input's zero, so it adds nothing.
template <class X, class W>
struct SumQuantized {
  using In = X;
  using Weight = W;
  using Sum = int64_t;

  const QConvParams& q;
  const void* bias;

  Sum start(int32_t o) const noexcept {
    if (bias == nullptr) return 0;
    return q.requant.wide_bias ? static_cast<const int64_t*>(bias)[o] : static_cast<const int32_t*>(bias)[o];
  }
  void add(Sum& sum, In a, Weight b) const noexcept { sum += (a - q.requant.input_zero) * (b - q.requant.weight_zero); }
  In finish(Sum sum, int32_t o) const noexcept {
    const int64_t value = requantize(q.requant, sum, o) + q.requant.output_zero;
    return static_cast<In>(clamp_steadily(value, q.conv.act.min, q.conv.act.max));
  }
};

template <class In, class Weight>
void q_convolve(const Args& args) noexcept {
  const QConvParams& q = args.q_conv;
  convolve(args, q.conv, SumQuantized<In, Weight>{q, q.conv.has_bias ? args.in[2] : nullptr});
}

}  // namespace

template <DType T>
void q_conv2d(const Args& args) noexcept {
  if (args.q_conv.weights == DType::i8)
    q_convolve<Element<T>, int8_t>(args);
  else
    q_convolve<Element<T>, uint8_t>(args);
}

template void q_conv2d<DType::i8>(const Args& args) noexcept;
template void q_conv2d<DType::u8>(const Args& args) noexcept;
template void q_conv2d<DType::i16>(const Args& args) noexcept;

}  // namespace bitexact::reference
