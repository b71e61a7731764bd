#include "bitexact/operator.h"

#include <algorithm>
#include <optional>

#include "ops/prepare.h"
#include "runtime/attributes.h"

namespace bitexact {
namespace {

std::string input_name(const OpDef& def, size_t i) {
  return def.max_inputs == OpDef::kAnyNumber ? def.inputs[0] + std::to_string(i) : std::string(def.inputs[i]);
}

// The inputs in the operator's order. Only those at its end may be left out.
template <class Named>
Result<std::vector<const Named*>> in_order(Op op, std::span<const Named> inputs) {
  const OpDef& def = op_def(op);
  const auto find = [&](const std::string& name) -> const Named* {
    for (const Named& n : inputs)
      if (n.name == name) return &n;
    return nullptr;
  };
  std::vector<const Named*> ordered;
  while (ordered.size() < def.max_inputs) {
    const Named* n = find(input_name(def, ordered.size()));
    if (n == nullptr) break;
    ordered.push_back(n);
  }
  if (ordered.size() < def.min_inputs)
    return error(Code::argument, std::string(def.name) + ": input " + input_name(def, ordered.size()) + " is missing");
  for (const Named& n : inputs)
    if (std::find(ordered.begin(), ordered.end(), &n) == ordered.end())
      return error(Code::argument, std::string(def.name) + ": input " + n.name + " is not its own, or stands twice");
  return ordered;
}

struct Call {
  Op op;
  Attrs attrs;
  std::optional<MaxPoolExt2Attrs> ext2{};

  // MaxPoolExt2 refuses more than max_pool2d does, and knows a shape without a rank.
  Result<TensorType> infer(std::span<const TensorType> in) const {
    return ext2 ? infer_max_pool_ext2(in[0], *ext2) : op_def(op).infer({op, attrs, in});
  }
};

Result<Call> read_ext2(std::string_view attributes) {
  auto ext2 = read_max_pool_ext2(attributes);
  if (!ext2.ok()) return ext2.status();
  const auto attrs = max_pool_ext2_attrs(*ext2);
  if (!attrs.ok()) return attrs.status();
  return Call{Op::max_pool2d, *attrs, std::move(*ext2)};
}

Result<Call> read_call(std::string_view name, std::string_view attributes) {
  if (name == "max_pool_ext2") return read_ext2(attributes);
  const auto op = op_from_name(name);
  if (!op) return error(Code::unsupported, "there is no operator " + std::string(name));
  auto attrs = read_attributes(*op, attributes);
  if (!attrs.ok()) return attrs.status();
  return Call{*op, std::move(*attrs), {}};
}

// A tensor of no elements may have no memory, but a constant has an address.
const std::byte* address_of(const Tensor& t) {
  static constexpr std::byte kNothing{};
  return t.data == nullptr && t.count() == 0 ? &kNothing : t.data;
}

// A model of one node. Its inputs are constants, so that they stay where they are.
Result<Model> model_of(Call call, std::span<const NamedTensor> inputs) {
  const auto ordered = in_order(call.op, inputs);
  if (!ordered.ok()) return ordered.status();
  const Tensor& first = (*ordered)[0]->tensor;
  const TensorType type{first.dtype, first.shape};
  if (call.ext2)
    if (const auto out = call.infer({&type, 1}); !out.ok()) return out.status();
  Model m;
  std::vector<TensorId> ids;
  ids.reserve(ordered->size());
  for (const NamedTensor* n : *ordered) {
    ids.push_back(static_cast<TensorId>(m.values.size()));
    m.values.push_back({n->name, n->tensor.dtype, n->tensor.shape, address_of(n->tensor)});
  }
  const auto result = static_cast<TensorId>(m.values.size());
  m.values.push_back({"output", DType::q16, {}, nullptr});
  m.nodes.push_back({"", call.op, std::move(call.attrs), std::move(ids), result});
  m.outputs = {result};
  return m;
}

// `use` sees the model and its plan, which live as long as the call.
template <class T, class Use>
Result<T> with_plan(std::string_view name, std::string_view attributes, std::span<const NamedTensor> inputs,
                    const OperatorOptions& options, Use&& use) {
  auto call = read_call(name, attributes);
  if (!call.ok()) return call.status();
  const auto model = model_of(std::move(*call), inputs);
  if (!model.ok()) return model.status();
  const auto plan = prepare(*model, {options.kernels, false});
  if (!plan.ok()) return plan.status();
  return use(*plan);
}

Result<OwnedTensor> run(const PlanPtr& plan, uint64_t max_bytes) {
  const size_t bytes = arena_bytes(*plan);
  if (bytes > max_bytes)
    return error(Code::too_large,
                 "the output needs " + std::to_string(bytes) + " bytes; the limit is " + std::to_string(max_bytes));
  auto arena = Buffer::make(bytes);
  if (!arena.ok()) return arena.status();
  auto session = Session::open(plan, arena->span());
  if (!session.ok()) return session.status();
  session->run();
  return OwnedTensor{session->output(0), std::move(*arena)};
}

}  // namespace

Result<OwnedTensor> make_tensor(const TensorType& type) {
  const auto bytes = byte_size(type.dtype, type.shape);
  if (!bytes) return error(Code::too_large, "tensor " + type.shape.text() + " exceeds this machine's address space");
  auto buffer = Buffer::make(*bytes);
  if (!buffer.ok()) return buffer.status();
  const Tensor view{type.dtype, type.shape, buffer->data()};
  return OwnedTensor{view, std::move(*buffer)};
}

Result<OwnedTensor> run_operator(std::string_view op, std::string_view attributes, std::span<const NamedTensor> inputs,
                                 const OperatorOptions& options) {
  return with_plan<OwnedTensor>(op, attributes, inputs, options,
                                [&](const PlanPtr& plan) { return run(plan, options.max_bytes); });
}

Result<TensorType> infer_operator(std::string_view op, std::string_view attributes, std::span<const NamedType> inputs) {
  const auto call = read_call(op, attributes);
  if (!call.ok()) return call.status();
  const auto ordered = in_order(call->op, inputs);
  if (!ordered.ok()) return ordered.status();
  std::vector<TensorType> types;
  types.reserve(ordered->size());
  for (const NamedType* n : *ordered) types.push_back(n->type);
  return call->infer(types);
}

std::vector<std::string> operator_inputs(std::string_view name, size_t count) {
  const auto op = op_from_name(name);
  std::vector<std::string> names;
  while (op && names.size() < std::min(count, op_def(*op).max_inputs))
    names.push_back(input_name(op_def(*op), names.size()));
  return names;
}

Result<Explanation> explain_operator(std::string_view op, std::string_view attributes,
                                     std::span<const NamedTensor> inputs, const OperatorOptions& options) {
  return with_plan<Explanation>(op, attributes, inputs, options,
                                [](const PlanPtr& plan) { return Result<Explanation>(explain(*plan, 0)); });
}

}  // namespace bitexact
