#include "ops/prepare.h"

namespace bitexact {

Result<TensorType> infer_reduce(const Operands&) { return error(Code::unsupported, "reduce is not there yet"); }
Status prepare_reduce(Prepare&) { return error(Code::unsupported, "reduce is not there yet"); }

Result<TensorType> infer_expand(const Operands&) { return error(Code::unsupported, "expand is not there yet"); }
Status prepare_expand(Prepare&) { return error(Code::unsupported, "expand is not there yet"); }

Result<TensorType> infer_space_to_depth(const Operands&) {
  return error(Code::unsupported, "space_to_depth is not there yet");
}
Status prepare_space_to_depth(Prepare&) { return error(Code::unsupported, "space_to_depth is not there yet"); }

Result<TensorType> infer_instance_norm(const Operands&) {
  return error(Code::unsupported, "instance_norm is not there yet");
}
Status prepare_instance_norm(Prepare&) { return error(Code::unsupported, "instance_norm is not there yet"); }

}  // namespace bitexact
