// Products of 8-bit integers that stay integers. No kernel has more than 32 bits, which are also the output's.
#include <algorithm>

#include "ops/bound.h"
#include "ops/conv.h"
#include "ops/dense.h"
#include "ops/quantized.h"

namespace bitexact {
namespace {

constexpr DTypes kEightBits = only(DType::i8) | only(DType::u8);

// `sums`: the largest sum of |w - zero|.
AccumulatorBound bound_integer(uint64_t sums, int64_t input_reach) {
  const uint64_t largest = saturating_mul(sums, static_cast<uint64_t>(input_reach));
  return {signed_bits(largest), "sum|w - weight_zero| * max|in - input_zero|, at most " + std::to_string(largest)};
}

// For each of the lines of a matrix, or of all matrices; along `summed` they are summed.
Status check_line_zeros(const char* name, const std::vector<int32_t>& zeros, const TensorType& t, size_t lines,
                        size_t summed) {
  Shape rest = t.shape;
  rest[summed] = 1;
  const auto all = element_count(rest);  // nothing: unknown
  const auto length = static_cast<int64_t>(zeros.size());
  return check_zeros(name, zeros, t.dtype, length == t.shape[lines] || !all ? length : static_cast<int64_t>(*all));
}

}  // namespace

Result<TensorType> infer_conv2d_integer(const Operands& o) {
  const auto& a = o.as<Conv2dIntegerAttrs>();
  BITEXACT_TRY(need_dtypes(o, kEightBits));
  const auto shape = infer_conv_shape(o, a.layout, a.window, a.groups);
  if (!shape.ok()) return shape.status();
  BITEXACT_TRY(check_zero("input_zero", a.input_zero, o.in[0].dtype));
  BITEXACT_TRY(check_zeros("weight_zero", a.weight_zero, o.in[1].dtype, dims_of(*shape, a.layout)->c));
  return TensorType{DType::i32, *shape};
}

Status prepare_conv2d_integer(Prepare& p) {
  const auto& a = p.operands.as<Conv2dIntegerAttrs>();
  const auto conv = conv_params(p.operands, a.layout, a.window, a.groups, {});
  if (!conv.ok()) return conv.status();
  const Conv2dIntegerParams& c =
      p.args.conv2d_integer = {*conv, p.operands.in[1].dtype, a.input_zero, zeros_of(a.weight_zero)};
  const auto taps = static_cast<uint64_t>(filters_of(*conv, p.args).terms);
  const ptrdiff_t channels = p.args.in[1] != nullptr ? conv->out_c : c.weight_zero.count;
  uint64_t largest = 0;
  for (ptrdiff_t o = 0; o < channels; ++o)
    largest = std::max(
        largest, sum_of_sizes({p.args.in[1], c.weights, taps * static_cast<uint64_t>(o), taps, 1}, c.weight_zero[o]));
  p.accumulator = bound_integer(largest, reach(p.operands.in[0].dtype, a.input_zero));
  return {};
}

Result<TensorType> infer_matmul_integer(const Operands& o) {
  const auto& a = o.as<MatmulIntegerAttrs>();
  BITEXACT_TRY(need_dtypes(o, kEightBits));
  const auto shape = infer_matmul_shape(o.in[0].shape, o.in[1].shape);
  if (!shape.ok()) return shape.status();
  const size_t in = o.in[0].shape.rank(), b = o.in[1].shape.rank();
  BITEXACT_TRY(check_line_zeros("input_zero", a.input_zero, o.in[0], in - 2, in - 1));
  BITEXACT_TRY(check_line_zeros("b_zero", a.b_zero, o.in[1], b - 1, b - 2));
  return TensorType{DType::i32, *shape};
}

Status prepare_matmul_integer(Prepare& p) {
  const auto& a = p.operands.as<MatmulIntegerAttrs>();
  const auto& in = p.operands.in;
  const MatmulIntegerParams& m = p.keep(MatmulIntegerParams{matmul_params(in[0].shape, in[1].shape, p.out.shape),
                                                            in[1].dtype, zeros_of(a.input_zero), zeros_of(a.b_zero)});
  p.args.matmul_integer = &m;
  if (m.matmul.k == 0) return {};
  const auto k = static_cast<uint64_t>(m.matmul.k), n = static_cast<uint64_t>(m.matmul.n);
  const auto zeros = static_cast<uint64_t>(m.column_zero.count);
  const uint64_t columns = p.args.in[1] != nullptr ? *element_count(in[1].shape) / k : zeros;
  uint64_t largest = 0;
  for (uint64_t c = 0; c < columns; ++c)
    largest = std::max(largest, sum_of_sizes({p.args.in[1], m.b, c / n * k * n + c % n, k, n},
                                             m.column_zero[static_cast<ptrdiff_t>(c)]));
  int64_t input_reach = reach(in[0].dtype, m.row_zero[0]);
  for (const int32_t zero : a.input_zero) input_reach = std::max(input_reach, reach(in[0].dtype, zero));
  p.accumulator = bound_integer(largest, input_reach);
  return {};
}

}  // namespace bitexact
