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

// Nothing when the kernel is exact for the step.
const char* objection(const Kernel& k, const Plan::Step& step, DType dtype) {
  if (k.op != step.op || (k.dtypes & only(dtype)) == 0) return "other operator or dtype";
  if (k.accumulator_bits < step.accumulator.bits) return "accumulator too narrow";
  if (k.accepts != nullptr && !k.accepts(step.args)) return "not made for these parameters";
  return nullptr;
}

// In the order in which they are tried.
std::vector<const Kernel*> candidates(KernelSet set) {
  std::vector<const Kernel*> all;
  all.reserve(simd_kernels().size() + reference_kernels().size());
  if (set == KernelSet::fastest)
    for (const Kernel& k : simd_kernels()) all.push_back(&k);
  for (const Kernel& k : reference_kernels()) all.push_back(&k);
  return all;
}

Status choose_kernel(Plan::Step& step, DType dtype) {
  for (const Kernel* k : candidates(step.set))
    if (step.kernel == nullptr && objection(*k, step, dtype) == nullptr) step.kernel = k;
  if (step.kernel == nullptr)
    return error(Code::unsupported, std::string("no kernel for ") + dtype_name(dtype) + " with sums of " +
                                        std::to_string(step.accumulator.bits) + " bits");
  if (step.kernel->packed_bytes == nullptr) return {};
  auto packed = Buffer::make(step.kernel->packed_bytes(step.args));
  if (!packed.ok()) return packed.status();
  step.packed = std::move(*packed);
  step.kernel->pack(step.args, step.packed.data());
  step.args.packed = step.packed.data();
  return {};
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
    if (Status s = check_call(n.op, n.attrs, n.inputs.size()); !s.ok()) return at(std::move(s), i, n);
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
  for (size_t i = 0; i < slot.type.shape.rank(); ++i)
    if (slot.type.shape[i] < 0)
      return error(Code::shape, "tensor " + slot.type.shape.text() + " has an unknown dimension", at_tensor(id));
  const auto bytes = byte_size(slot.type.dtype, slot.type.shape);
  if (!bytes)
    return error(Code::too_large, "tensor " + slot.type.shape.text() + " exceeds this machine's address space",
                 at_tensor(id));
  slot.bytes = *bytes;
  return {};
}

Status prepare_node(const Model::Node& n, KernelSet set, Plan& plan) {
  std::vector<TensorType> types;
  types.reserve(n.inputs.size());
  Plan::Step& step = plan.steps.emplace_back();
  for (const TensorId id : n.inputs) {
    types.push_back(plan.slots[id].type);
    step.constants.push_back(plan.slots[id].constant);
  }
  const Operands operands{n.op, n.attrs, types};
  const auto out = op_def(n.op).infer(operands);
  if (!out.ok()) return out.status();
  plan.slots[n.output].type = *out;
  BITEXACT_TRY(size_slot(plan.slots[n.output], n.output));
  Prepare p{operands, *out, {}, {}, {}};
  p.args.in = step.constants.data();
  BITEXACT_TRY(op_def(n.op).prepare(p));
  step.op = n.op;
  step.set = set;
  step.args = p.args;
  step.accumulator = std::move(p.accumulator);
  step.kept = std::move(p.kept);
  step.inputs = n.inputs;
  step.output = n.output;
  step.first_pointer = plan.pointers;
  plan.pointers += n.inputs.size();
  return choose_kernel(step, types[0].dtype);
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
  for (size_t i = 0; i < lives.size(); ++i) {
    Plan::Slot& slot = plan.slots[owners[i]];
    slot.offset = lives[i].offset;
    slot.first = lives[i].first;
    slot.last = lives[i].last;
  }
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
  for (size_t i = 0; i < model.values.size(); ++i) {
    const Model::Value& v = model.values[i];
    plan->slots[i].type = {v.dtype, v.shape};
    plan->slots[i].constant = v.constant;
    if (v.constant != nullptr) BITEXACT_TRY(size_slot(plan->slots[i], static_cast<TensorId>(i)));
  }
  for (const TensorId id : model.inputs) BITEXACT_TRY(size_slot(plan->slots[id], id));
  plan->steps.reserve(model.nodes.size());
  for (size_t i = 0; i < model.nodes.size(); ++i)
    if (Status s = prepare_node(model.nodes[i], options.kernels, *plan); !s.ok())
      return at(std::move(s), i, model.nodes[i]);
  BITEXACT_TRY(place(model, options.keep_all, *plan));
  return PlanPtr(std::move(plan));
}

size_t arena_bytes(const Plan& plan) noexcept { return plan.arena; }
size_t step_count(const Plan& plan) noexcept { return plan.steps.size(); }
const char* kernel_name(const Plan& plan, size_t step) noexcept { return plan.steps[step].kernel->name; }

std::vector<PlannedTensor> arena_map(const Plan& plan) {
  std::vector<PlannedTensor> map;
  const auto add = [&](TensorId id) {
    const Plan::Slot& s = plan.slots[id];
    map.push_back({id, s.type, s.offset, s.bytes, s.first, s.last});
  };
  for (const TensorId id : plan.inputs) add(id);
  for (const Plan::Step& step : plan.steps) add(step.output);
  return map;
}

Explanation explain(const Plan& plan, size_t step) {
  const Plan::Step& s = plan.steps[step];
  const DType dtype = plan.slots[s.inputs[0]].type.dtype;
  Explanation e{s.accumulator, s.kernel->accumulator_bits - s.accumulator.bits, {}};
  for (const Kernel* k : candidates(s.set)) {
    if (k->op != s.op || (k->dtypes & only(dtype)) == 0) continue;
    const char* reason = objection(*k, s, dtype);
    e.kernels.push_back({k->name, k->accumulator_bits,
                         k == s.kernel       ? "chosen"
                         : reason != nullptr ? reason
                                             : "a faster one is exact, too"});
  }
  return e;
}

}  // namespace bitexact
