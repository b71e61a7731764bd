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
    const auto expected = read_file(path, kImageLimit);
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

int print(const Verdict& v, bool json) {
  std::printf("%s\n", json ? json_text(to_json(v)).c_str() : printable(v.text()).c_str());
  return v.same ? kOk : kDiffers;
}

// Another file than the receipt's differs, even where its task could not run on it.
Verdict compare_file(std::string_view receipt, const Buffer& file) {
  const auto json = parse_json(receipt);
  const Json* input = json.ok() ? member(*json, "input") : nullptr;
  const std::string got = sha256_hex(file.span()), expected = input == nullptr ? got : text_or(*input, "file", got);
  return expected == got ? Verdict{} : Verdict{false, "file", expected, got, std::nullopt};
}

int run(const Options& o) {
  const auto receipt = read_file(o.receipt, kTextLimit), file = read_file(o.input, kImageLimit);
  if (!receipt.ok()) return fail("verify", receipt.status());
  if (!file.ok()) return fail("verify", file.status());
  const auto task = read_receipt_task(text_of(*receipt));
  if (!task.ok())
    return fail("verify", error(task.status().code, o.receipt + ": " + task.status().why, task.status().where));
  if (const Verdict v = compare_file(text_of(*receipt), *file); !v.same) return print(v, o.engine.json);
  const auto done = run_photo(file->span(), *task, limits_of(o.megapixels), o.engine);
  if (!done.ok())
    return fail("verify", error(done.status().code, o.input + ": " + done.status().why, done.status().where));
  auto verdict = compare_receipts(text_of(*receipt), write_receipt(*done));
  if (!verdict.ok()) return fail("verify", verdict.status());
  if (const Status s = locate(o, *done, *verdict); !s.ok()) return fail("verify", s);
  return print(*verdict, o.engine.json);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  const auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("verify", "re-run a receipt and say whether everything is the same");
  c->footer(kExamples);
  c->add_option("receipt", o->receipt, "receipt written by conv or by the npm package")->required();
  c->add_option("--input", o->input, "the photo")->required();
  c->add_option("--dumps", o->dumps, "folder that conv --dump-layers wrote with the receipt");
  add_megapixels(*c, o->megapixels);
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace bitexact::cli
