#include <cstdio>
#include <memory>

#include "model_args.h"
#include "model_cost.h"
#include "model_files.h"
#include "model_print.h"

namespace bitexact::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  bitexact inspect lenet5.onnx\n"
    "  bitexact inspect detector.onnx --shape input=1,3,240,320 --json";

Json problem_json(const ModelProblem& p) {
  return {{"node", p.node}, {"name", p.name}, {"op", p.op}, {"version", p.version}, {"why", p.status.text()}};
}

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

Json tensors_json(const Model& m, const std::vector<TensorId>& ids, const std::vector<TensorType>& types) {
  Json all = Json::array();
  for (const TensorId id : ids) all.push_back(tensor_json(m.values[id], types[id]));
  return all;
}

Json model_json(const PreparedModel& p) {
  const Model& m = p.file.model;
  const auto types = all_types(m, *p.plan);
  const auto map = arena_map(*p.plan);
  Json steps = Json::array(), operators = Json::object();
  uint64_t macs = 0, weights = 0;
  for (size_t i = 0; i < m.nodes.size(); ++i) {
    steps.push_back(step_json(p, i, types, map[m.inputs.size() + i]));
    macs += multiply_accumulates(m.nodes[i], types);
    weights += parameters(m.nodes[i], m);
    const char* op = op_name(m.nodes[i].op);
    operators[op] = operators.value(op, 0) + 1;
  }
  return {{"file", p.sha256},
          {"format", p.file.format},
          {"version", p.file.version},
          {"file_nodes", p.file.file_nodes},
          {"inputs", tensors_json(m, m.inputs, types)},
          {"outputs", tensors_json(m, m.outputs, types)},
          {"operators", std::move(operators)},
          {"parameters", weights},
          {"macs", macs},
          {"arena_bytes", arena_bytes(*p.plan)},
          {"steps", std::move(steps)}};
}

std::string text_of(const Json& value) {
  return value.is_string() ? printable(value.get<std::string>()) : json_text(value);
}

void print_tensors(const char* what, const Json& tensors) {
  for (const Json& t : tensors)
    std::printf("%-8s %s %s %s%s\n", what, text_of(t["name"]).c_str(), text_of(t["dtype"]).c_str(),
                text_of(t["shape"]).c_str(),
                t.contains("quantization") ? (" " + text_of(t["quantization"])).c_str() : "");
}

void print_step(const Json& s) {
  const Json& arena = s["arena"];
  constexpr size_t kName = 28;
  const std::string name = text_of(s[s["name"] == "" ? "node" : "name"]).substr(0, kName);
  std::printf("%-20s %-28s %-5s %-18s", text_of(s["op"]).c_str(), name.c_str(), text_of(s["dtype"]).c_str(),
              text_of(s["shape"]).c_str());
  std::printf(" %10s MAC %8s par  %s at %s, steps %s-%s", text_of(s["macs"]).c_str(), text_of(s["parameters"]).c_str(),
              text_of(arena["bytes"]).c_str(), text_of(arena["offset"]).c_str(), text_of(arena["first"]).c_str(),
              text_of(arena["last"]).c_str());
  std::printf("  %s", text_of(s["kernel"]).c_str());
  if (s.contains("accumulator"))
    std::printf(" (%s bits, %s to spare)", text_of(s["accumulator"]["bits"]).c_str(),
                text_of(s["accumulator"]["headroom_bits"]).c_str());
  std::printf("\n");
}

void print(const Json& j) {
  std::printf("%s version %s, %s operators in the file, %zu steps\n", text_of(j["format"]).c_str(),
              text_of(j["version"]).c_str(), text_of(j["file_nodes"]).c_str(), j["steps"].size());
  std::printf("sha256   %s\n", text_of(j["file"]).c_str());
  print_tensors("input", j["inputs"]);
  print_tensors("output", j["outputs"]);
  std::printf("total    %s parameters, %s MAC, arena of %s bytes\n", text_of(j["parameters"]).c_str(),
              text_of(j["macs"]).c_str(), text_of(j["arena_bytes"]).c_str());
  for (const Json& s : j["steps"]) print_step(s);
}

int fail_with(const std::vector<ModelProblem>& problems, const ModelArgs& args, const Status& status) {
  if (args.engine.json && !problems.empty()) {
    Json all = Json::array();
    for (const ModelProblem& p : problems) all.push_back(problem_json(p));
    std::printf("%s\n", json_text({{"problems", all}}).c_str());
  }
  for (const ModelProblem& p : problems)
    if (!args.engine.json)
      std::printf("node %zu %s %s version %lld: %s\n", p.node, printable(p.op).c_str(), printable(p.name).c_str(),
                  static_cast<long long>(p.version), printable(p.status.text()).c_str());
  return fail("inspect", status);
}

int run(const ModelArgs& args) {
  if (const Status s = args.engine.apply(); !s.ok()) return fail("inspect", s);
  const auto options = args.read_options();
  if (!options.ok()) return fail("inspect", options.status());
  std::vector<ModelProblem> problems;
  const auto model = load_model(args.model, *options, args.engine.set(), &problems);
  if (!model.ok()) return fail_with(problems, args, model.status());
  const Json j = model_json(**model);
  if (args.engine.json)
    std::printf("%s\n", json_text(j).c_str());
  else
    print(j);
  return kOk;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ModelArgs>();
  CLI::App* c = app.add_subcommand(
      "inspect", "show a model: operators, shapes, costs, memory, kernels, and how wide their sums can get");
  c->footer(kExamples);
  o->add_model(*c);
  c->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace bitexact::cli
