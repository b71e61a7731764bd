#include <cstdio>
#include <memory>

#include "bitexact/digest.h"
#include "cli.h"
#include "files.h"
#include "progress.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

struct VectorsOptions {
  std::vector<std::string> files;
  Engine engine;
};

struct Tally {
  size_t passed = 0, failed = 0;
  std::string digests;  // of every result, or its class of error: what another machine must have computed as well
  Json failures = Json::array();
};

std::string digest_of(const Tensor& t) { return t.data == nullptr ? t.shape.text() : sha256_hex(t); }

// What is wrong with a case, or nothing.
std::string check(const Json& json, KernelSet kernels, std::string& digests) {
  const auto c = read_case(json);
  bool unknown = false;
  const auto got = c.ok() ? run_case(*c, kernels, unknown) : Result<OwnedTensor>(c.status());
  digests += (got.ok() ? digest_of(got->view) : code_name(got.status().code)) + std::string("\n");
  return unknown ? got.status().why : compare_case(json, got);
}

void add_failure(const std::string& name, const std::string& why, bool json, Tally& tally) {
  ++tally.failed;
  tally.failures.push_back({{"name", name}, {"why", why}});
  if (json) return;
  clear_progress();
  std::printf("FAILED %s: %s\n", printable(name).c_str(), printable(why).c_str());
}

void run_suite(const Json& cases, const VectorsOptions& o, Tally& tally) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string name = text_or(cases[i], "name", "?");
    show_progress(i, cases.size(), name);
    const std::string wrong = check(cases[i], o.engine.set(), tally.digests);
    if (wrong.empty())
      ++tally.passed;
    else
      add_failure(name, wrong, o.engine.json, tally);
  }
  clear_progress();
}

Status run_file(const std::string& path, const VectorsOptions& o, Tally& tally) {
  const auto file = read_file(path, kSuiteLimit);
  if (!file.ok()) return file.status();
  const auto suite = parse_json(text_of(*file));
  const Json* cases = suite.ok() ? member(*suite, "cases") : nullptr;
  if (cases == nullptr || !cases->is_array() || text_or(*suite, "schema", "") != "bitexact-vectors/1")
    return error(Code::malformed, path + ": expected a bitexact-vectors/1 file");
  run_suite(*cases, o, tally);
  return {};
}

int run_vectors(const VectorsOptions& o) {
  if (const Status s = o.engine.apply(); !s.ok()) return fail("vectors", s);
  Tally tally;
  for (const std::string& path : o.files)
    if (const Status s = run_file(path, o, tally); !s.ok()) return fail("vectors", s);
  if (o.engine.json)
    std::printf("%s\n", json_text({{"passed", tally.passed},
                                   {"failed", tally.failed},
                                   {"failures", tally.failures},
                                   {"all", sha256_hex(bytes_of(tally.digests))}})
                            .c_str());
  else
    std::printf("%zu passed, %zu failed\n", tally.passed, tally.failed);
  return tally.failed == 0 ? kOk : kDiffers;
}

}  // namespace

void add_vectors(CLI::App& app, Action& action) {
  const auto o = std::make_shared<VectorsOptions>();
  CLI::App* c = app.add_subcommand("vectors", "run golden vectors and print each case that fails");
  c->footer("Example:\n  bitexact vectors tests/vectors/fx.json --kernels reference");
  c->add_option("files", o->files, "bitexact-vectors/1 files")->required();
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run_vectors(*o); }; });
}

}  // namespace bitexact::cli
