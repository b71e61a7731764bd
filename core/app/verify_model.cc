#include <algorithm>

#include "bitexact/digest.h"
#include "dumps.h"
#include "files.h"
#include "model_files.h"
#include "progress.h"
#include "run_photo.h"
#include "verdict.h"

namespace bitexact::cli {
namespace {

/// Tensors as receipts and folders of dumps list them: inputs, then layers.
struct Listed {
  TensorId id = 0;
  std::string sha256;  ///< as the receipt has it
};

std::vector<TensorId> listed_ids(const Model& m) {
  std::vector<TensorId> ids = m.inputs;
  for (const Model::Node& n : m.nodes)
    if (!m.values[n.output].name.empty()) ids.push_back(n.output);
  return ids;
}

// The receipt's digests beside the model's tensors; they must be of the same model.
Result<std::vector<Listed>> list(const Model& m, const ModelReceipt& receipt) {
  std::vector<Listed> all;
  for (const TensorId id : listed_ids(m)) all.push_back({id, ""});
  std::vector<ModelReceipt::LayerDigest> digests;
  for (const auto& i : receipt.inputs) digests.push_back({i.name, i.tensor});
  digests.insert(digests.end(), receipt.layers.begin(), receipt.layers.end());
  const auto same_name = [&](size_t i) { return m.values[all[i].id].name == digests[i].name; };
  for (size_t i = 0; i < all.size() || i < digests.size(); ++i) {
    if (i >= all.size() || i >= digests.size() || !same_name(i))
      return error(Code::argument, "the receipt's layers are not those of the model");
    all[i].sha256 = digests[i].sha256;
  }
  return all;
}

Result<PreparedModelPtr> load(const VerifyOptions& o, const ModelReceipt& receipt) {
  ReadOptions options;
  options.requant = receipt.requant;
  options.shapes = receipt.task.shapes;
  return load_model(o.model, options, o.engine.set());
}

std::string place(const VerifyOptions& o, const Model& m, size_t index, const Listed& l) {
  return dump_path(o.dumps, index, m.values[l.id].name);
}

// One layer from the dumps of what it reads: nothing else is computed.
Result<Verdict> verify_layer(const VerifyOptions& o, const PreparedModel& model, const std::vector<Listed>& all) {
  const Model& m = model.file.model;
  const auto part = layer_alone(m, *model.plan, o.layer);
  if (!part.ok()) return part.status();
  const auto plan = prepare(*part, {o.engine.set(), false});
  if (!plan.ok()) return plan.status();
  auto arena = Buffer::make(arena_bytes(**plan));
  if (!arena.ok()) return arena.status();
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return session.status();
  const auto find = [&](TensorId id) {
    return static_cast<size_t>(std::find_if(all.begin(), all.end(), [&](const Listed& l) { return l.id == id; }) -
                               all.begin());
  };
  for (size_t i = 0; i < part->inputs.size(); ++i) {
    const size_t at = find(part->inputs[i]);
    const Tensor to = session->input(i);
    const auto from = read_dump(place(o, m, at, all[at]), {to.dtype, to.shape}, all[at].sha256);
    if (!from.ok()) return from.status();
    std::copy_n(from->view.data, to.bytes(), to.data);
  }
  session->run();
  const size_t at = find(part->outputs[0]);
  Verdict verdict = compare_digests(o.layer, all[at].sha256, sha256_hex(session->output(0)));
  if (verdict.same) return verdict;
  const auto element = first_difference(place(o, m, at, all[at]), verdict.expected, session->output(0));
  if (!element.ok()) return element.status();
  verdict.element = *element;
  return verdict;
}

/// Where the first tensor differs that has a dump.
struct Found {
  std::string expected;  ///< its digest
  std::optional<Verdict::Element> element;
};

// Steps through, and looks at that tensor while it is still there.
Result<Found> run_through(const VerifyOptions& o, ModelRun& run, const std::vector<Listed>& all) {
  const Model& m = run.model().file.model;
  Found found;
  bool differed = o.dumps.empty();
  const auto look = [&](size_t index) -> Status {
    if (differed || sha256_hex(run.value(all[index].id)) == all[index].sha256) return {};
    differed = true;
    const auto element = first_difference(place(o, m, index, all[index]), all[index].sha256, run.value(all[index].id));
    if (element.ok()) found = {all[index].sha256, *element};
    return element.status();
  };
  size_t index = 0;
  for (; index < m.inputs.size(); ++index) BITEXACT_TRY(look(index));
  while (!run.done()) {
    const std::string& name = m.values[m.nodes[run.steps_done()].output].name;
    show_progress(run.steps_done(), run.step_count(), name);
    run.step();
    if (!name.empty()) BITEXACT_TRY(look(index++));
  }
  clear_progress();
  return found;
}

Result<Verdict> verify_all(const VerifyOptions& o, std::string_view text, const ModelReceipt& receipt,
                           const PreparedModelPtr& model) {
  const auto files = read_inputs(o.inputs, model->file.model);
  if (!files.ok()) return files.status();
  if (const Verdict v = compare_files(receipt, model->sha256, views(*files)); !v.same) return v;
  auto run = ModelRun::open(model, receipt.task, limits_of(o.megapixels));
  if (!run.ok()) return run.status();
  // A receipt without layers is compared without them, and has no dumps.
  const bool layers = !receipt.layers.empty();
  run->digest_layers(layers);
  std::vector<Listed> all;
  if (layers && !o.dumps.empty()) {
    auto listed = list(model->file.model, receipt);
    if (!listed.ok()) return listed.status();
    all = std::move(*listed);
  }
  BITEXACT_TRY(run->start(views(*files)));
  VerifyOptions how = o;
  if (all.empty()) how.dumps.clear();
  const auto found = run_through(how, *run, all);
  if (!found.ok()) return found.status();
  auto verdict = compare_receipts(text, write_receipt(*run));
  if (verdict.ok() && !verdict->same && verdict->expected == found->expected) verdict->element = found->element;
  return verdict;
}

}  // namespace

Result<Verdict> verify_model(const VerifyOptions& o, std::string_view text) {
  if (o.model.empty()) return error(Code::argument, "this receipt is of a model: give it with --model");
  if (!o.layer.empty() && (o.dumps.empty() || !o.inputs.empty()))
    return error(Code::argument, "--layer reads its inputs from --dumps, not from --input");
  BITEXACT_TRY(o.engine.apply());
  const auto receipt = read_model_receipt(text);
  if (!receipt.ok()) return error(receipt.status().code, o.receipt + ": " + receipt.status().why);
  const auto file = read_file(o.model, kImageLimit);
  if (!file.ok()) return file.status();
  if (const Verdict v = compare_digests("model", receipt->model, sha256_hex(file->span())); !v.same) return v;
  const auto model = load(o, *receipt);
  if (!model.ok()) return model.status();
  if (o.layer.empty()) return verify_all(o, text, *receipt, *model);
  const auto all = list((*model)->file.model, *receipt);
  if (!all.ok()) return all.status();
  return verify_layer(o, **model, *all);
}

}  // namespace bitexact::cli
