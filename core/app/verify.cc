#include <cstdio>
#include <filesystem>
#include <memory>

#include "bitexact/digest.h"
#include "bitexact/receipt.h"
#include "cli.h"
#include "files.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  bitexact verify r.json --input photo.jpg\n"
    "  bitexact verify r.json --input photo.jpg --dumps layers/   # names the first differing element, too";

struct Options {
  std::string receipt, input, dumps;
  double megapixels = 64;
  Engine engine;
};

// Digests say that a stage differs; the stage's expected bytes, where they are at hand, say where.
Status locate(const Options& o, const PhotoRun& run, Verdict& verdict) {
  if (o.dumps.empty() || verdict.same) return {};
  for (size_t i = 0; i < run.stages().size(); ++i) {
    if (run.stages()[i].name != verdict.stage) continue;
    const std::string path = dump_path(o.dumps, i, verdict.stage);
    const auto expected = read_file(path);
    if (!expected.ok()) return expected.status();
    if (sha256_hex(expected->span()) != verdict.expected)
      return error(Code::argument, path + ": is not the stage of the receipt (its digest differs)");
    const auto element = compare_dump(expected->span(), run.tensor(i));
    if (!element.ok()) return error(element.status().code, path + ": " + element.status().why);
    verdict.element = *element;
  }
  return {};
}

Json to_json(const Verdict& v) {
  Json j{{"same", v.same}, {"text", v.text()}};
  if (v.same) return j;
  j["stage"] = v.stage;
  j["expected"] = v.expected;
  j["got"] = v.got;
  if (v.element)
    j["element"] = {{"index", v.element->index}, {"expected", v.element->expected}, {"got", v.element->got}};
  return j;
}

int run(const Options& o) {
  const auto receipt = read_file(o.receipt), file = read_file(o.input);
  if (!receipt.ok()) return fail("verify", receipt.status());
  if (!file.ok()) return fail("verify", file.status());
  const auto task = read_receipt_task(text_of(*receipt));
  if (!task.ok())
    return fail("verify", error(task.status().code, o.receipt + ": " + task.status().why, task.status().where));
  ImageLimits limits;
  limits.pixels = static_cast<uint64_t>(o.megapixels * 1e6);
  limits.bytes = std::max(limits.bytes, limits.pixels * 4);
  const auto done = run_photo(file->span(), *task, limits, o.engine);
  if (!done.ok())
    return fail("verify", error(done.status().code, o.input + ": " + done.status().why, done.status().where));
  auto verdict = compare_receipts(text_of(*receipt), write_receipt(*done));
  if (!verdict.ok()) return fail("verify", verdict.status());
  if (const Status s = locate(o, *done, *verdict); !s.ok()) return fail("verify", s);
  std::printf("%s\n", o.engine.json ? to_json(*verdict).dump().c_str() : verdict->text().c_str());
  return verdict->same ? kOk : kDiffers;
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  const auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("verify", "re-run a receipt and say whether everything is the same");
  c->footer(kExamples);
  c->add_option("receipt", o->receipt, "receipt written by conv or by the npm package")->required();
  c->add_option("--input", o->input, "the photo")->required();
  c->add_option("--dumps", o->dumps, "folder that conv --dump-layers wrote with the receipt");
  c->add_option("--max-megapixels", o->megapixels, "refuse larger photos")
      ->check(CLI::Range(1, 2000))
      ->capture_default_str();
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace bitexact::cli
