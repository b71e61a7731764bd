// Operators that end axes of their input.
#include <algorithm>

#include "ops/axis.h"
#include "ops/bound.h"
#include "ops/quantized.h"

namespace bitexact {
namespace {

using Chosen = std::array<bool, Shape::kMaxRank>;

// Empty: all.
Result<Chosen> chosen_axes(const std::vector<int64_t>& axes, size_t rank) {
  Chosen chosen{};
  if (axes.empty()) std::fill_n(chosen.begin(), rank, true);
  for (const int64_t a : axes) {
    const auto axis = axis_of(a, rank);
    if (!axis.ok()) return axis.status();
    if (chosen[*axis]) return error(Code::argument, "axis " + std::to_string(*axis) + " is named twice");
    chosen[*axis] = true;
  }
  return chosen;
}

Result<Shape> reduced_shape(const Shape& in, const std::vector<int64_t>& axes, bool keepdims, bool may_be_empty) {
  const auto chosen = chosen_axes(axes, in.rank());
  if (!chosen.ok()) return chosen.status();
  Shape out;
  for (size_t i = 0; i < in.rank(); ++i) {
    if ((*chosen)[i] && in[i] == 0 && !may_be_empty)
      return error(Code::shape, "axis " + std::to_string(i) + " of " + in.text() + " has no elements");
    if (!(*chosen)[i] || keepdims) out.push_back((*chosen)[i] ? 1 : in[i]);
  }
  return out;
}

ReduceParams reduce_params(const Shape& in, const std::vector<int64_t>& axes) {
  ReduceParams p{{1, 1, 1, 1, 1, 1}, *chosen_axes(axes, in.rank())};
  for (size_t i = 0; i < in.rank(); ++i) p.dims[i] = static_cast<ptrdiff_t>(in[i]);
  return p;
}

uint64_t terms_of(const ReduceParams& p) {
  uint64_t terms = 1;
  for (size_t i = 0; i < p.dims.size(); ++i)
    if (p.reduced[i]) terms = saturating_mul(terms, static_cast<uint64_t>(p.dims[i]));
  return terms;
}

}  // namespace

Result<TensorType> infer_reduce(const Operands& o) {
  const auto& a = o.as<ReduceAttrs>();
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  const auto shape = reduced_shape(o.in[0].shape, a.axes, a.keepdims, o.op == Op::reduce_sum);
  if (!shape.ok()) return shape.status();
  return TensorType{DType::q16, *shape};
}

Status prepare_reduce(Prepare& p) {
  const Op op = p.operands.op;
  const ReduceParams& r = p.args.reduce = reduce_params(p.operands.in[0].shape, p.operands.as<ReduceAttrs>().axes);
  if (op == Op::reduce_max || op == Op::reduce_min) return {};
  const uint64_t terms = terms_of(r);
  p.accumulator = {signed_bits(saturating_mul(terms, uint64_t{1} << 31)), "elements * 2^31"};
  if (terms <= uint64_t{1} << 30) return {};
  return error(Code::too_large,
               std::string(op_name(op)) + " takes at most 2^30 elements for an output, not " + std::to_string(terms));
}

Result<TensorType> infer_q_mean(const Operands& o) {
  const auto& a = o.as<QMeanAttrs>();
  const DType data = o.in[0].dtype;
  BITEXACT_TRY(need_dtypes(o, kQuantized));
  BITEXACT_TRY(check_activation(a.act));
  BITEXACT_TRY(check_zero("input_zero", a.quant.input_zero, data));
  BITEXACT_TRY(check_zero("output_zero", a.quant.output_zero, data));
  BITEXACT_TRY(check_requant(a.quant, data, false, 1));
  const auto shape = reduced_shape(o.in[0].shape, a.axes, a.keepdims, false);
  if (!shape.ok()) return shape.status();
  return TensorType{data, *shape};
}

Status prepare_q_mean(Prepare& p) {
  const auto& a = p.operands.as<QMeanAttrs>();
  QMeanParams& q = p.args.q_mean = {reduce_params(p.operands.in[0].shape, a.axes), requant_params(a.quant, false),
                                    clamp_to(a.act, p.out.dtype)};
  const uint64_t largest =
      saturating_mul(terms_of(q.reduce), static_cast<uint64_t>(reach(p.out.dtype, a.quant.input_zero)));
  p.accumulator = {signed_bits(largest), "elements * max|in - input_zero|, at most " + std::to_string(largest)};
  if (p.accumulator.bits <= 62) return {};
  return error(Code::unsupported, "sums must stay below 2^61, but " + p.accumulator.formula);
}

}  // namespace bitexact
