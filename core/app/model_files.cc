#include "model_files.h"

#include <algorithm>

#include "bitexact/digest.h"
#include "external_data.h"
#include "files.h"
#include "npy.h"

namespace bitexact::cli {
namespace {

Result<ModelInput::Elements> npy_elements(const InputFile& in) {
  const auto npy = read_npy(in.file.span());
  if (!npy.ok()) return npy.status();
  return ModelInput::Elements{npy->dtype, npy->shape, npy->bytes};
}

Result<ModelInput::Elements> onnx_elements(InputFile& in) {
  constexpr std::pair<const char*, DType> kTypes[] = {
      {"float32", DType::f32}, {"float16", DType::f16}, {"int8", DType::i8},   {"uint8", DType::u8},
      {"int16", DType::i16},   {"uint16", DType::u16},  {"int32", DType::i32}, {"int64", DType::i64}};
  auto tensor = read_onnx_tensor(in.file.span());
  if (!tensor.ok()) return tensor.status();
  if (tensor->dims.size() > Shape::kMaxRank) return error(Code::unsupported, "more than six dimensions");
  Shape shape;
  for (const int64_t d : tensor->dims) shape.push_back(d);
  in.bytes = std::move(tensor->bytes);
  for (const auto& [name, dtype] : kTypes)
    if (tensor->dtype == name) return ModelInput::Elements{dtype, shape, in.bytes};
  return error(Code::unsupported, "elements are " + tensor->dtype);
}

Status find_elements(InputFile& in, DType dtype) {
  const std::string end = in.path.substr(std::min(in.path.rfind('.'), in.path.size() - 1) + 1);
  const auto named = dtype_from_name(end);
  if (end == "bin" || named) {
    in.elements = ModelInput::Elements{named.value_or(dtype), std::nullopt, in.file.span()};
    return {};
  }
  if (end != "npy" && end != "pb") return {};
  auto elements = end == "npy" ? npy_elements(in) : onnx_elements(in);
  if (elements.ok()) in.elements = *elements;
  return elements.status();
}

}  // namespace

DType outside(DType dtype) { return dtype == DType::q16 ? DType::f32 : dtype; }

Result<PreparedModelPtr> load_model(const std::string& path, const ReadOptions& options, KernelSet kernels,
                                    std::vector<ModelProblem>* problems) {
  const auto file = read_file(path, kImageLimit);
  if (!file.ok()) return file.status();
  auto model = read_model_at(path, file->span(), options, problems);
  if (!model.ok()) return in_file(path, model.status());
  auto prepared = prepare_model(std::move(*model), sha256_hex(file->span()), {kernels});
  if (!prepared.ok()) return in_file(path, prepared.status());
  return prepared;
}

Result<InputFile> read_input(const std::string& path, DType dtype) {
  auto file = read_file(path, kImageLimit);
  if (!file.ok()) return file.status();
  InputFile in{path, std::move(*file), {}, std::nullopt};
  if (const Status s = find_elements(in, dtype); !s.ok()) return in_file(path, s);
  return in;
}

Result<std::vector<InputFile>> read_inputs(const std::vector<std::string>& paths, const Model& model) {
  if (paths.size() != model.inputs.size())
    return error(Code::argument, "the model has " + std::to_string(model.inputs.size()) + " inputs; " +
                                     std::to_string(paths.size()) + " files are given");
  std::vector<InputFile> files;
  for (size_t i = 0; i < paths.size(); ++i) {
    auto in = read_input(paths[i], outside(model.values[model.inputs[i]].dtype));
    if (!in.ok()) return in.status();
    files.push_back(std::move(*in));
  }
  return files;
}

std::vector<ModelInput> views(const std::vector<InputFile>& files) {
  std::vector<ModelInput> all;
  all.reserve(files.size());
  for (const InputFile& f : files) all.push_back(f.input());
  return all;
}

}  // namespace bitexact::cli
