#include "kernels/exact.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// Both run along the summed axis, b in steps.
ExactSum dot(const int32_t* a, const int32_t* b, ptrdiff_t count, ptrdiff_t step) noexcept {
  ExactSum sum;
  for (ptrdiff_t k = 0; k < count; ++k) sum.add(a[k], b[k * step]);
  return sum;
}

}  // namespace

void fully_connected_q16(const Args& args) noexcept {
  const DenseParams& p = args.dense;
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  const auto* weights = static_cast<const int32_t*>(args.in[1]);
  const auto* bias = static_cast<const int32_t*>(p.has_bias ? args.in[2] : nullptr);
  auto* out = static_cast<int32_t*>(args.out);
  for (ptrdiff_t n = 0; n < p.rows; ++n) {
    for (ptrdiff_t o = 0; o < p.cols; ++o) {
      ExactSum sum = dot(in + n * p.depth, weights + o * p.depth, p.depth, 1);
      if (p.has_bias) sum.add(bias[o], FIXED_ONE);
      out[n * p.cols + o] = clamp(sum.to_q16(), p.act.min, p.act.max);
    }
  }
}

void matmul_q16(const Args& args) noexcept {
  const MatmulParams& p = *args.matmul;
  const auto* a = static_cast<const int32_t*>(args.in[0]);
  const auto* b = static_cast<const int32_t*>(args.in[1]);
  auto* out = static_cast<int32_t*>(args.out);
  walk(p.dims, p.a, p.b, [&](ptrdiff_t at_a, ptrdiff_t at_b) {
    for (ptrdiff_t i = 0; i < p.m; ++i)
      for (ptrdiff_t j = 0; j < p.n; ++j) *out++ = dot(a + at_a + i * p.k, b + at_b + j, p.k, p.n).to_q16();
  });
}

void batch_norm_q16(const Args& args) noexcept {
  const AxisParams& p = args.axis;
  const auto* in = static_cast<const int32_t*>(args.in[0]);
  const auto* scale = static_cast<const int32_t*>(args.in[1]);
  const auto* bias = static_cast<const int32_t*>(args.in[2]);
  auto* out = static_cast<int32_t*>(args.out);
  for (ptrdiff_t o = 0; o < p.outer; ++o)
    for (ptrdiff_t c = 0; c < p.axis; ++c)
      for (ptrdiff_t i = 0; i < p.inner; ++i)
        *out++ = fx_saturate((int64_t{*in++} * scale[c] + int64_t{bias[c]} * FIXED_ONE + FIXED_HALF) >> FIXED_SHIFT);
}

}  // namespace bitexact::reference
