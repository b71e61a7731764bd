#include "ops/dense.h"

#include <algorithm>
#include <limits>

#include "ops/axis.h"
#include "ops/bound.h"
#include "ops/broadcast.h"
#include "ops/conv.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

bool differ(int64_t a, int64_t b) { return a != b && a != -1 && b != -1; }

// Of [.., rows, terms] and the axis of b that is summed.
Status check_product(const Shape& a, const Shape& b, int64_t terms_of_b) {
  const int64_t terms = a[a.rank() - 1];
  if (differ(terms, terms_of_b)) return error(Code::shape, "inner dimensions differ: " + a.text() + " and " + b.text());
  if (std::max(terms, terms_of_b) > std::numeric_limits<int32_t>::max())
    return error(Code::too_large, "the inner dimension must stay below 2^31");
  if (terms == 0 || b[b.rank() - 1] == 0 || b[b.rank() - 2] == 0)
    return error(Code::shape, "0 elements in a product of " + a.text() + " and " + b.text());
  return {};
}

Shape without_last(const Shape& s, size_t count) {
  Shape out;
  for (size_t i = 0; i + count < s.rank(); ++i) out.push_back(s[i]);
  return out;
}

}  // namespace

Result<TensorType> infer_fully_connected(const Operands& o) {
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  BITEXACT_TRY(check_activation(o.as<FullyConnectedAttrs>().act));
  const Shape &in = o.in[0].shape, &weights = o.in[1].shape;
  if (in.rank() != 2 || weights.rank() != 2)
    return error(Code::shape, "expected 2 dimensions each, got " + in.text() + " and " + weights.text());
  BITEXACT_TRY(check_product(in, weights, weights[1]));
  BITEXACT_TRY(check_bias(o, weights[0]));
  return TensorType{DType::q16, {in[0], weights[0]}};
}

Status prepare_fully_connected(Prepare& p) {
  const Shape &in = p.operands.in[0].shape, &weights = p.operands.in[1].shape;
  const bool has_bias = p.operands.has(2);
  p.args.dense = {static_cast<ptrdiff_t>(in[0]), static_cast<ptrdiff_t>(weights[0]), static_cast<ptrdiff_t>(in[1]),
                  p.operands.as<FullyConnectedAttrs>().act, has_bias};
  const Filters filters{weights[0], in[1], static_cast<const int32_t*>(p.args.in[1]), has_bias,
                        static_cast<const int32_t*>(has_bias ? p.args.in[2] : nullptr)};
  p.accumulator = bound_q16(filters, [&](int64_t o, int64_t i) { return o * filters.terms + i; });
  return {};
}

Result<Shape> infer_matmul_shape(const Shape& a, const Shape& b) {
  if (a.rank() < 2 || b.rank() < 2)
    return error(Code::shape, "expected at least 2 dimensions each, got " + a.text() + " and " + b.text());
  BITEXACT_TRY(check_product(a, b, b[b.rank() - 2]));
  const int64_t rows = a[a.rank() - 2];
  if (rows == 0) return error(Code::shape, "0 rows in " + a.text());
  auto out = broadcast_shapes(without_last(a, 2), without_last(b, 2));
  if (!out.ok()) return out.status();
  out->push_back(rows);
  out->push_back(b[b.rank() - 1]);
  return *out;
}

MatmulParams matmul_params(const Shape& a, const Shape& b, const Shape& out) {
  MatmulParams m{};
  if (element_count(out) == size_t{0}) return m;
  m.m = static_cast<ptrdiff_t>(a[a.rank() - 2]);
  m.k = static_cast<ptrdiff_t>(a[a.rank() - 1]);
  m.n = static_cast<ptrdiff_t>(b[b.rank() - 1]);
  const BinaryParams batches = binary_params(without_last(a, 2), without_last(b, 2), without_last(out, 2), {});
  m.dims = batches.dims;
  for (size_t i = 0; i < m.dims.size(); ++i) {
    m.a[i] = batches.a[i] * m.m * m.k;
    m.b[i] = batches.b[i] * m.k * m.n;
  }
  return m;
}

Result<TensorType> infer_matmul(const Operands& o) {
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  const auto shape = infer_matmul_shape(o.in[0].shape, o.in[1].shape);
  if (!shape.ok()) return shape.status();
  return TensorType{DType::q16, *shape};
}

Status prepare_matmul(Prepare& p) {
  const Shape& b = p.operands.in[1].shape;
  const MatmulParams& m = p.keep(matmul_params(p.operands.in[0].shape, b, p.out.shape));
  p.args.matmul = &m;
  if (m.k == 0) return {};
  const int64_t columns = static_cast<int64_t>(*element_count(b)) / m.k;
  const Filters filters{columns, m.k, static_cast<const int32_t*>(p.args.in[1]), false, nullptr};
  p.accumulator = bound_q16(filters, [&](int64_t o, int64_t i) { return (o / m.n * m.k + i) * m.n + o % m.n; });
  return {};
}

Result<TensorType> infer_batch_norm(const Operands& o) {
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  const Shape& in = o.in[0].shape;
  const auto axis = axis_of(o.as<BatchNormAttrs>().axis, in.rank());
  if (!axis.ok()) return axis.status();
  for (const size_t i : {size_t{1}, size_t{2}}) {
    const Shape& s = o.in[i].shape;
    if (s.rank() != 1 || differ(s[0], in[*axis]))
      return error(Code::shape, std::string(i == 1 ? "scale" : "bias") + " must be [" + std::to_string(in[*axis]) +
                                    "], got " + s.text());
  }
  return o.in[0];
}

Status prepare_batch_norm(Prepare& p) {
  const Shape& shape = p.out.shape;
  p.args.axis = axis_params(shape, *axis_of(p.operands.as<BatchNormAttrs>().axis, shape.rank()));
  const Filters filters{1, 1, nullptr, true, nullptr};
  p.accumulator = bound_q16(filters, [](int64_t, int64_t) { return 0; });
  return {};
}

}  // namespace bitexact
