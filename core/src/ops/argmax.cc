#include <limits>

#include "ops/axis.h"
#include "ops/prepare.h"

namespace bitexact {

Result<TensorType> infer_argmax(const Operands& o) {
  constexpr auto kMost = int64_t{std::numeric_limits<int32_t>::max()};
  const auto& a = o.as<ArgmaxAttrs>();
  BITEXACT_TRY(need_dtypes(o, kAnyDType & ~(only(DType::f16) | only(DType::f32))));
  if (a.output != DType::i64 && a.output != DType::i32)
    return error(Code::unsupported, std::string("output_dtype is ") + dtype_name(a.output) + "; there are i64 and i32");
  const Shape& in = o.in[0].shape;
  const auto axis = axis_of(a.axis, in.rank());
  if (!axis.ok()) return axis.status();
  if (in[*axis] == 0)
    return error(Code::shape, "axis " + std::to_string(*axis) + " of " + in.text() + " has no elements");
  if (a.output == DType::i32 && in[*axis] > kMost + 1)
    return error(Code::too_large,
                 "an index along axis " + std::to_string(*axis) + " of " + in.text() + " may leave 32 bits");
  TensorType out{a.output, {}};
  for (size_t i = 0; i < in.rank(); ++i)
    if (i != *axis || a.keepdims) out.shape.push_back(i == *axis ? 1 : in[i]);
  return out;
}

Status prepare_argmax(Prepare& p) {
  const auto& a = p.operands.as<ArgmaxAttrs>();
  const Shape& in = p.operands.in[0].shape;
  p.args.axis = axis_params(in, *axis_of(a.axis, in.rank()));
  p.args.axis.output = a.output;
  p.args.axis.select_last = a.select_last;
  return {};
}

}  // namespace bitexact
