#include "bitexact/ops.h"

#include <algorithm>

#include "ops/prepare.h"

namespace bitexact {
namespace {

template <class T, size_t I = 0>
consteval size_t index_of() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, Attrs>, T>)
    return I;
  else
    return index_of<T, I + 1>();
}
constexpr size_t kNone = index_of<std::monostate>();

// In the order of `enum class Op`.
constexpr OpDef kOps[] = {
    {"conv2d", {"in", "weights", "bias"}, 2, 3, index_of<Conv2dAttrs>(), infer_conv2d, prepare_conv2d},
    {"conv_transpose2d",
     {"in", "weights", "bias"},
     2,
     3,
     index_of<ConvTranspose2dAttrs>(),
     infer_conv_transpose2d,
     prepare_conv_transpose2d},
    {"fully_connected",
     {"in", "weights", "bias"},
     2,
     3,
     index_of<FullyConnectedAttrs>(),
     infer_fully_connected,
     prepare_fully_connected},
    {"matmul", {"in", "b"}, 2, 2, kNone, infer_matmul, prepare_matmul},
    {"batch_norm", {"in", "scale", "bias"}, 3, 3, index_of<BatchNormAttrs>(), infer_batch_norm, prepare_batch_norm},
    {"max_pool2d", {"in"}, 1, 1, index_of<Pool2dAttrs>(), infer_max_pool2d, prepare_pool2d},
    {"avg_pool2d", {"in"}, 1, 1, index_of<Pool2dAttrs>(), infer_avg_pool2d, prepare_pool2d},
    {"q_conv2d", {"in", "weights", "bias"}, 2, 3, index_of<QConv2dAttrs>(), infer_q_conv2d, prepare_q_conv2d},
    {"q_fully_connected",
     {"in", "weights", "bias"},
     2,
     3,
     index_of<QFullyConnectedAttrs>(),
     infer_q_fully_connected,
     prepare_q_fully_connected},
    {"q_add", {"in", "b"}, 2, 2, index_of<QBinaryAttrs>(), infer_q_binary, prepare_q_binary},
    {"q_mul", {"in", "b"}, 2, 2, index_of<QBinaryAttrs>(), infer_q_binary, prepare_q_binary},
    {"q_softmax", {"in"}, 1, 1, index_of<QSoftmaxAttrs>(), infer_q_softmax, prepare_q_softmax},
    {"q_sigmoid", {"in"}, 1, 1, index_of<QCurveAttrs>(), infer_q_curve, prepare_q_curve},
    {"q_tanh", {"in"}, 1, 1, index_of<QCurveAttrs>(), infer_q_curve, prepare_q_curve},
    {"relu", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"clamp", {"in"}, 1, 1, index_of<ClampAttrs>(), infer_eltwise, prepare_eltwise},
    {"leaky_relu", {"in"}, 1, 1, index_of<LeakyReluAttrs>(), infer_eltwise, prepare_eltwise},
    {"prelu", {"in", "slope"}, 2, 2, kNone, infer_prelu, prepare_binary},
    {"hard_sigmoid", {"in"}, 1, 1, index_of<HardSigmoidAttrs>(), infer_eltwise, prepare_eltwise},
    {"hard_swish", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"exp", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"sigmoid", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"tanh", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"softmax", {"in"}, 1, 1, index_of<SoftmaxAttrs>(), infer_softmax, prepare_softmax},
    {"add", {"in", "b"}, 2, 2, index_of<BinaryAttrs>(), infer_binary, prepare_binary},
    {"sub", {"in", "b"}, 2, 2, index_of<BinaryAttrs>(), infer_binary, prepare_binary},
    {"mul", {"in", "b"}, 2, 2, index_of<BinaryAttrs>(), infer_binary, prepare_binary},
    {"div", {"in", "b"}, 2, 2, index_of<BinaryAttrs>(), infer_binary, prepare_binary},
    {"maximum", {"in", "b"}, 2, 2, index_of<BinaryAttrs>(), infer_binary, prepare_binary},
    {"minimum", {"in", "b"}, 2, 2, index_of<BinaryAttrs>(), infer_binary, prepare_binary},
    {"concat", {"in"}, 1, OpDef::kAnyNumber, index_of<ConcatAttrs>(), infer_concat, prepare_concat},
    {"pad", {"in"}, 1, 1, index_of<PadAttrs>(), infer_pad, prepare_pad},
    {"transpose", {"in"}, 1, 1, index_of<TransposeAttrs>(), infer_transpose, prepare_transpose},
    {"reshape", {"in"}, 1, 1, index_of<ReshapeAttrs>(), infer_reshape, prepare_reshape},
    {"slice", {"in"}, 1, 1, index_of<SliceAttrs>(), infer_slice, prepare_slice},
    {"resize", {"in"}, 1, 1, index_of<ResizeAttrs>(), infer_resize, prepare_resize},
    {"depth_to_space", {"in"}, 1, 1, index_of<DepthToSpaceAttrs>(), infer_depth_to_space, prepare_depth_to_space},
    {"argmax", {"in"}, 1, 1, index_of<ArgmaxAttrs>(), infer_argmax, prepare_argmax},
    {"argmin", {"in"}, 1, 1, index_of<ArgmaxAttrs>(), infer_argmax, prepare_argmax},
    {"conv2d_w16",
     {"in", "weights", "bias"},
     2,
     3,
     index_of<ScaledConv2dAttrs>(),
     infer_conv2d_w16,
     prepare_conv2d_w16},
    {"conv_transpose2d_w16",
     {"in", "weights", "bias"},
     2,
     3,
     index_of<ScaledConvTranspose2dAttrs>(),
     infer_conv_transpose2d_w16,
     prepare_conv_transpose2d_w16},
    {"fully_connected_w16",
     {"in", "weights", "bias"},
     2,
     3,
     index_of<ScaledFullyConnectedAttrs>(),
     infer_fully_connected_w16,
     prepare_fully_connected_w16},
    {"quantize", {"in"}, 1, 1, index_of<QuantizeAttrs>(), infer_quantize, prepare_quantize},
    {"dequantize", {"in"}, 1, 1, index_of<DequantizeAttrs>(), infer_dequantize, prepare_dequantize},
    {"requantize", {"in"}, 1, 1, index_of<RequantizeAttrs>(), infer_requantize, prepare_requantize},
    {"q_mean", {"in"}, 1, 1, index_of<QMeanAttrs>(), infer_q_mean, prepare_q_mean},
    {"reduce_sum", {"in"}, 1, 1, index_of<ReduceAttrs>(), infer_reduce, prepare_reduce},
    {"reduce_mean", {"in"}, 1, 1, index_of<ReduceAttrs>(), infer_reduce, prepare_reduce},
    {"reduce_max", {"in"}, 1, 1, index_of<ReduceAttrs>(), infer_reduce, prepare_reduce},
    {"reduce_min", {"in"}, 1, 1, index_of<ReduceAttrs>(), infer_reduce, prepare_reduce},
    {"abs", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"neg", {"in"}, 1, 1, kNone, infer_eltwise, prepare_eltwise},
    {"expand", {"in"}, 1, 1, index_of<ExpandAttrs>(), infer_expand, prepare_expand},
    {"space_to_depth", {"in"}, 1, 1, index_of<SpaceToDepthAttrs>(), infer_space_to_depth, prepare_space_to_depth},
    {"instance_norm",
     {"in", "scale", "bias"},
     3,
     3,
     index_of<InstanceNormAttrs>(),
     infer_instance_norm,
     prepare_instance_norm},
    {"conv2d_integer",
     {"in", "weights"},
     2,
     2,
     index_of<Conv2dIntegerAttrs>(),
     infer_conv2d_integer,
     prepare_conv2d_integer},
    {"matmul_integer", {"in", "b"}, 2, 2, index_of<MatmulIntegerAttrs>(), infer_matmul_integer, prepare_matmul_integer},
};

}  // namespace

