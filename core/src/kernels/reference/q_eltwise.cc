#include "kernels/element.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"
#include "kernels/requant.h"

namespace bitexact::reference {
namespace {

int32_t scaled(const QBinaryAttrs::Scaled& to, int64_t x) noexcept { return requant_tflm(x, to.multiplier, to.shift); }

// a and b without their zeros.
int64_t sum_tflm(const QBinaryAttrs& q, int32_t a, int32_t b) noexcept {
  const int64_t unit = int64_t{1} << q.left_shift;
  return scaled(q.output, int64_t{scaled(q.in, a * unit)} + scaled(q.b, b * unit));
}

int64_t sum_xnnpack(const QBinaryAttrs& q, int32_t a, int32_t b) noexcept {
  const int64_t sum = int64_t{a} * q.in.multiplier + int64_t{b} * q.b.multiplier;
  return (sum + (int64_t{1} << (q.left_shift - 1))) >> q.left_shift;
}

// value(a, b) is the output without its zero.
template <DType T, class Value>
void q_binary(const Args& args, Value&& value) noexcept {
  const BinaryParams& p = args.q_binary->binary;
  const QBinaryAttrs& q = *args.q_binary->attrs;
  const auto* in = static_cast<const Element<T>*>(args.in[0]);
  const auto* b = static_cast<const Element<T>*>(args.in[1]);
  auto* out = static_cast<Element<T>*>(args.out);
  walk(p.dims, p.a, p.b, [&](ptrdiff_t i, ptrdiff_t j) {
    const int64_t y = value(in[i] - q.in.zero, b[j] - q.b.zero) + q.output.zero;
    *out++ = static_cast<Element<T>>(clamp_steadily(y, p.act.min, p.act.max));
  });
}

}  // namespace

template <DType T>
void q_add(const Args& args) noexcept {
  const QBinaryAttrs& q = *args.q_binary->attrs;
  const auto sum = q.rule == Requant::tflm ? sum_tflm : sum_xnnpack;
  q_binary<T>(args, [&](int32_t a, int32_t b) { return sum(q, a, b); });
}

template <DType T>
void q_mul(const Args& args) noexcept {
  const QBinaryAttrs& q = *args.q_binary->attrs;
  q_binary<T>(args, [&](int32_t a, int32_t b) { return int64_t{scaled(q.output, int64_t{a} * b)}; });
}

template void q_add<DType::i8>(const Args& args) noexcept;
template void q_add<DType::u8>(const Args& args) noexcept;
template void q_add<DType::i16>(const Args& args) noexcept;
template void q_mul<DType::i8>(const Args& args) noexcept;
template void q_mul<DType::u8>(const Args& args) noexcept;
template void q_mul<DType::i16>(const Args& args) noexcept;

}  // namespace bitexact::reference
