#include "models.h"

#include <map>

#include "bitexact/digest.h"
#include "bitexact/model_facts.h"
#include "bitexact/model_run.h"
#include "shelf.h"
#include "tensors.h"

namespace bitexact::bridge {
namespace {

/// Also what a run of it may be asked for later.
struct Held {
  PreparedModelPtr model;
  bool keep_layers = false;
};
struct HeldRun {
  ModelRun run;
  bool keep_layers = false;
};

Shelf<Held>& models() {
  static Shelf<Held> all("model");
  return all;
}
Shelf<HeldRun>& runs() {
  static Shelf<HeldRun> all("run");
  return all;
}

bool is_true(const val& options, const char* key) { return options[key].as<bool>(); }

Requant requant_from(const val& options) {
  return requant_from_name(options["requant"].as<std::string>()).value_or(Requant::tflm);
}

/// Bytes of external data, kept while a model is read.
using External = std::map<std::string, Buffer>;

Result<External> external_from(const val& list) {
  External all;
  const auto count = list["length"].as<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    Result<Buffer> bytes = copy_in(list[i]["data"]);
    if (!bytes.ok()) return bytes.status();
    all.emplace(list[i]["location"].as<std::string>(), std::move(*bytes));
  }
  return all;
}

Result<Held> open(const val& file, const val& options, std::vector<ModelProblem>* problems) {
  const Result<Buffer> bytes = copy_in(file);
  if (!bytes.ok()) return bytes.status();
  const Result<External> external = external_from(options["external"]);
  if (!external.ok()) return external.status();
  const auto shapes = read_model_task("{\"shapes\":" + options["shapes"].as<std::string>() + "}");
  if (!shapes.ok()) return shapes.status();
  ReadOptions read;
  read.requant = requant_from(options);
  read.shapes = shapes->shapes;
  for (const auto& [location, data] : *external) read.external[location] = data.span();
  auto model = read_model(bytes->span(), read, problems);
  if (!model.ok()) return model.status();
  const bool keep = is_true(options, "keepLayers");
  const KernelSet kernels = is_true(options, "reference") ? KernelSet::reference : KernelSet::fastest;
  auto prepared = prepare_model(std::move(*model), sha256_hex(bytes->span()), {kernels, keep});
  if (!prepared.ok()) return prepared.status();
  return Held{std::move(*prepared), keep};
}

val with_text(const char* key, const std::string& text) {
  val o = val::object();
  o.set(key, text);
  return o;
}

/// Inputs of a run and the bytes they refer to.
struct Inputs {
  std::vector<Buffer> bytes;
  std::vector<ModelInput> views;
};

Status add_input(const val& input, const std::string& name, Inputs& to) {
  if (input.hasOwnProperty("file")) {
    Result<Buffer> file = copy_in(input["file"]);
    if (!file.ok()) return file.status();
    to.views.push_back({file->span(), std::nullopt});
    to.bytes.push_back(std::move(*file));
    return {};
  }
  Result<OwnedTensor> tensor = tensor_from(input, name);
  if (!tensor.ok()) return tensor.status();
  const std::span<const std::byte> elements{tensor->view.data, tensor->view.bytes()};
  to.views.push_back({elements, ModelInput::Elements{tensor->view.dtype, tensor->view.shape, elements}});
  to.bytes.push_back(std::move(tensor->bytes));
  return {};
}

Result<Inputs> inputs_from(const val& list) {
  Inputs inputs;
  const auto count = list["length"].as<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) BITEXACT_TRY(add_input(list[i], "inputs." + std::to_string(i), inputs));
  return inputs;
}

Result<HeldRun> start(int32_t model, const std::string& task, const val& inputs, const val& limits, bool layers) {
  const Result<Held*> held = models().find(model);
  if (!held.ok()) return held.status();
  Result<ModelTask> wanted = read_model_task(task);
  if (!wanted.ok()) return wanted.status();
  const Result<Inputs> from = inputs_from(inputs);
  if (!from.ok()) return from.status();
  const ImageLimits most = limits_from(limits[0].as<double>(), limits[1].as<double>());
  Result<ModelRun> run = ModelRun::open((*held)->model, std::move(*wanted), most);
  if (!run.ok()) return run.status();
  run->digest_layers(layers);
  BITEXACT_TRY(run->start(from->views));
  return HeldRun{std::move(*run), (*held)->keep_layers};
}

