#include <cstdio>
#include <memory>

#include "bitexact/model_facts.h"
#include "model_args.h"
#include "model_files.h"

namespace bitexact::cli {
namespace {

constexpr const char* kInspectExamples =
    "Examples:\n"
    "  bitexact inspect lenet5.onnx\n"
    "  bitexact inspect detector.onnx --shape input=1,3,240,320 --json";

std::string shown(const Json& value) {
  return value.is_string() ? printable(value.get<std::string>()) : json_text(value);
}

void print_tensors(const char* what, const Json& tensors) {
  for (const Json& t : tensors)
    std::printf("%-8s %s %s %s%s\n", what, shown(t["name"]).c_str(), shown(t["dtype"]).c_str(),
                shown(t["shape"]).c_str(), t.contains("quantization") ? (" " + shown(t["quantization"])).c_str() : "");
}

void print_step(const Json& s) {
  const Json& arena = s["arena"];
  constexpr size_t kName = 28;
  const std::string name = shown(s[s["name"] == "" ? "node" : "name"]).substr(0, kName);
  std::printf("%-20s %-28s %-5s %-18s", shown(s["op"]).c_str(), name.c_str(), shown(s["dtype"]).c_str(),
              shown(s["shape"]).c_str());
  std::printf(" %10s MAC %8s par  %s at %s, steps %s-%s", shown(s["macs"]).c_str(), shown(s["parameters"]).c_str(),
              shown(arena["bytes"]).c_str(), shown(arena["offset"]).c_str(), shown(arena["first"]).c_str(),
              shown(arena["last"]).c_str());
  std::printf("  %s", shown(s["kernel"]).c_str());
  if (s.contains("accumulator"))
    std::printf(" (%s bits, %s to spare)", shown(s["accumulator"]["bits"]).c_str(),
                shown(s["accumulator"]["headroom_bits"]).c_str());
  std::printf("\n");
}

void print_facts(const Json& j) {
  std::printf("%s version %s, %s operators in the file, %zu steps\n", shown(j["format"]).c_str(),
              shown(j["version"]).c_str(), shown(j["file_nodes"]).c_str(), j["steps"].size());
  std::printf("sha256   %s\n", shown(j["file"]).c_str());
  print_tensors("input", j["inputs"]);
  print_tensors("output", j["outputs"]);
  std::printf("total    %s parameters, %s MAC, arena of %s bytes\n", shown(j["parameters"]).c_str(),
              shown(j["macs"]).c_str(), shown(j["arena_bytes"]).c_str());
  for (const Json& n : j["notes"])
    std::printf("note     node %s %s %s: %s\n", shown(n["node"]).c_str(), shown(n["op"]).c_str(),
                shown(n["name"]).c_str(), shown(n["text"]).c_str());
  for (const Json& s : j["steps"]) print_step(s);
}

int fail_with(const std::vector<ModelProblem>& problems, const ModelArgs& args, const Status& status) {
  if (args.engine.json && !problems.empty()) std::printf("{\"problems\":%s}\n", problems_json(problems).c_str());
  for (const ModelProblem& p : problems)
    if (!args.engine.json)
      std::printf("node %zu %s %s version %lld: %s\n", p.node, printable(p.op).c_str(), printable(p.name).c_str(),
                  static_cast<long long>(p.version), printable(p.status.text()).c_str());
  return fail("inspect", status);
}

int run_inspect(const ModelArgs& args) {
  if (const Status s = args.engine.apply(); !s.ok()) return fail("inspect", s);
  const auto options = args.read_options();
  if (!options.ok()) return fail("inspect", options.status());
  std::vector<ModelProblem> problems;
  const auto model = load_model(args.model, *options, args.engine.set(), &problems);
  if (!model.ok()) return fail_with(problems, args, model.status());
  const std::string facts = model_facts(**model);
  if (args.engine.json)
    std::printf("%s\n", facts.c_str());
  else
    print_facts(*parse_json(facts));
  return kOk;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ModelArgs>();
  CLI::App* c = app.add_subcommand(
      "inspect", "show a model: operators, shapes, costs, memory, kernels, and how wide their sums can get");
  c->footer(kInspectExamples);
  o->add_model(*c);
  c->callback([o, &action] { action = [o] { return run_inspect(*o); }; });
}

}  // namespace bitexact::cli
