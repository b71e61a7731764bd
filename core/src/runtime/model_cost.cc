#include "runtime/model_cost.h"

namespace bitexact {
namespace {

uint64_t elements(const Shape& shape) { return element_count(shape).value_or(0); }
uint64_t dim(const Shape& shape, size_t i) { return i < shape.rank() ? static_cast<uint64_t>(shape[i]) : 1; }

// Every output meets the weights of its channel, and of a transposed convolution every input.
uint64_t per_channel(uint64_t meetings, const Shape& weights, uint64_t channels) {
  return channels == 0 ? 0 : meetings * (elements(weights) / channels);
}

size_t input_channels_axis(const Model::Node& node) {
  const ConvTranspose2dAttrs* attrs = std::get_if<ConvTranspose2dAttrs>(&node.attrs);
  if (const auto* scaled = std::get_if<ScaledConvTranspose2dAttrs>(&node.attrs)) attrs = &scaled->conv;
  return attrs != nullptr && attrs->layout == Layout::nchw ? 1 : 3;
}

}  // namespace

std::vector<TensorType> all_types(const Model& model, const Plan& plan) {
  std::vector<TensorType> types;
  for (const Model::Value& v : model.values) types.push_back({v.dtype, v.shape});
  for (const PlannedTensor& t : arena_map(plan)) types[t.id] = t.type;
  return types;
}

uint64_t multiply_accumulates(const Model::Node& node, const std::vector<TensorType>& types) {
  const Shape& in = types[node.inputs[0]].shape;
  const Shape& out = types[node.output].shape;
  const auto weights = [&]() -> const Shape& { return types[node.inputs[1]].shape; };
  switch (node.op) {
    case Op::conv2d:
    case Op::conv2d_w16:
    case Op::conv2d_integer:
    case Op::q_conv2d:
      return per_channel(elements(out), weights(), dim(weights(), 0));
    case Op::conv_transpose2d:
    case Op::conv_transpose2d_w16:
      return per_channel(elements(in), weights(), dim(in, input_channels_axis(node)));
    case Op::fully_connected:
    case Op::fully_connected_w16:
    case Op::q_fully_connected:
      return elements(out) * dim(weights(), 1);
    case Op::matmul:
    case Op::matmul_integer:
      return elements(out) * dim(in, in.rank() - 1);
    default:
      return 0;
  }
}

uint64_t parameters(const Model::Node& node, const Model& model) {
  uint64_t sum = 0;
  for (const TensorId id : node.inputs)
    if (model.values[id].constant != nullptr) sum += elements(model.values[id].shape);
  return sum;
}

uint64_t parameters(const Model& model) {
  std::vector<bool> counted(model.values.size());
  uint64_t sum = 0;
  for (const Model::Node& node : model.nodes)
    for (const TensorId id : node.inputs) {
      if (model.values[id].constant != nullptr && !counted[id]) sum += elements(model.values[id].shape);
      counted[id] = true;
    }
  return sum;
}

}  // namespace bitexact
