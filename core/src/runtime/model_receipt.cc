#include "bitexact/digest.h"
#include "bitexact/model_run.h"
#include "runtime/json.h"
#include "runtime/receipt.h"

namespace bitexact {
namespace {

Json tensor_json(const std::string& name, DType dtype, const Shape& shape) {
  return {{"name", name}, {"dtype", dtype_name(dtype)}, {"shape", shape_json(shape)}};
}

Json input_json(const InputDigests& d) {
  Json j = tensor_json(d.name, d.dtype, d.shape);
  j["file"] = d.file;
  j["tensor"] = d.tensor;
  if (!d.image) return j;
  image_json(*d.image, j);
  j["pixels"] = d.pixels;
  if (!d.resized.empty()) j["resized"] = d.resized;
  return j;
}

Json outputs_json(const ModelRun& run) {
  const Model& m = run.model().file.model;
  Json outputs = Json::array();
  for (size_t i = 0; i < m.outputs.size(); ++i) {
    const Tensor t = run.output(i);
    Json j = tensor_json(m.values[m.outputs[i]].name, t.dtype, t.shape);
    j["sha256"] = sha256_hex(t);
    outputs.push_back(std::move(j));
  }
  return outputs;
}

}  // namespace

std::string write_receipt(const ModelRun& run, bool made_by) {
  Json inputs = Json::array(), layers = Json::array();
  bool images = false;
  for (const InputDigests& d : run.inputs()) {
    inputs.push_back(input_json(d));
    images = images || d.image.has_value();
  }
  for (const Layer& l : run.layers()) {
    Json j = tensor_json(l.name, l.type.dtype, l.type.shape);
    j["op"] = l.op;
    j["sha256"] = l.sha256;
    layers.push_back(std::move(j));
  }
  const ModelFile& file = run.model().file;
  Json j = receipt_json(*parse_json(write_task(run.task(), images)), made_by);
  j["inputs"] = std::move(inputs);
  j["layers"] = std::move(layers);
  j["model"] = {{"file", run.model().sha256}, {"format", file.format}, {"requant", requant_name(file.requant)}};
  j["outputs"] = outputs_json(run);
  return canonical(j);
}

Verdict compare_digests(const std::string& stage, const std::string& expected, const std::string& got) {
  return expected == got ? Verdict{} : Verdict{false, stage, expected, got, std::nullopt};
}

Verdict compare_files(const ModelReceipt& receipt, const std::string& model_sha256,
                      std::span<const ModelInput> inputs) {
  Verdict v = compare_digests("model", receipt.model, model_sha256);
  for (size_t i = 0; v.same && i < inputs.size() && i < receipt.inputs.size(); ++i) {
    const std::string stage = inputs.size() == 1 ? "file" : receipt.inputs[i].name + ": file";
    v = compare_digests(stage, receipt.inputs[i].file, sha256_hex(inputs[i].file));
  }
  return v;
}

Result<bool> is_model_receipt(std::string_view text) {
  const auto json = parse_receipt(text, "");
  if (!json.ok()) return json.status();
  return json->contains("model");
}

Result<ModelReceipt> read_model_receipt(std::string_view text) {
  const auto json = parse_receipt(text, "");
  if (!json.ok()) return json.status();
  if (!json->contains("model")) return error(Code::argument, "receipt: is not of a model");
  BITEXACT_TRY(check_contract(*json));
  auto task = read_model_task(canonical((*json)["task"]));
  if (!task.ok()) return error(task.status().code, "receipt: " + task.status().why);
  ModelReceipt r;
  JsonReader model((*json)["model"], "receipt: model");
  std::string format;
  model.string("file", r.model);
  model.string("format", format);
  model.choice("requant", {requant_name(Requant::tflm), requant_name(Requant::xnnpack)}, r.requant);
  BITEXACT_TRY(model.finish());
  r.task = std::move(*task);
  // Their form has been checked when the receipt was parsed.
  const auto member = [](const Json& j, const char* key) { return j[key].get<std::string>(); };
  for (const Json& j : (*json)["inputs"])
    r.inputs.push_back({member(j, "name"), member(j, "file"), member(j, "tensor")});
  for (const Json& j : (*json)["layers"]) r.layers.push_back({member(j, "name"), member(j, "sha256")});
  return r;
}

}  // namespace bitexact
