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

// The larger of value and x, or with all bits of `flip` the smaller; a mask, since a branch would follow data.
void keep_larger(int64_t& value, int64_t x, int64_t flip) noexcept {
  value ^= (value ^ x) & -static_cast<int64_t>((x ^ flip) > (value ^ flip));
}

// finish(value) is an output.
template <class Finish>
void reduce_q16(const Args& args, int64_t first, void (*fold)(int64_t&, int32_t), Finish&& finish) noexcept {
  auto* out = static_cast<int32_t*>(args.out);
  reduce<int32_t>(args.in[0], args.reduce, first, fold, [&](int64_t value) { *out++ = finish(value); });
}

void add(int64_t& sum, int32_t x) noexcept { sum += x; }
int32_t same(int64_t x) noexcept { return static_cast<int32_t>(x); }

}  // namespace

void reduce_sum_q16(const Args& args) noexcept { reduce_q16(args, 0, add, saturate_steadily); }
void reduce_mean_q16(const Args& args) noexcept {
  int64_t count = 1;
  for (size_t i = 0; i < Shape::kMaxRank; ++i) count *= args.reduce.reduced[i] ? args.reduce.dims[i] : 1;
  reduce_q16(args, 0, add,
             [count](int64_t sum) { return static_cast<int32_t>(nearest_quotient(sum, count, 32, false)); });
}
void reduce_max_q16(const Args& args) noexcept {
  reduce_q16(
      args, FIXED_MIN, [](int64_t& value, int32_t x) { keep_larger(value, x, 0); }, same);
}
void reduce_min_q16(const Args& args) noexcept {
  reduce_q16(
      args, FIXED_MAX, [](int64_t& value, int32_t x) { keep_larger(value, x, -1); }, same);
}

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
