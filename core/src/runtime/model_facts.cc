#include "bitexact/model_facts.h"

#include "runtime/model_cost.h"
#include "runtime/receipt.h"

namespace bitexact {
namespace {

Json tensor_json(const Model::Value& v, const TensorType& type) {
  Json j{{"name", v.name}, {"dtype", dtype_name(type.dtype)}, {"shape", shape_json(type.shape)}};
  if (v.quant.scale != 0) j["quantization"] = {{"scale", v.quant.scale}, {"zero", v.quant.zero}};
  return j;
}

Json step_json(const PreparedModel& p, size_t i, const std::vector<TensorType>& types, const PlannedTensor& place) {
  const Model::Node& n = p.file.model.nodes[i];
  Json j = tensor_json(p.file.model.values[n.output], types[n.output]);
  j["op"] = op_name(n.op);
  j["node"] = n.name;
  j["kernel"] = kernel_name(*p.plan, i);
  j["macs"] = multiply_accumulates(n, types);
  j["parameters"] = parameters(n, p.file.model);
  const Explanation e = explain(*p.plan, i);
  if (e.bound.bits > 0)
    j["accumulator"] = {{"bits", e.bound.bits}, {"headroom_bits", e.headroom_bits}, {"bound", e.bound.formula}};
  j["arena"] = {{"offset", place.offset}, {"bytes", place.bytes}, {"first", place.first}, {"last", place.last}};
  return j;
}

Json notes_json(const std::vector<ModelNote>& notes) {
  Json all = Json::array();
  for (const ModelNote& n : notes) all.push_back({{"node", n.node}, {"name", n.name}, {"op", n.op}, {"text", n.text}});
  return all;
}

Json tensors_json(const Model& m, const std::vector<TensorId>& ids, const std::vector<TensorType>& types) {
  Json all = Json::array();
  for (const TensorId id : ids) all.push_back(tensor_json(m.values[id], types[id]));
  return all;
}

// What is said of the whole file and of its steps together.
Json totals_json(const PreparedModel& p, const std::vector<TensorType>& types) {
  const Model& m = p.file.model;
  Json operators = Json::object();
  uint64_t macs = 0;
  for (const Model::Node& n : m.nodes) {
    macs += multiply_accumulates(n, types);
    const char* op = op_name(n.op);
    operators[op] = operators.value(op, 0) + 1;
  }
  return {{"file", p.sha256},
          {"format", p.file.format},
          {"version", p.file.version},
          {"requant", requant_name(p.file.requant)},
          {"file_nodes", p.file.file_nodes},
          {"operators", std::move(operators)},
          {"parameters", parameters(m)},
          {"macs", macs},
          {"arena_bytes", arena_bytes(*p.plan)}};
}

}  // namespace

std::string model_facts(const PreparedModel& p) {
  const Model& m = p.file.model;
  const auto types = all_types(m, *p.plan);
  const auto map = arena_map(*p.plan);
  Json steps = Json::array();
  for (size_t i = 0; i < m.nodes.size(); ++i) steps.push_back(step_json(p, i, types, map[m.inputs.size() + i]));
  Json j = totals_json(p, types);
  j["inputs"] = tensors_json(m, m.inputs, types);
  j["outputs"] = tensors_json(m, m.outputs, types);
  j["steps"] = std::move(steps);
  j["notes"] = notes_json(p.file.notes);
  return canonical(j);
}

std::string problems_json(std::span<const ModelProblem> problems) {
  Json all = Json::array();
  for (const ModelProblem& p : problems)
    all.push_back({{"node", p.node}, {"name", p.name}, {"op", p.op}, {"version", p.version}, {"why", p.status.text()}});
  return canonical(all);
}

}  // namespace bitexact
