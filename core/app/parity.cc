#include <algorithm>
#include <cstdio>
#include <memory>

#include "bitexact/digest.h"
#include "bitexact/receipt.h"
#include "cli.h"
#include "files.h"
#include "model_files.h"
#include "progress.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

struct ParityOptions {
  std::string file, images = ".";
  Engine engine;
};

struct Digests {
  std::string name, output, receipt;
};

Result<Digests> run_pipeline(const Json& pipeline, const ParityOptions& o, const std::string& progress) {
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

Result<ModelRun> run_model(const Json& c, const ParityOptions& o, const std::vector<std::string>& inputs) {
  ReadOptions options;
  options.requant = requant_from_name(text_or(c, "requant", "")).value_or(Requant::tflm);
  BITEXACT_TRY(o.engine.apply());
  auto model = load_model(o.images + "/" + text_or(c, "model", ""), options, o.engine.set());
  if (!model.ok()) return model.status();
  const Json* image = member(c, "image");
  auto task = read_model_task(json_text({{"image", image == nullptr ? Json() : *image}}));
  if (!task.ok()) return task.status();
  const auto files = read_inputs(inputs, (*model)->file.model);
  if (!files.ok()) return files.status();
  auto run = ModelRun::open(*model, std::move(*task));
  if (!run.ok()) return run.status();
  BITEXACT_TRY(run->start(views(*files)));
  while (!run->done()) run->step();
  return run;
}

Result<Digests> run_model_case(const Json& c, const ParityOptions& o, const std::string& progress) {
  const std::string name = text_or(c, "name", "");
  const Json* inputs = member(c, "inputs");
  if (name.empty() || inputs == nullptr || !inputs->is_array())
    return error(Code::malformed, "a case needs name, model and inputs");
  std::vector<std::string> paths;
  for (const Json& input : *inputs)
    paths.push_back(o.images + "/" + (input.is_string() ? input.get<std::string>() : ""));
  show_progress(0, 1, progress + name);
  const auto run = run_model(c, o, paths);
  clear_progress();
  if (!run.ok()) return error(run.status().code, name + ": " + run.status().why, run.status().where);
  return Digests{name, sha256_hex(run->output(0)), sha256_hex(bytes_of(write_receipt(*run)))};
}

/// What a kind of file lists, and how one of these is run.
struct Kind {
  const char* schema;
  const char* list;
  Result<Digests> (*run)(const Json&, const ParityOptions&, const std::string&);
};
constexpr Kind kKinds[] = {{"bitexact-pipelines/1", "pipelines", run_pipeline},
                           {"bitexact-models/1", "cases", run_model_case}};

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

int run_parity(const ParityOptions& o) {
  const auto file = read_file(o.file, kSuiteLimit);
  if (!file.ok()) return fail("parity", file.status());
  const auto suite = parse_json(text_of(*file));
  const std::string schema = suite.ok() ? text_or(*suite, "schema", "") : "";
  const Kind* kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.schema == schema; });
  const Json* list = kind == std::end(kKinds) ? nullptr : member(*suite, kind->list);
  if (list == nullptr || !list->is_array())
    return fail("parity", o.file + ": expected a bitexact-pipelines/1 or bitexact-models/1 file");
  std::vector<Digests> all;
  for (const Json& one : *list) {
    const std::string progress = std::to_string(all.size() + 1) + "/" + std::to_string(list->size()) + " ";
    auto digests = kind->run(one, o, progress);
    if (!digests.ok()) return fail("parity", digests.status());
    all.push_back(std::move(*digests));
  }
  print(all, o.engine.json, o.engine.kernels);
  return kOk;
}

}  // namespace

void add_parity(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ParityOptions>();
  CLI::App* c = app.add_subcommand(
      "parity", "run a file of pinned pipelines or models and print each digest, for comparison with other machines");
  c->footer("Example:\n  bitexact parity tests/pipelines.json --images web/public/samples");
  c->add_option("file", o->file, "bitexact-pipelines/1 or bitexact-models/1")->required();
  c->add_option("--images", o->images, "folder of the images, models and tensors it names")->capture_default_str();
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run_parity(*o); }; });
}

}  // namespace bitexact::cli
