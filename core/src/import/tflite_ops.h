#pragma once
#include "import/tflite_graph.h"

namespace bitexact::tflite {

/// An operator of the file becomes operators of `ops.h`, or known elements.
using Lower = Status (*)(Graph&, const Node&);

Status lower_conv2d(Graph& g, const Node& n);
Status lower_depthwise_conv2d(Graph& g, const Node& n);
Status lower_fully_connected(Graph& g, const Node& n);
Status lower_transpose_conv(Graph& g, const Node& n);
Status lower_max_pool2d(Graph& g, const Node& n);
Status lower_average_pool2d(Graph& g, const Node& n);

Status lower_add(Graph& g, const Node& n);
Status lower_sub(Graph& g, const Node& n);
Status lower_mul(Graph& g, const Node& n);
Status lower_div(Graph& g, const Node& n);
Status lower_maximum(Graph& g, const Node& n);
Status lower_minimum(Graph& g, const Node& n);

Status lower_relu(Graph& g, const Node& n);
Status lower_relu6(Graph& g, const Node& n);
Status lower_relu_n1_to_1(Graph& g, const Node& n);
Status lower_leaky_relu(Graph& g, const Node& n);
Status lower_prelu(Graph& g, const Node& n);
Status lower_logistic(Graph& g, const Node& n);
Status lower_tanh(Graph& g, const Node& n);
Status lower_exp(Graph& g, const Node& n);
Status lower_hard_swish(Graph& g, const Node& n);
Status lower_abs(Graph& g, const Node& n);
Status lower_neg(Graph& g, const Node& n);
Status lower_softmax(Graph& g, const Node& n);
Status lower_quantize(Graph& g, const Node& n);
Status lower_dequantize(Graph& g, const Node& n);
Status lower_cast(Graph& g, const Node& n);
Status lower_mean(Graph& g, const Node& n);
Status lower_sum(Graph& g, const Node& n);
Status lower_reduce_max(Graph& g, const Node& n);
Status lower_reduce_min(Graph& g, const Node& n);

Status lower_reshape(Graph& g, const Node& n);
Status lower_squeeze(Graph& g, const Node& n);
Status lower_expand_dims(Graph& g, const Node& n);
Status lower_shape(Graph& g, const Node& n);
Status lower_concatenation(Graph& g, const Node& n);
Status lower_pack(Graph& g, const Node& n);
Status lower_split(Graph& g, const Node& n);
Status lower_slice(Graph& g, const Node& n);
Status lower_strided_slice(Graph& g, const Node& n);
Status lower_pad(Graph& g, const Node& n);
Status lower_mirror_pad(Graph& g, const Node& n);
Status lower_transpose(Graph& g, const Node& n);
Status lower_resize_nearest(Graph& g, const Node& n);
Status lower_resize_bilinear(Graph& g, const Node& n);
Status lower_depth_to_space(Graph& g, const Node& n);
Status lower_space_to_depth(Graph& g, const Node& n);
Status lower_arg_max(Graph& g, const Node& n);
Status lower_arg_min(Graph& g, const Node& n);

// What they share.
/// The bounds of a fused activation, in units of the node's output.
[[nodiscard]] Result<Activation> activation(Graph& g, const Node& n, fb::Fused fused);
[[nodiscard]] Result<Activation> bounds(Graph& g, const Node& n, float lowest, float highest);
[[nodiscard]] Result<Padding> padding(fb::Padding padding);
/// `unsupported` unless output and input `i` have one type, and mean the same by their integers.
[[nodiscard]] Status need_same_scale(Graph& g, const Node& n, size_t i = 0);
/// The rule of a node's requantisations: int16 knows `tflm` alone.
[[nodiscard]] Requant rule_of(const Graph& g, const Node& n, size_t i = 0);
/// One of `options` that must be there.
[[nodiscard]] Status missing_options(const Node& n);
/// By way of q16: dequantize, the operator, quantize. `more` are its other inputs, in q16.
[[nodiscard]] Status through_q16(Graph& g, const Node& n, size_t i, Op op, Attrs attrs, std::vector<Operand> more = {});
[[nodiscard]] std::span<const float> floats_of(const Constant& c) noexcept;
/// An axis counted from either end.
[[nodiscard]] Result<int64_t> axis_of(int64_t axis, size_t rank);

}  // namespace bitexact::tflite
