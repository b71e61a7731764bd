#include <cstdio>
#include <memory>

#include "bitexact/digest.h"
#include "cli.h"
#include "files.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  Engine engine;
};

struct Tally {
  size_t passed = 0, failed = 0;
  std::string digests;  // of every result, or its class of error: what another machine must have computed as well
  Json failures = Json::array();
};

// What is wrong with a case, or nothing.
std::string check(const Json& json, KernelSet kernels, std::string& digests) {
  const auto c = read_case(json);
  if (!c.ok()) return c.status().text();
  bool unknown = false;
  const auto got = run_case(*c, kernels, unknown);
  digests += (got.ok() ? sha256_hex(got->view) : code_name(got.status().code)) + std::string("\n");
  return unknown ? got.status().why : compare_case(json, got);
}

void run_suite(const Json& suite, const Options& o, Tally& tally) {
  for (const Json& json : suite["cases"]) {
    const std::string wrong = check(json, o.engine.set(), tally.digests);
    if (wrong.empty()) {
      ++tally.passed;
      continue;
    }
    ++tally.failed;
    const std::string name = json.is_object() ? json.value("name", "?") : "?";
    tally.failures.push_back({{"name", name}, {"why", wrong}});
    if (!o.engine.json) std::printf("FAILED %s: %s\n", name.c_str(), wrong.c_str());
  }
}

int run(const Options& o) {
  if (const Status s = o.engine.apply(); !s.ok()) return fail("vectors", s);
  Tally tally;
  for (const std::string& path : o.files) {
    const auto file = read_file(path);
    if (!file.ok()) return fail("vectors", file.status());
    const std::string_view text = text_of(*file);
    const Json suite = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!suite.is_object() || !suite.contains("schema") || suite["schema"] != "bitexact-vectors/1" ||
        !suite.contains("cases") || !suite["cases"].is_array())
      return fail("vectors", path + ": expected a bitexact-vectors/1 file");
    run_suite(suite, o, tally);
  }
  if (o.engine.json)
    std::printf("%s\n", Json{{"passed", tally.passed},
                             {"failed", tally.failed},
                             {"failures", tally.failures},
                             {"all", sha256_hex(bytes_of(tally.digests))}}
                            .dump()
                            .c_str());
  else
    std::printf("%zu passed, %zu failed\n", tally.passed, tally.failed);
  return tally.failed == 0 ? kOk : kDiffers;
}

}  // namespace

void add_vectors(CLI::App& app, Action& action) {
  const auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("vectors", "run golden vectors and print each case that fails");
  c->footer("Example:\n  bitexact vectors tests/vectors/fx.json --kernels reference");
  c->add_option("files", o->files, "bitexact-vectors/1 files")->required();
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace bitexact::cli
