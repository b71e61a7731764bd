#include "kernels/element.h"
#include "kernels/exact.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

// What stays and what ends: each is 1 along the axes of the other.
struct Axes {
  Dims6 kept, reduced, stride;

  explicit Axes(const ReduceParams& p) noexcept {
    uint64_t step = 1;  // unsigned: it may wrap where another dimension is 0 and nothing is read
    for (size_t i = Shape::kMaxRank; i-- > 0; step *= static_cast<uint64_t>(p.dims[i])) {
      kept[i] = p.reduced[i] ? 1 : p.dims[i];
      reduced[i] = p.reduced[i] ? p.dims[i] : 1;
      stride[i] = static_cast<ptrdiff_t>(step);
    }
  }
};

// For each output in order: value = first, then fold(value, element) over what is reduced, then store(value).
template <class E, class Fold, class Store>
void reduce(const void* input, const ReduceParams& p, int64_t first, Fold&& fold, Store&& store) noexcept {
  const Axes axes(p);
  walk(axes.kept, axes.stride, {}, [&](ptrdiff_t at, ptrdiff_t) {
    const E* in = static_cast<const E*>(input) + at;
    int64_t value = first;
    walk(axes.reduced, axes.stride, {}, [&](ptrdiff_t i, ptrdiff_t) { fold(value, in[i]); });
    store(value);
  });
}

}  // namespace

template <DType T>
void q_mean(const Args& args) noexcept {
  const QMeanParams& p = args.q_mean;
  auto* out = static_cast<Element<T>*>(args.out);
  reduce<Element<T>>(
      args.in[0], p.reduce, 0, [&](int64_t& sum, Element<T> x) { sum += x - p.requant.input_zero; },
      [&](int64_t sum) {
        const int64_t y = bitexact::requantize(p.requant, sum, 0) + p.requant.output_zero;
        *out++ = static_cast<Element<T>>(clamp_steadily(y, p.act.min, p.act.max));
      });
}
template void q_mean<DType::i8>(const Args&) noexcept;
template void q_mean<DType::u8>(const Args&) noexcept;
template void q_mean<DType::i16>(const Args&) noexcept;

}  // namespace bitexact::reference