val layer_to_js(const Layer& layer) {
  val o = with_text("sha256", layer.sha256);
  o.set("saturated", static_cast<double>(layer.saturated));
  return o;
}

Status no_such(const std::string& which, uint32_t index, size_t count) {
  return error(Code::argument, which + " " + std::to_string(index) + " of a run with " + std::to_string(count));
}

Result<Tensor> find_tensor(const HeldRun& held, const std::string& which, uint32_t index) {
  const ModelRun& run = held.run;
  const Model& m = run.model().file.model;
  if (which == "output")
    return index < m.outputs.size() ? run.output(index) : Result<Tensor>(no_such(which, index, m.outputs.size()));
  const bool input = which == "input";
  const size_t count = input ? m.inputs.size() : run.layers().size();
  if (index >= count) return no_such(which, index, count);
  if (!held.keep_layers)
    return error(Code::argument, which + "s share memory, and this one is gone: load the model with keepLayers");
  return run.value(input ? m.inputs[index] : run.layers()[index].id);
}

}  // namespace

val model_open(const val& file, const val& options) {
  Result<Held> held = open(file, options, nullptr);
  if (!held.ok()) return failure(held.status());
  val o = with_text("facts", model_facts(*held->model));
  o.set("id", models().put(std::move(*held)));
  return success(o);
}

val model_inspect(const val& file, const val& options) {
  std::vector<ModelProblem> problems;
  const Result<Held> held = open(file, options, &problems);
  if (held.ok()) return success(with_text("facts", model_facts(*held->model)));
  return problems.empty() ? failure(held.status()) : success(with_text("problems", problems_json(problems)));
}

void model_close(int32_t id) { models().remove(id); }

val run_open(int32_t model, const std::string& task, const val& inputs, const val& limits, bool layers) {
  Result<HeldRun> held = start(model, task, inputs, limits, layers);
  if (!held.ok()) return failure(held.status());
  val o = val::object();
  o.set("total", static_cast<uint32_t>(held->run.step_count()));
  o.set("id", runs().put(std::move(*held)));
  return success(o);
}

val run_step(int32_t id) {
  const Result<HeldRun*> held = runs().find(id);
  if (!held.ok()) return failure(held.status());
  ModelRun& run = (*held)->run;
  if (run.done()) return failure(error(Code::argument, "this run has no further step"));
  const size_t before = run.layers().size();
  run.step();
  return success(run.layers().size() > before ? layer_to_js(run.layers().back()) : val::null());
}

val run_receipt(int32_t id) {
  const Result<HeldRun*> held = runs().find(id);
  if (!held.ok()) return failure(held.status());
  if (!(*held)->run.done()) return failure(error(Code::argument, "this run is not finished"));
  return success(val(write_receipt((*held)->run)));
}

val run_tensor(int32_t id, const std::string& which, uint32_t index) {
  const Result<HeldRun*> held = runs().find(id);
  if (!held.ok()) return failure(held.status());
  const Result<Tensor> tensor = find_tensor(**held, which, index);
  return tensor.ok() ? success(to_js(*tensor)) : failure(tensor.status());
}

void run_close(int32_t id) { runs().remove(id); }

val model_receipt(const std::string& receipt) {
  const Result<bool> model = is_model_receipt(receipt);
  if (!model.ok()) return failure(model.status());
  if (!*model) return success(val::null());
  const Result<ModelReceipt> asked = read_model_receipt(receipt);
  if (!asked.ok()) return failure(asked.status());
  val o = with_text("task", write_task(asked->task));
  o.set("requant", std::string(requant_name(asked->requant)));
  o.set("layers", !asked->layers.empty());
  return success(o);
}

val compare_model_files(const std::string& receipt, const val& model, const val& inputs) {
  const Result<ModelReceipt> asked = read_model_receipt(receipt);
  if (!asked.ok()) return failure(asked.status());
  const Result<Buffer> file = copy_in(model);
  if (!file.ok()) return failure(file.status());
  const Result<Inputs> from = inputs_from(inputs);
  if (!from.ok()) return failure(from.status());
  return answer(Result<Verdict>(compare_files(*asked, sha256_hex(file->span()), from->views)));
}

}  // namespace bitexact::bridge
