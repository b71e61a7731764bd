#include <limits>

#include "ops/axis.h"
#include "ops/prepare.h"

namespace bitexact {

Result<TensorType> infer_eltwise(const Operands& o) {
  const auto* clamp = std::get_if<ClampAttrs>(&o.attrs);
  BITEXACT_TRY(need_dtypes(o, clamp != nullptr ? kIntegers : only(DType::q16)));
  if (clamp != nullptr) BITEXACT_TRY(check_activation(clamp->act));
  return o.in[0];
}

Status prepare_eltwise(Prepare& p) {
  EltwiseParams& e = p.args.eltwise = {*element_count(p.out.shape), 0, 0, {}};
  if (const auto* leaky = std::get_if<LeakyReluAttrs>(&p.operands.attrs)) e.alpha = leaky->alpha;
  if (const auto* clamp = std::get_if<ClampAttrs>(&p.operands.attrs)) e.act = clamp_to(clamp->act, p.out.dtype);
  if (const auto* hard = std::get_if<HardSigmoidAttrs>(&p.operands.attrs)) {
    e.alpha = hard->alpha;
    e.beta = hard->beta;
  }
  return {};
}

Result<TensorType> infer_softmax(const Operands& o) {
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  const auto& a = o.as<SoftmaxAttrs>();
  const auto axis = axis_of(a.axis, o.in[0].shape.rank());
  if (!axis.ok()) return axis.status();
  const int64_t n = o.in[0].shape[*axis];
  if (n == 0) return error(Code::shape, "softmax over axis " + std::to_string(*axis) + " of 0 elements");
  if (n > std::numeric_limits<int32_t>::max()) return error(Code::too_large, "the axis must stay below 2^31");
  if (a.output != DType::q16 && a.output != DType::i8 && a.output != DType::u8)
    return error(Code::unsupported, std::string("softmax gives q16, i8 or u8, not ") + dtype_name(a.output));
  return TensorType{a.output, o.in[0].shape};
}

Status prepare_softmax(Prepare& p) {
  const Shape& shape = p.out.shape;
  p.args.axis = axis_params(shape, *axis_of(p.operands.as<SoftmaxAttrs>().axis, shape.rank()));
  p.args.axis.output = p.out.dtype;
  return {};
}

}  // namespace bitexact
