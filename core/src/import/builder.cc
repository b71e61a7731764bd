#include "import/builder.h"

#include <algorithm>
#include <cstring>

#include "ops/prepare.h"

namespace bitexact {

TensorId Builder::input(std::string name, const TensorType& type, Quantization quant) {
  const auto id = static_cast<TensorId>(model_.values.size());
  model_.values.push_back({std::move(name), type.dtype, type.shape, nullptr, quant});
  model_.inputs.push_back(id);
  return id;
}

Result<TensorId> Builder::constant(std::string name, const TensorType& type, std::span<const std::byte> elements,
                                   Quantization quant) {
  const auto bytes = byte_size(type.dtype, type.shape);
  if (!bytes || *bytes != elements.size())
    return error(Code::shape, "constant " + name + " of shape " + type.shape.text() + " has " +
                                  std::to_string(elements.size()) + " bytes");
  auto buffer = Buffer::make(*bytes);
  if (!buffer.ok()) return buffer.status();
  if (*bytes > 0) std::memcpy(buffer->data(), elements.data(), *bytes);
  auto owner = std::make_shared<const Buffer>(std::move(*buffer));
  const auto id = static_cast<TensorId>(model_.values.size());
  model_.values.push_back({std::move(name), type.dtype, type.shape, owner->data(), quant});
  model_.buffers.push_back(std::move(owner));
  return id;
}

Result<TensorId> Builder::add(std::string node, Op op, Attrs attrs, std::vector<TensorId> inputs, std::string output,
                              Quantization quant) {
  if (const Status s = check_call(op, attrs, inputs.size()); !s.ok())
    return error(s.code, std::string(op_name(op)) + ": " + s.why);
  std::vector<TensorType> types;
  types.reserve(inputs.size());
  for (const TensorId id : inputs) types.push_back(type(id));
  const auto out = op_def(op).infer({op, attrs, types});
  if (!out.ok()) return out.status();
  const auto id = static_cast<TensorId>(model_.values.size());
  model_.values.push_back({std::move(output), out->dtype, out->shape, nullptr, quant});
  model_.nodes.push_back({std::move(node), op, std::move(attrs), std::move(inputs), id});
  return id;
}

namespace {

Activation* activation_of(Attrs& attrs) {
  if (auto* a = std::get_if<Conv2dAttrs>(&attrs)) return &a->act;
  if (auto* a = std::get_if<ScaledConv2dAttrs>(&attrs)) return &a->conv.act;
  if (auto* a = std::get_if<FullyConnectedAttrs>(&attrs)) return &a->act;
  if (auto* a = std::get_if<ScaledFullyConnectedAttrs>(&attrs)) return &a->act;
  if (auto* a = std::get_if<BinaryAttrs>(&attrs)) return &a->act;
  return nullptr;
}

std::optional<Activation> as_activation(const Model::Node& n) {
  if (n.op == Op::relu) return Activation{0, std::numeric_limits<int32_t>::max()};
  if (const auto* a = std::get_if<ClampAttrs>(&n.attrs)) return a->act;
  return std::nullopt;
}

// How often each tensor is read; an output of the model counts twice, since it must stay as it is.
std::vector<size_t> readers(const Model& m) {
  std::vector<size_t> count(m.values.size());
  for (const Model::Node& n : m.nodes)
    for (const TensorId id : n.inputs) ++count[id];
  for (const TensorId id : m.outputs) count[id] += 2;
  return count;
}

// A clamp right after a sum's saturation is the sum's own activation: two clamps in a row are one when the second's
// bounds are within the first's, and the first is still open.
void fuse_activations(Model& m) {
  const std::vector<size_t> count = readers(m);
  std::vector<Model::Node*> writer(m.values.size());
  std::vector<bool> gone(m.nodes.size());
  for (size_t i = 0; i < m.nodes.size(); ++i) {
    Model::Node& n = m.nodes[i];
    writer[n.output] = &n;
    const auto act = as_activation(n);
    Model::Node* before = act && m.values[n.inputs[0]].dtype == DType::q16 ? writer[n.inputs[0]] : nullptr;
    if (before == nullptr || count[n.inputs[0]] != 1) continue;
    Activation* open = activation_of(before->attrs);
    const Activation none;
    if (open == nullptr || open->min != none.min || open->max != none.max) continue;
    *open = *act;
    before->output = n.output;
    writer[n.output] = before;
    gone[i] = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < m.nodes.size(); ++i)
    if (!gone[i]) {
      if (kept != i) m.nodes[kept] = std::move(m.nodes[i]);
      ++kept;
    }
  m.nodes.resize(kept);
}

void drop_unread(Model& m) {
  std::vector<bool> needed(m.values.size());
  for (const TensorId id : m.outputs) needed[id] = true;
  for (size_t i = m.nodes.size(); i-- > 0;)
    if (needed[m.nodes[i].output])
      for (const TensorId id : m.nodes[i].inputs) needed[id] = true;
  std::erase_if(m.nodes, [&](const Model::Node& n) { return !needed[n.output]; });
}

}  // namespace

Model Builder::take(std::vector<TensorId> outputs) {
  model_.outputs = std::move(outputs);
  drop_unread(model_);
  fuse_activations(model_);
  return std::move(model_);
}

}  // namespace bitexact
