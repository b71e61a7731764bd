#include <cstdio>
#include <memory>

#include "bitexact/digest.h"
#include "bitexact/receipt.h"
#include "cli.h"
#include "files.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

struct Options {
  std::string file, images = ".";
  Engine engine;
};

struct Digests {
  std::string name, output, receipt;
};

Result<Digests> run_pipeline(const Json& pipeline, const Options& o, const std::string& progress) {
  const std::string name = text_or(pipeline, "name", ""), image = text_or(pipeline, "image", "");
  const Json* asked = member(pipeline, "task");
  if (name.empty() || image.empty() || asked == nullptr)
    return error(Code::malformed, "a pipeline needs name, image and task");
  const auto at = [&](const Status& s) { return error(s.code, name + ": " + s.why, s.where); };
  const auto task = read_task(json_text(*asked));
  if (!task.ok()) return at(task.status());
  const auto file = read_file(o.images + "/" + image, kImageLimit);
  if (!file.ok()) return at(file.status());
  const auto done = run_photo(file->span(), *task, {}, o.engine, progress + name + ": ");
  if (!done.ok()) return at(done.status());
  return Digests{name, done->stages().back().sha256, sha256_hex(bytes_of(write_receipt(*done)))};
}

void print(const std::vector<Digests>& all, bool json, const std::string& kernels) {
  Json j{{"platform", platform_json()}, {"outputs", Json::array()}, {"receipts", Json::array()}};
  j["platform"]["kernels"] = kernels;
  if (kernels == "reference") j["platform"]["simd"] = "none";
  std::string joined;
  for (const Digests& d : all) {
    j["outputs"].push_back(d.output);
    j["receipts"].push_back(d.receipt);
    joined += d.output + d.receipt;
    if (!json) std::printf("%s %s\n", d.output.c_str(), printable(d.name).c_str());
  }
  j["all"] = sha256_hex(bytes_of(joined));
  if (json)
    std::printf("%s\n", json_text(j).c_str());
  else
    std::printf("all %s\n", sha256_hex(bytes_of(joined)).c_str());
}

int run(const Options& o) {
  const auto file = read_file(o.file, kSuiteLimit);
  if (!file.ok()) return fail("parity", file.status());
  const auto suite = parse_json(text_of(*file));
  const Json* pipelines = suite.ok() ? member(*suite, "pipelines") : nullptr;
  if (pipelines == nullptr || !pipelines->is_array() || text_or(*suite, "schema", "") != "bitexact-pipelines/1")
    return fail("parity", o.file + ": expected a bitexact-pipelines/1 file");
  std::vector<Digests> all;
  for (const Json& pipeline : *pipelines) {
    const std::string progress = std::to_string(all.size() + 1) + "/" + std::to_string(pipelines->size()) + " ";
    auto digests = run_pipeline(pipeline, o, progress);
    if (!digests.ok()) return fail("parity", digests.status());
    all.push_back(std::move(*digests));
  }
  print(all, o.engine.json, o.engine.kernels);
  return kOk;
}

}  // namespace

void add_parity(CLI::App& app, Action& action) {
  const auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand(
      "parity", "run a file of pinned pipelines and print each digest, for comparison with other machines");
  c->footer("Example:\n  bitexact parity tests/pipelines.json --images web/public/samples");
  c->add_option("file", o->file, "bitexact-pipelines/1")->required();
  c->add_option("--images", o->images, "folder of the images it names")->capture_default_str();
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace bitexact::cli
