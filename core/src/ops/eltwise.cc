#include "ops/prepare.h"

namespace bitexact {
namespace {

Status prepare_eltwise(Prepare& p, int32_t alpha) {
  BITEXACT_TRY(need_q16(p));
  const auto count = element_count(p.inputs[0]->shape);
  if (!count) return error(Code::shape, "shape " + p.inputs[0]->shape.text() + " is unknown or too large");
  p.shape = p.inputs[0]->shape;
  p.args.eltwise = {*count, alpha};
  return {};
}

}  // namespace

Status prepare_relu(Prepare& p) { return prepare_eltwise(p, 0); }

Status prepare_leaky_relu(Prepare& p) {
  const auto* a = std::get_if<LeakyReluAttrs>(&p.node.attrs);
  if (a == nullptr) return error(Code::argument, "leaky_relu without LeakyReluAttrs");
  return prepare_eltwise(p, a->alpha);
}

}  // namespace bitexact
