#include <cstdio>
#include <filesystem>
#include <memory>

#include "bitexact/digest.h"
#include "bitexact/model_run.h"
#include "dumps.h"
#include "files.h"
#include "run_photo.h"
#include "verdict.h"

namespace bitexact::cli {
namespace {

constexpr const char* kVerifyExamples =
    "Examples:\n"
    "  bitexact verify r.json --input photo.jpg\n"
    "  bitexact verify r.json --input photo.jpg --dumps layers/   # names the first differing element, too\n"
    "  bitexact verify r.json --model lenet5.onnx --input digit.png\n"
    "  bitexact verify r.json --model lenet5.onnx --layer conv2 --dumps layers/   # that layer alone, from the dumps";

// Digests say that a stage differs; the stage's expected bytes, where they are at hand, say where.
Status locate(const VerifyOptions& o, const PhotoRun& run, Verdict& verdict) {
  if (o.dumps.empty() || verdict.same) return {};
  for (size_t i = 0; i < run.stages().size(); ++i) {
    if (run.stages()[i].name != verdict.stage) continue;
    const auto element = first_difference(dump_path(o.dumps, i, verdict.stage), verdict.expected, run.tensor(i));
    if (!element.ok()) return element.status();
    verdict.element = *element;
  }
  return {};
}

// Another file than the receipt's differs, even where its task could not run on it.
Verdict compare_photo(std::string_view receipt, const Buffer& file) {
  const auto json = parse_json(receipt);
  const Json* input = json.ok() ? member(*json, "input") : nullptr;
  const std::string got = sha256_hex(file.span()), expected = input == nullptr ? got : text_or(*input, "file", got);
  return compare_digests("file", expected, got);
}

Result<Verdict> verify_photo(const VerifyOptions& o, std::string_view receipt) {
  if (o.inputs.size() != 1 || !o.model.empty() || !o.layer.empty())
    return error(Code::argument, "this receipt is of a photo: give it with --input, and no model");
  const auto file = read_file(o.inputs[0], kImageLimit);
  if (!file.ok()) return file.status();
  const auto task = read_receipt_task(receipt);
  if (!task.ok()) return in_file(o.receipt, task.status());
  if (const Verdict v = compare_photo(receipt, *file); !v.same) return v;
  const auto done = run_photo(file->span(), *task, limits_of(o.megapixels), o.engine);
  if (!done.ok()) return in_file(o.inputs[0], done.status());
  auto verdict = compare_receipts(receipt, write_receipt(*done));
  if (!verdict.ok()) return verdict;
  BITEXACT_TRY(locate(o, *done, *verdict));
  return verdict;
}

int run_verify(const VerifyOptions& o) {
  const auto receipt = read_file(o.receipt, kTextLimit);
  if (!receipt.ok()) return fail("verify", receipt.status());
  const auto model = is_model_receipt(text_of(*receipt));
  if (!model.ok()) return fail("verify", in_file(o.receipt, model.status()));
  const auto verdict = *model ? verify_model(o, text_of(*receipt)) : verify_photo(o, text_of(*receipt));
  return verdict.ok() ? print_verdict(*verdict, o.engine.json) : fail("verify", verdict.status());
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  const auto o = std::make_shared<VerifyOptions>();
  CLI::App* c = app.add_subcommand("verify", "re-run a receipt and say whether everything is the same");
  c->footer(kVerifyExamples);
  c->add_option("receipt", o->receipt, "receipt written by conv, by run, or by the npm package")->required();
  c->add_option("--input", o->inputs, "the photo; of a model one for each input, in its order")
      ->allow_extra_args(false);
  c->add_option("--model", o->model, "the model of the receipt");
  c->add_option("--layer", o->layer, "re-run only this layer of the model, from --dumps");
  c->add_option("--dumps", o->dumps, "folder that --dump-layers wrote with the receipt");
  add_megapixels(*c, o->megapixels);
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run_verify(*o); }; });
}

}  // namespace bitexact::cli