const OpDef& op_def(Op op) noexcept { return kOps[static_cast<size_t>(op)]; }
const char* op_name(Op op) noexcept { return op_def(op).name; }

Status check_call(Op op, const Attrs& attrs, size_t inputs) {
  const OpDef& def = op_def(op);
  if (inputs < def.min_inputs || inputs > def.max_inputs)
    return error(Code::malformed, "wrong number of inputs: " + std::to_string(inputs));
  if (attrs.index() != def.attrs) return error(Code::argument, "attributes of another operator");
  return {};
}

std::optional<Op> op_from_name(std::string_view name) noexcept {
  for (size_t i = 0; i < std::size(kOps); ++i)
    if (name == kOps[i].name) return static_cast<Op>(i);
  return std::nullopt;
}

const char* pad_name(Pad pad) noexcept {
  switch (pad) {
    case Pad::valid:
      return "VALID";
    case Pad::same_upper:
      return "SAME_UPPER";
    case Pad::same_lower:
      return "SAME_LOWER";
    case Pad::full:
      return "FULL";
    case Pad::explicit_:
      return "explicit";
  }
  return "";
}

Status need_dtype(const Operands& o, size_t i, DTypes taken) {
  if ((taken & only(o.in[i].dtype)) != 0) return {};
  std::string list;
  for (unsigned t = 0; t <= static_cast<unsigned>(DType::i64); ++t)
    if ((taken & only(static_cast<DType>(t))) != 0)
      list += (list.empty() ? "" : ", ") + std::string(dtype_name(static_cast<DType>(t)));
  const OpDef& def = op_def(o.op);
  const std::string input = def.max_inputs == OpDef::kAnyNumber ? def.inputs[0] + std::to_string(i) : def.inputs[i];
  return error(Code::unsupported, input + " is " + dtype_name(o.in[i].dtype) + "; taken are " + list);
}

Status need_dtypes(const Operands& o, DTypes taken) {
  for (size_t i = 0; i < o.in.size(); ++i) BITEXACT_TRY(need_dtype(o, i, taken));
  return {};
}

Status check_activation(const Activation& act) {
  if (act.min <= act.max) return {};
  return error(Code::argument, "act_min " + std::to_string(act.min) + " is above act_max " + std::to_string(act.max));
}

Activation clamp_to(const Activation& act, DType t) noexcept {
  const auto within = [&](int32_t lowest, int32_t highest) {
    return Activation{std::clamp(act.min, lowest, highest), std::clamp(act.max, lowest, highest)};
  };
  switch (t) {
    case DType::i8:
      return within(-128, 127);
    case DType::u8:
      return within(0, 255);
    case DType::i16:
      return within(-32768, 32767);
    case DType::u16:
      return within(0, 65535);
    default:
      return act;
  }
}

}  // namespace bitexact
