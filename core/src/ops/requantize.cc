// Between quantized and real numbers, and between scales.
#include "ops/axis.h"
#include "ops/quantized.h"

namespace bitexact {
namespace {

Status check_output(DType t) {
  if ((kQuantized & only(t)) != 0) return {};
  return error(Code::unsupported, std::string("output_dtype is ") + dtype_name(t) + "; there are i8, u8 and i16");
}

}  // namespace

Result<TensorType> infer_quantize(const Operands& o) {
  const auto& a = o.as<QuantizeAttrs>();
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  BITEXACT_TRY(check_output(a.output));
  BITEXACT_TRY(check_scales({&a.scale, 1}));
  BITEXACT_TRY(check_zero("zero", a.zero, a.output));
  return TensorType{a.output, o.in[0].shape};
}

Status prepare_quantize(Prepare& p) {
  const auto& a = p.operands.as<QuantizeAttrs>();
  p.args.quantize = {*element_count(p.out.shape), a.scale, a.zero, a.output, a.ties_away};
  return {};
}

Result<TensorType> infer_dequantize(const Operands& o) {
  const auto& a = o.as<DequantizeAttrs>();
  BITEXACT_TRY(need_dtypes(o, kQuantized | only(DType::i32)));
  const Shape& in = o.in[0].shape;
  int64_t length = 1;
  if (a.scale.size() > 1 || a.zero.size() > 1) {
    const auto axis = axis_of(a.axis, in.rank());
    if (!axis.ok()) return axis.status();
    length = in[*axis];
  }
  BITEXACT_TRY(check_length("scale", a.scale.size(), length));
  BITEXACT_TRY(check_scales(a.scale));
  BITEXACT_TRY(check_zeros("zero", a.zero, o.in[0].dtype, length));
  return TensorType{DType::q16, in};
}

Status prepare_dequantize(Prepare& p) {
  const auto& a = p.operands.as<DequantizeAttrs>();
  const bool per_index = a.scale.size() > 1 || a.zero.size() > 1;
  AxisParams axis{1, 1, static_cast<ptrdiff_t>(*element_count(p.out.shape)), DType::q16, false};
  if (per_index) axis = axis_params(p.out.shape, *axis_of(a.axis, p.out.shape.rank()));
  p.args.dequantize = {axis.outer, axis.axis, axis.inner, a.scale.data(), a.scale.size() > 1, zeros_of(a.zero)};
  return {};
}

Result<TensorType> infer_requantize(const Operands& o) {
  const auto& a = o.as<RequantizeAttrs>();
  const DType in = o.in[0].dtype;
  BITEXACT_TRY(need_dtypes(o, kQuantized));
  BITEXACT_TRY(check_output(a.output));
  BITEXACT_TRY(check_zero("input_zero", a.quant.input_zero, in));
  BITEXACT_TRY(check_zero("output_zero", a.quant.output_zero, a.output));
  BITEXACT_TRY(check_requant(a.quant, in == DType::i16 ? in : a.output, false, 1));
  return TensorType{a.output, o.in[0].shape};
}

Status prepare_requantize(Prepare& p) {
  const auto& a = p.operands.as<RequantizeAttrs>();
  p.args.requantize = {*element_count(p.out.shape), a.output, requant_params(a.quant, false)};
  return {};
}

}  // namespace bitexact
