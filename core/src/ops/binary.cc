#include "ops/broadcast.h"
#include "ops/prepare.h"

namespace bitexact {

Result<TensorType> infer_binary(const Operands& o) {
  const bool any_integer = o.op == Op::maximum || o.op == Op::minimum;
  BITEXACT_TRY(need_dtype(o, 0, any_integer ? kIntegers : only(DType::q16)));
  BITEXACT_TRY(need_dtype(o, 1, only(o.in[0].dtype)));
  BITEXACT_TRY(check_activation(o.as<BinaryAttrs>().act));
  const auto shape = broadcast_shapes(o.in[0].shape, o.in[1].shape);
  if (!shape.ok()) return shape.status();
  return TensorType{o.in[0].dtype, *shape};
}

Result<TensorType> infer_prelu(const Operands& o) {
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  const Shape &in = o.in[0].shape, &slope = o.in[1].shape;
  const auto shape = broadcast_shapes(in, slope);
  if (!shape.ok()) return shape.status();
  bool fits = shape->rank() == in.rank();
  for (size_t i = 0; fits && i < in.rank(); ++i) fits = (*shape)[i] == in[i] || in[i] == -1 || (*shape)[i] == -1;
  if (!fits) return error(Code::shape, "slope " + slope.text() + " does not broadcast to " + in.text());
  return o.in[0];
}

Status prepare_binary(Prepare& p) {
  const auto* attrs = std::get_if<BinaryAttrs>(&p.operands.attrs);
  p.args.binary = &p.keep(binary_params(p.operands.in[0].shape, p.operands.in[1].shape, p.out.shape,
                                        attrs == nullptr ? Activation{} : clamp_to(attrs->act, p.out.dtype)));
  return {};
}

}  // namespace bitexact
