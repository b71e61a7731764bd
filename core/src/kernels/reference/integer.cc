// Products of 8-bit integers whose sums are the output; prepare has proved that 32 bits hold them.
#include "kernels/element.h"
#include "kernels/reference/convolve.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// Padding equals the input's zero, so it adds nothing.
template <class X, class W>
struct SumInteger {
  using In = X;
  using Weight = W;
  struct Sum {
    int32_t value, weight_zero;
  };

  const Conv2dIntegerParams& p;

  Sum start(int32_t o) const noexcept { return {0, p.weight_zero[o]}; }
  void add(Sum& sum, In a, Weight b) const noexcept { sum.value += (a - p.input_zero) * (b - sum.weight_zero); }
  static int32_t finish(const Sum& sum, int32_t) noexcept { return sum.value; }
};

template <class In, class Weight>
void convolve_integers(const Args& args) noexcept {
  convolve(args, args.conv2d_integer.conv, SumInteger<In, Weight>{args.conv2d_integer});
}

template <class A, class B>
void multiply_integers(const Args& args) noexcept {
  const MatmulIntegerParams& p = *args.matmul_integer;
  const MatmulParams& m = p.matmul;
  const auto* a = static_cast<const A*>(args.in[0]);
  const auto* b = static_cast<const B*>(args.in[1]);
  auto* out = static_cast<int32_t*>(args.out);
  walk(m.dims, m.a, m.b, [&](ptrdiff_t at_a, ptrdiff_t at_b) {
    for (ptrdiff_t i = 0; i < m.m; ++i)
      for (ptrdiff_t j = 0; j < m.n; ++j) {
        const int32_t za = p.row_zero[at_a / m.k + i], zb = p.column_zero[at_b / m.k + j];
        int32_t sum = 0;
        for (ptrdiff_t k = 0; k < m.k; ++k) sum += (a[at_a + i * m.k + k] - za) * (b[at_b + k * m.n + j] - zb);
        *out++ = sum;
      }
  });
}

}  // namespace

template <DType T>
void conv2d_integer(const Args& args) noexcept {
  if (args.conv2d_integer.weights == DType::i8) return convolve_integers<Element<T>, int8_t>(args);
  convolve_integers<Element<T>, uint8_t>(args);
}
template void conv2d_integer<DType::i8>(const Args&) noexcept;
template void conv2d_integer<DType::u8>(const Args&) noexcept;

template <DType T>
void matmul_integer(const Args& args) noexcept {
  if (args.matmul_integer->b == DType::i8) return multiply_integers<Element<T>, int8_t>(args);
  multiply_integers<Element<T>, uint8_t>(args);
}
template void matmul_integer<DType::i8>(const Args&) noexcept;
template void matmul_integer<DType::u8>(const Args&) noexcept;

}  // namespace bitexact::reference
