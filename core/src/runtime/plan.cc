#include "runtime/plan.h"

#include <limits>
#include <string>

#include "ops/prepare.h"

namespace bitexact {
namespace {

Status at(Status s, size_t node, const Model::Node& n) {
  s.why = std::string(op_name(n.op)) + (n.name.empty() ? "" : " '" + n.name + "'") + ": " + s.why;
  s.where = at_node(node);
  return s;
}

const Kernel* choose(std::span<const Kernel> kernels, const Prepare& p) {
  for (const Kernel& k : kernels)
    if (k.op == p.node.op && k.dtype == p.dtype && (k.accepts == nullptr || k.accepts(p.args))) return &k;
  return nullptr;
}

const Kernel* choose(KernelSet set, const Prepare& p) {
  const Kernel* fast = set == KernelSet::fastest ? choose(simd_kernels(), p) : nullptr;
  return fast != nullptr ? fast : choose(reference_kernels(), p);
}

// The graph's form: ids in range, operators' arities, every tensor written before it is read and only once.
Status check_graph(const Model& m) {
  std::vector<bool> known(m.values.size());
  for (size_t i = 0; i < m.values.size(); ++i) known[i] = m.values[i].constant != nullptr;
  for (const TensorId id : m.inputs) {
    if (id >= m.values.size() || known[id])
      return error(Code::malformed, "model input is not a tensor of the model, or is a constant", at_tensor(id));
    known[id] = true;
  }
  for (size_t i = 0; i < m.nodes.size(); ++i) {
    const Model::Node& n = m.nodes[i];
    const OpDef& def = op_def(n.op);
    if (n.inputs.size() < def.min_inputs || n.inputs.size() > def.max_inputs)
      return at(error(Code::malformed, "wrong number of inputs: " + std::to_string(n.inputs.size())), i, n);
    for (const TensorId id : n.inputs)
      if (id >= m.values.size() || !known[id])
        return at(error(Code::malformed, "input tensor is not computed before"), i, n);
    if (n.output >= m.values.size() || known[n.output])
      return at(error(Code::malformed, "output tensor is missing or written twice"), i, n);
    known[n.output] = true;
  }
  for (const TensorId id : m.outputs)
    if (id >= m.values.size() || !known[id])
      return error(Code::malformed, "model output is never computed", at_tensor(id));
  return {};
}

Status size_slot(Plan::Slot& slot, TensorId id) {
  const auto bytes = byte_size(slot.dtype, slot.shape);
  if (!bytes)
    return error(Code::too_large, "tensor " + slot.shape.text() + " exceeds this machine's address space",
                 at_tensor(id));
  slot.bytes = *bytes;
  return {};
}

Status prepare_node(const Model& m, size_t index, std::vector<Model::Value>& values, KernelSet set, Plan& plan) {
  const Model::Node& n = m.nodes[index];
  std::vector<const Model::Value*> inputs;
  for (const TensorId id : n.inputs) inputs.push_back(&values[id]);
  Prepare p{n, inputs, DType::q16, {}, {}};
  if (Status s = op_def(n.op).prepare(p); !s.ok()) return at(std::move(s), index, n);
  const Kernel* kernel = choose(set, p);
  if (kernel == nullptr)
    return at(error(Code::unsupported, std::string("no kernel for ") + dtype_name(p.dtype)), index, n);
  values[n.output].dtype = p.dtype;
  values[n.output].shape = p.shape;
  plan.slots[n.output] = {p.dtype, p.shape, 0, 0, nullptr};
  plan.steps.push_back({kernel, p.args, n.inputs, n.output});
  return size_slot(plan.slots[n.output], n.output);
}

Status place(const Model& m, bool keep_all, Plan& plan) {
  const auto end = static_cast<int64_t>(plan.steps.size());
  std::vector<Lifetime> lives;
  std::vector<TensorId> owners;
  std::vector<size_t> index(m.values.size(), std::numeric_limits<size_t>::max());
  const auto born = [&](TensorId id, int64_t when) {
    index[id] = lives.size();
    owners.push_back(id);
    lives.push_back({plan.slots[id].bytes, when, keep_all ? end : when});
  };
  const auto used = [&](TensorId id, int64_t when) {
    if (index[id] < lives.size() && lives[index[id]].last < when) lives[index[id]].last = when;
  };
  for (const TensorId id : m.inputs) born(id, -1);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    for (const TensorId id : plan.steps[i].inputs) used(id, static_cast<int64_t>(i));
    born(plan.steps[i].output, static_cast<int64_t>(i));
  }
  for (const TensorId id : m.outputs) used(id, end);
  const auto arena = place_lifetimes(lives);
  if (!arena.ok()) return arena.status();
  for (size_t i = 0; i < lives.size(); ++i) plan.slots[owners[i]].offset = lives[i].offset;
  plan.arena = *arena;
  return {};
}

}  // namespace

Result<PlanPtr> prepare(const Model& model, const PlanOptions& options) {
  BITEXACT_TRY(check_graph(model));
  auto plan = std::make_shared<Plan>();
  plan->inputs = model.inputs;
  plan->outputs = model.outputs;
  plan->slots.resize(model.values.size());
  std::vector<Model::Value> values = model.values;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool given = values[i].constant != nullptr;
    plan->slots[i] = {values[i].dtype, values[i].shape, 0, 0, values[i].constant};
    if (given) BITEXACT_TRY(size_slot(plan->slots[i], static_cast<TensorId>(i)));
  }
  for (const TensorId id : model.inputs) BITEXACT_TRY(size_slot(plan->slots[id], id));
  for (size_t i = 0; i < model.nodes.size(); ++i) BITEXACT_TRY(prepare_node(model, i, values, options.kernels, *plan));
  BITEXACT_TRY(place(model, options.keep_all, *plan));
  return PlanPtr(std::move(plan));
}

size_t arena_bytes(const Plan& plan) noexcept { return plan.arena; }
size_t step_count(const Plan& plan) noexcept { return plan.steps.size(); }
const char* kernel_name(const Plan& plan, size_t step) noexcept { return plan.steps[step].kernel->name; }

}  // namespace bitexact
