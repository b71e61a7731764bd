#include "bitexact/read_model.h"

#include <algorithm>

#include "import/onnx_lower.h"
#include "import/tflite.h"

namespace bitexact {
namespace {

Result<ModelFile> read(std::span<const std::byte> bytes, const ReadOptions& options,
                       std::vector<ModelProblem>* problems) {
  if (looks_like_tflite(bytes)) return read_tflite(bytes, options, problems);
  if (!onnx::looks_like_onnx(bytes)) return error(Code::malformed, "neither ONNX nor TFLite", at_byte(0));
  const auto graph = onnx::read_graph(bytes, options.external);
  if (!graph.ok()) return graph.status();
  return onnx::lower(*graph, options, problems);
}

// A shape of what is no input would do nothing, and stand in receipts.
Status check_shapes(const ReadOptions& options, const Model& m) {
  std::string inputs;
  for (const TensorId id : m.inputs) inputs += " '" + m.values[id].name + "'";
  for (const auto& [name, shape] : options.shapes) {
    const auto is_it = [&, &wanted = name](TensorId id) { return m.values[id].name == wanted; };
    if (std::none_of(m.inputs.begin(), m.inputs.end(), is_it))
      return error(Code::argument, "a shape is given for '" + name + "'; the model's inputs are" + inputs);
  }
  return {};
}

}  // namespace

Result<ModelFile> read_model(std::span<const std::byte> bytes, const ReadOptions& options,
                             std::vector<ModelProblem>* problems) {
  if (problems != nullptr) problems->clear();
  auto file = read(bytes, options, problems);
  if (file.ok()) BITEXACT_TRY(check_shapes(options, file->model));
  return file;
}

Result<std::set<std::string>> external_locations(std::span<const std::byte> bytes) {
  if (looks_like_tflite(bytes) || !onnx::looks_like_onnx(bytes)) return std::set<std::string>{};
  return onnx::external_locations(bytes);
}

Result<OnnxTensor> read_onnx_tensor(std::span<const std::byte> bytes) {
  auto t = onnx::read_tensor(bytes);
  if (!t.ok()) return t.status();
  return OnnxTensor{std::move(t->name), onnx::type_name(t->type), std::move(t->dims), std::move(t->bytes)};
}

std::vector<double> float_elements(const OnnxTensor& tensor) {
  for (const onnx::Type t : {onnx::Type::f32, onnx::Type::f64, onnx::Type::f16, onnx::Type::bf16})
    if (tensor.dtype == onnx::type_name(t)) return onnx::reals({tensor.name, t, tensor.dims, tensor.bytes});
  return {};
}

}  // namespace bitexact
