#include "bitexact/model_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "bitexact/digest.h"
#include "runtime/model_input.h"

namespace bitexact {
namespace {

uint64_t count_saturated(const Tensor& t) {
  if (t.dtype != DType::q16) return 0;
  const auto* v = t.as<int32_t>();
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
  return static_cast<uint64_t>(std::count(v, v + t.count(), kMin) + std::count(v, v + t.count(), kMax));
}

const QuantAttrs* quant_of(const Attrs& a) {
  if (const auto* conv = std::get_if<QConv2dAttrs>(&a)) return &conv->quant;
  if (const auto* dense = std::get_if<QFullyConnectedAttrs>(&a)) return &dense->quant;
  const auto* mean = std::get_if<QMeanAttrs>(&a);
  return mean != nullptr ? &mean->quant : nullptr;
}

// What an operator by itself lets wrap, a model is refused for (ARITHMETIC 7): sums of 32 bits that may need more.
Status check_sums(const Model& m, const Plan& plan) {
  for (size_t i = 0; i < m.nodes.size(); ++i) {
    const Model::Node& n = m.nodes[i];
    const QuantAttrs* q = quant_of(n.attrs);
    const bool wide = n.inputs.size() > 2 && m.values[n.inputs[2]].dtype == DType::i64;
    if (q == nullptr || q->rule != Requant::tflm || wide) continue;
    const AccumulatorBound bound = explain(plan, i).bound;
    if (bound.bits > 32)
      return error(Code::unsupported,
                   std::string(op_name(n.op)) + " '" + n.name + "' sums in 32 bits under tflm: " + bound.formula,
                   at_node(i));
  }
  return {};
}

}  // namespace

Result<PreparedModelPtr> prepare_model(ModelFile file, std::string sha256, const PlanOptions& options) {
  auto model = std::make_shared<PreparedModel>();
  model->file = std::move(file);
  model->sha256 = std::move(sha256);
  auto plan = prepare(model->file.model, options);
  if (!plan.ok()) return plan.status();
  model->plan = std::move(*plan);
  BITEXACT_TRY(check_sums(model->file.model, *model->plan));
  return PreparedModelPtr(std::move(model));
}

Result<ModelRun> ModelRun::open(PreparedModelPtr model, ModelTask task, const ImageLimits& limits, uint64_t max_bytes) {
  const size_t bytes = arena_bytes(*model->plan);
  if (bytes > max_bytes)
    return error(Code::too_large, "the model needs " + std::to_string(bytes) + " bytes for its tensors; the limit is " +
                                      std::to_string(max_bytes));
  auto arena = Buffer::make(bytes);
  if (!arena.ok()) return arena.status();
  auto session = Session::open(model->plan, arena->span());
  if (!session.ok()) return session.status();
  ModelRun run;
  run.model_ = std::move(model);
  run.task_ = std::move(task);
  run.limits_ = limits;
  run.arena_ = std::move(*arena);
  run.session_ = std::move(*session);
  return run;
}

Status ModelRun::start(std::span<const ModelInput> inputs) {
  const Model& m = model_->file.model;
  if (inputs.size() != m.inputs.size())
    return error(Code::argument, "the model has " + std::to_string(m.inputs.size()) + " inputs; " +
                                     std::to_string(inputs.size()) + " are given");
  inputs_.clear();
  layers_.clear();
  next_ = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto digests =
        make_input(inputs[i], m.values[m.inputs[i]], session_->input(i), task_.image, model_->file.format, limits_);
    if (!digests.ok()) return digests.status();
    inputs_.push_back(std::move(*digests));
  }
  return {};
}

void ModelRun::step() {
  const Model::Node& node = model_->file.model.nodes[next_];
  session_->step(next_++);
  const std::string& name = model_->file.model.values[node.output].name;
  if (name.empty() || !digest_layers_) return;
  const Tensor t = session_->value(node.output);
  layers_.push_back({name, op_name(node.op), {t.dtype, t.shape}, sha256_hex(t), count_saturated(t), node.output});
}

Result<Buffer> raw_output(const Tensor& t) {
  auto bytes = Buffer::make(t.bytes());
  if (!bytes.ok()) return bytes.status();
  if (t.dtype != DType::q16) {
    dump(t, 0, t.count(), bytes->data());
    return bytes;
  }
  for (size_t i = 0; i < t.count(); ++i) {
    // Exact in binary64; the one rounding is the last conversion.
    const auto real = static_cast<float>(static_cast<double>(t.as<int32_t>()[i]) / 65536.0);
    std::array<std::byte, 4> little{};
    std::memcpy(little.data(), &real, little.size());
    if constexpr (std::endian::native == std::endian::big) std::reverse(little.begin(), little.end());
    std::copy(little.begin(), little.end(), bytes->data() + 4 * i);
  }
  return bytes;
}

Result<Model> layer_alone(const Model& model, const Plan& plan, std::string_view layer) {
  const auto writes = [&](const Model::Node& n) { return model.values[n.output].name == layer; };
  const auto last = std::find_if(model.nodes.begin(), model.nodes.end(), writes);
  if (layer.empty() || last == model.nodes.end())
    return error(Code::argument, "the model has no layer '" + std::string(layer) + "'");
  Model part;
  part.values = model.values;
  part.buffers = model.buffers;
  part.outputs = {last->output};
  std::vector<bool> needed(model.values.size());
  needed[last->output] = true;
  for (auto n = last + 1; n != model.nodes.begin();) {
    --n;
    const bool inner = n == last || model.values[n->output].name.empty();
    if (!needed[n->output] || !inner) continue;
    needed[n->output] = false;
    for (const TensorId id : n->inputs) needed[id] = model.values[id].constant == nullptr;
    part.nodes.insert(part.nodes.begin(), *n);
  }
  for (const PlannedTensor& t : arena_map(plan)) {
    if (!needed[t.id]) continue;
    part.inputs.push_back(t.id);
    part.values[t.id].dtype = t.type.dtype;
    part.values[t.id].shape = t.type.shape;
  }
  return part;
}

}  // namespace bitexact
