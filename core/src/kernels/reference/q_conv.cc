#include "kernels/element.h"
#include "kernels/reference/convolve.h"
#include "kernels/reference/reference.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

int64_t bias_of(const Args& args, int32_t o) noexcept {
  if (!args.q_conv.conv.has_bias) return 0;
  return args.q_conv.requant.wide_bias ? static_cast<const int64_t*>(args.in[2])[o]
                                       : static_cast<const int32_t*>(args.in[2])[o];
}

template <class In, class Weight>
void q_convolve(const Args& args) noexcept {
  const ConvParams& p = args.q_conv.conv;
  const RequantParams& q = args.q_conv.requant;
  convolve<In, Weight>(p, args, [&](int32_t o, const In* in, const Weight* weights, int32_t y, int32_t x) {
    // Padding equals the input's zero, so it adds nothing.
    int64_t sum = bias_of(args, o);
    for_products(p, in, weights, y, x, [&](In a, Weight b) { sum += (a - q.input_zero) * (b - q.weight_zero); });
    return static_cast<In>(clamp_steadily(requantize(q, sum, o) + q.output_zero, p.act.min, p.act.max));
  });
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
