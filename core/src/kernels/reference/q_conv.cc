#include "kernels/element.h"
#include "kernels/exact.h"
#include "kernels/reference/reference.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

// The taps of window (y, x) that lie inside the input, over one group's channels: padding equals the input's zero, so
// it adds nothing.
template <class In, class Weight>
int64_t window_sum(const QConvParams& q, const In* in, const Weight* weights, int32_t y, int32_t x) noexcept {
  const ConvParams& p = q.conv;
  const WindowParams& w = p.window;
  const int32_t channels = p.in_c / p.groups;
  const Strides at = strides_of(p.layout, p.in_c, w.in_h, w.in_w);
  const Strides tap = strides_of(p.layout, channels, w.kernel_h, w.kernel_w);
  int64_t sum = 0;
  for (int32_t i = 0; i < w.kernel_h; ++i) {
    const int32_t iy = y * w.stride_h - w.pad_top + i * w.dilation_h;
    if (iy < 0 || iy >= w.in_h) continue;
    for (int32_t j = 0; j < w.kernel_w; ++j) {
      const int32_t ix = x * w.stride_w - w.pad_left + j * w.dilation_w;
      if (ix < 0 || ix >= w.in_w) continue;
      const In* a = in + iy * at.y + ix * at.x;
      const Weight* b = weights + i * tap.y + j * tap.x;
      for (int32_t c = 0; c < channels; ++c)
        sum += (a[c * at.c] - q.requant.input_zero) * (b[c * tap.c] - q.requant.weight_zero);
    }
  }
  return sum;
}

int64_t bias_of(const Args& args, int32_t o) noexcept {
  if (!args.q_conv.conv.has_bias) return 0;
  return args.q_conv.requant.wide_bias ? static_cast<const int64_t*>(args.in[2])[o]
                                       : static_cast<const int32_t*>(args.in[2])[o];
}

template <class In, class Weight>
void convolve(const Args& args) noexcept {
  const QConvParams& q = args.q_conv;
  const ConvParams& p = q.conv;
  const WindowParams& w = p.window;
  const Strides from = strides_of(p.layout, p.in_c, w.in_h, w.in_w),
                to = strides_of(p.layout, p.out_c, w.out_h, w.out_w);
  const ptrdiff_t filter = strides_of(p.layout, p.in_c / p.groups, w.kernel_h, w.kernel_w).n;
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t o = 0; o < p.out_c; ++o) {
      const int32_t first = o / (p.out_c / p.groups) * (p.in_c / p.groups);
      const In* in = static_cast<const In*>(args.in[0]) + n * from.n + first * from.c;
      const Weight* weights = static_cast<const Weight*>(args.in[1]) + o * filter;
      In* out = static_cast<In*>(args.out) + n * to.n + o * to.c;
      const int64_t bias = bias_of(args, o);
      for (int32_t y = 0; y < w.out_h; ++y) {
        for (int32_t x = 0; x < w.out_w; ++x) {
          const int64_t value = requantize(q.requant, window_sum(q, in, weights, y, x) + bias, o);
          out[y * to.y + x * to.x] =
              static_cast<In>(clamp_steadily(value + q.requant.output_zero, p.act.min, p.act.max));
        }
      }
    }
  }
}

}  // namespace

template <DType T>
void q_conv2d(const Args& args) noexcept {
  if (args.q_conv.weights == DType::i8)
    convolve<Element<T>, int8_t>(args);
  else
    convolve<Element<T>, uint8_t>(args);
}

template void q_conv2d<DType::i8>(const Args& args) noexcept;
template void q_conv2d<DType::u8>(const Args& args) noexcept;
template void q_conv2d<DType::i16>(const Args& args) noexcept;

}  // namespace bitexact::reference
