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

Result<Digests> run_pipeline(const Json& pipeline, const Options& o) {
  const auto text = [&](const char* key) {
    return pipeline.is_object() && pipeline.contains(key) && pipeline[key].is_string()
               ? pipeline[key].get<std::string>()
               : std::string();
  };
  if (text("name").empty() || text("image").empty() || !pipeline.contains("task"))
    return error(Code::malformed, "a pipeline needs name, image and task");
  const auto at = [&](const Status& s) { return error(s.code, text("name") + ": " + s.why, s.where); };
  const auto task = read_task(pipeline["task"].dump());
  if (!task.ok()) return at(task.status());
  const auto file = read_file(o.images + "/" + text("image"));
  if (!file.ok()) return at(file.status());
  const auto done = run_photo(file->span(), *task, {}, o.engine);
  if (!done.ok()) return at(done.status());
  return Digests{text("name"), done->stages().back().sha256, sha256_hex(bytes_of(write_receipt(*done)))};
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
    if (!json) std::printf("%s %s\n", d.output.c_str(), d.name.c_str());
  }
  j["all"] = sha256_hex(bytes_of(joined));
  if (json)
    std::printf("%s\n", j.dump().c_str());
  else
    std::printf("all %s\n", sha256_hex(bytes_of(joined)).c_str());
}

int run(const Options& o) {
  const auto file = read_file(o.file);
  if (!file.ok()) return fail("parity", file.status());
  const std::string_view text = text_of(*file);
  const Json suite = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!suite.is_object() || !suite.contains("schema") || suite["schema"] != "bitexact-pipelines/1" ||
      !suite["pipelines"].is_array())
    return fail("parity", o.file + ": expected a bitexact-pipelines/1 file");
  std::vector<Digests> all;
  for (const Json& pipeline : suite["pipelines"]) {
    auto digests = run_pipeline(pipeline, o);
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
