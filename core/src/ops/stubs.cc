#include "ops/prepare.h"

namespace bitexact {

Result<TensorType> infer_conv2d_w16(const Operands&) { return error(Code::unsupported, "conv2d_w16 is not there yet"); }
Status prepare_conv2d_w16(Prepare&) { return error(Code::unsupported, "conv2d_w16 is not there yet"); }

Result<TensorType> infer_conv_transpose2d_w16(const Operands&) {
  return error(Code::unsupported, "conv_transpose2d_w16 is not there yet");
}
Status prepare_conv_transpose2d_w16(Prepare&) {
  return error(Code::unsupported, "conv_transpose2d_w16 is not there yet");
}

Result<TensorType> infer_fully_connected_w16(const Operands&) {
  return error(Code::unsupported, "fully_connected_w16 is not there yet");
}
Status prepare_fully_connected_w16(Prepare&) {
  return error(Code::unsupported, "fully_connected_w16 is not there yet");
}

Result<TensorType> infer_quantize(const Operands&) { return error(Code::unsupported, "quantize is not there yet"); }
Status prepare_quantize(Prepare&) { return error(Code::unsupported, "quantize is not there yet"); }

Result<TensorType> infer_dequantize(const Operands&) { return error(Code::unsupported, "dequantize is not there yet"); }
Status prepare_dequantize(Prepare&) { return error(Code::unsupported, "dequantize is not there yet"); }

Result<TensorType> infer_requantize(const Operands&) { return error(Code::unsupported, "requantize is not there yet"); }
Status prepare_requantize(Prepare&) { return error(Code::unsupported, "requantize is not there yet"); }

Result<TensorType> infer_q_mean(const Operands&) { return error(Code::unsupported, "q_mean is not there yet"); }
Status prepare_q_mean(Prepare&) { return error(Code::unsupported, "q_mean is not there yet"); }

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
