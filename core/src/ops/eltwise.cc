#include "ops/prepare.h"

namespace bitexact {

Result<TensorType> infer_eltwise(const Operands& o) {
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  return o.in[0];
}

Status prepare_eltwise(Prepare& p) {
  const auto* leaky = std::get_if<LeakyReluAttrs>(&p.operands.attrs);
  p.args.eltwise = {*element_count(p.out.shape), leaky == nullptr ? 0 : leaky->alpha, 0, {}};
  return {};
}

}  // namespace bitexact
