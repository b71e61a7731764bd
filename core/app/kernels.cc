#include <cstdio>
#include <memory>

#include "cli.h"
#include "files.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

struct KernelsOptions {
  std::string file, name;
  Engine engine;
};

Json kernel_json(const KernelInfo& k) {
  return {{"name", k.name}, {"op", k.op}, {"set", k.set}, {"accumulator_bits", k.accumulator_bits}};
}

int list(const KernelsOptions& o) {
  Json all = Json::array();
  for (const KernelInfo& k : kernel_list()) {
    all.push_back(kernel_json(k));
    if (o.engine.json) continue;
    const std::string bits = k.accumulator_bits == 0 ? "" : std::to_string(k.accumulator_bits) + "-bit sums";
    std::printf("%-9s  %-18s  %-28s  %s\n", k.set.c_str(), k.op.c_str(), k.name.c_str(), bits.c_str());
  }
  if (o.engine.json) std::printf("%s\n", json_text(all).c_str());
  return kOk;
}

Json explanation_json(const std::string& name, const Explanation& e) {
  Json kernels = Json::array();
  for (const Explanation::Candidate& k : e.kernels)
    kernels.push_back({{"name", k.name}, {"accumulator_bits", k.accumulator_bits}, {"verdict", k.verdict}});
  return {{"case", name},
          {"bound", e.bound.formula},
          {"bits", e.bound.bits},
          {"headroom_bits", e.headroom_bits},
          {"kernels", kernels}};
}

void print(const std::string& name, const Explanation& e) {
  std::printf("%s\n", printable(name).c_str());
  if (e.bound.bits == 0)
    std::printf("  sums nothing\n");
  else
    std::printf("  bound     |sum| <= %s\n  needs     %d bits, %d to spare\n", e.bound.formula.c_str(), e.bound.bits,
                e.headroom_bits);
  for (const Explanation::Candidate& k : e.kernels) {
    const std::string bits = k.accumulator_bits == 0 ? "" : " (" + std::to_string(k.accumulator_bits) + " bits)";
    std::printf("  %-9s %s%s%s\n", k.verdict == "chosen" ? "path" : "not", k.name.c_str(), bits.c_str(),
                k.verdict == "chosen" ? "" : (": " + k.verdict).c_str());
  }
}

Status explain_case(const Json& json, const KernelsOptions& o, Json& all) {
  const auto c = read_case(json);
  if (!c.ok()) return c.status();
  std::vector<NamedTensor> inputs;
  for (const auto& [name, tensor] : c->inputs) inputs.push_back({name, tensor.view});
  const auto e = explain_operator(c->op, json_text(c->params), inputs, {o.engine.set()});
  if (!e.ok()) return e.status();
  all.push_back(explanation_json(c->name, *e));
  if (!o.engine.json) print(c->name, *e);
  return {};
}

Status explain_file(const KernelsOptions& o) {
  const auto file = read_file(o.file, kSuiteLimit);
  if (!file.ok()) return file.status();
  const auto suite = parse_json(text_of(*file));
  const Json* cases = suite.ok() ? member(*suite, "cases") : nullptr;
  if (cases == nullptr || !cases->is_array())
    return error(Code::malformed, o.file + ": expected a bitexact-vectors/1 file");
  Json all = Json::array();
  for (const Json& c : *cases) {
    const std::string name = text_or(c, "name", "");
    if (!o.name.empty() && name != o.name) continue;
    // A case that is to be refused has nothing to explain, unless it was asked for.
    if (Status s = explain_case(c, o, all); !s.ok() && !o.name.empty()) return s;
  }
  if (all.empty()) return error(Code::argument, o.file + ": no such case");
  if (o.engine.json) std::printf("%s\n", json_text(all).c_str());
  return {};
}

int run_kernels(const KernelsOptions& o) {
  if (const Status s = o.engine.apply(); !s.ok()) return fail("kernels", s);
  if (o.file.empty()) return list(o);
  const Status s = explain_file(o);
  return s.ok() ? kOk : fail("kernels", s);
}

}  // namespace

void add_kernels(CLI::App& app, Action& action) {
  const auto o = std::make_shared<KernelsOptions>();
  CLI::App* c = app.add_subcommand("kernels", "list the kernels, or explain which computes a case and why it is exact");
  c->footer("Example:\n  bitexact kernels --explain tests/vectors/conv2d.json --case \"conv2d 3\"");
  auto* explain = c->add_option("--explain", o->file,
                                "a bitexact-vectors/1 file: prints the bound of each case's "
                                "accumulator, the kernel that is chosen and its headroom");
  c->add_option("--case", o->name, "only the case of this name")->needs(explain);
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run_kernels(*o); }; });
}

}  // namespace bitexact::cli
