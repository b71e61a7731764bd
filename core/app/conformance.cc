#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "bitexact/digest.h"
#include "bitexact/fx.h"
#include "bitexact/model_task.h"
#include "bitexact/read_model.h"
#include "bitexact/session.h"
#include "cli.h"
#include "external_data.h"
#include "files.h"
#include "progress.h"

namespace bitexact::cli {
namespace {

namespace fs = std::filesystem;

struct ConformanceOptions {
  std::vector<std::string> folders;
  std::string requant = "tflm";
  Engine engine;
};

enum class Ending { passed, failed, skipped };

struct Outcome {
  Ending ending = Ending::passed;
  std::string why;
};

Outcome failed(std::string why) { return {Ending::failed, std::move(why)}; }
Outcome skipped(std::string why) { return {Ending::skipped, std::move(why)}; }
Outcome of(const Status& s) { return s.code == Code::unsupported ? skipped(s.why) : failed(s.text()); }

// input_0.pb, input_1.pb ... or output_0.pb ... of a folder.
Result<std::vector<OnnxTensor>> read_tensors(const fs::path& folder, const std::string& kind) {
  std::vector<OnnxTensor> out;
  for (size_t i = 0;; ++i) {
    const fs::path path = folder / (kind + "_" + std::to_string(i) + ".pb");
    std::error_code why;
    if (!fs::exists(path, why)) return out;
    const auto file = read_file(path.string(), kImageLimit);
    if (!file.ok()) return file.status();
    auto tensor = read_onnx_tensor(file->span());
    if (!tensor.ok()) return error(tensor.status().code, path.filename().string() + ": " + tensor.status().why);
    out.push_back(std::move(*tensor));
  }
}

bool in_range(double v) { return v >= -32768 && v < 32768; }

Outcome check_range(const OnnxTensor& t) {
  const std::vector<double> values = float_elements(t);
  return std::all_of(values.begin(), values.end(), in_range) ? Outcome{} : skipped(t.name + " leaves the range of q16");
}

std::string shape_text(const std::vector<int64_t>& dims) {
  std::string text = "[";
  for (const int64_t d : dims) text += (text.size() > 1 ? ", " : "") + std::to_string(d);
  return text + "]";
}

bool same_shape(const std::vector<int64_t>& dims, const Shape& shape) {
  bool same = dims.size() == shape.rank();
  for (size_t i = 0; same && i < dims.size(); ++i) same = dims[i] == shape[i];
  return same;
}

Outcome fill(const OnnxTensor& from, const Tensor& to) {
  if (!same_shape(from.dims, to.shape)) return failed("input " + from.name + " is " + shape_text(from.dims));
  if (to.dtype != DType::q16) {
    if (to.bytes() != from.bytes.size()) return failed("input " + from.name + " is of " + from.dtype);
    if (to.bytes() == 0) return {};
    std::vector<std::byte> bytes = from.bytes;
    dump({to.dtype, to.shape, bytes.data()}, 0, to.count(), to.data);  // to machine order as from it
    return {};
  }
  const std::vector<double> values = float_elements(from);
  if (values.size() != to.count()) return failed("input " + from.name + " is of " + from.dtype);
  for (size_t i = 0; i < values.size(); ++i) to.as<fixed_t>()[i] = fixed_from_double(values[i]);
  return {};
}

// ONNX's own tolerance is relative alone; q16 has steps of 2^-16.
Outcome compare_reals(const OnnxTensor& expected, const Tensor& got) {
  const std::vector<double> values = float_elements(expected);
  if (values.size() != got.count()) return failed("output " + expected.name + " is of " + expected.dtype);
  for (size_t i = 0; i < values.size(); ++i) {
    const double is = static_cast<double>(got.as<int32_t>()[i]) / 65536;
    if (std::fabs(is - values[i]) > 0x1p-13 + 0x1p-12 * std::fabs(values[i]))
      return failed("output " + expected.name + ", element " + std::to_string(i) + ": expected " +
                    std::to_string(values[i]) + ", got " + std::to_string(is));
  }
  return {};
}

Outcome compare(const OnnxTensor& expected, const Tensor& got) {
  if (!same_shape(expected.dims, got.shape))
    return failed("output " + expected.name + ": expected " + shape_text(expected.dims) + ", got " + got.shape.text());
  if (got.dtype == DType::q16) return compare_reals(expected, got);
  std::vector<std::byte> bytes(got.bytes());
  if (!bytes.empty()) dump(got, 0, got.count(), bytes.data());
  if (bytes.size() != expected.bytes.size()) return failed("output " + expected.name + " is of " + expected.dtype);
  const auto [a, b] = std::mismatch(bytes.begin(), bytes.end(), expected.bytes.begin());
  if (a == bytes.end()) return {};
  const auto at = static_cast<size_t>(a - bytes.begin()) / size_of(got.dtype);
  return failed("output " + expected.name + " differs at element " + std::to_string(at));
}

// By name; by position where the files name nothing.
const OnnxTensor* tensor_of(const std::vector<OnnxTensor>& given, const Model& model, size_t input) {
  for (const OnnxTensor& t : given)
    if (t.name == model.values[model.inputs[input]].name) return &t;
  return given.size() == model.inputs.size() ? &given[input] : nullptr;
}

Outcome run_model(const Model& model, const std::vector<OnnxTensor>& inputs, const std::vector<OnnxTensor>& outputs,
                  KernelSet kernels) {
  const auto plan = prepare(model, {kernels, false});
  if (!plan.ok()) return of(plan.status());
  auto arena = Buffer::make(arena_bytes(**plan));
  if (!arena.ok()) return of(arena.status());
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return of(session.status());
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const OnnxTensor* t = tensor_of(inputs, model, i);
    if (t == nullptr) return failed("no data for input " + model.values[model.inputs[i]].name);
    if (Outcome o = fill(*t, session->input(i)); o.ending != Ending::passed) return o;
  }
  session->run();
  if (outputs.size() > model.outputs.size()) return failed("too few outputs");
  for (size_t i = 0; i < outputs.size(); ++i)
    if (Outcome o = compare(outputs[i], session->output(i)); o.ending != Ending::passed) return o;
  return {};
}

Outcome run_data_set(const std::string& model, std::span<const std::byte> bytes, const fs::path& folder,
                     const ConformanceOptions& o) {
  const auto inputs = read_tensors(folder, "input"), outputs = read_tensors(folder, "output");
  if (!inputs.ok()) return of(inputs.status());
  if (!outputs.ok()) return of(outputs.status());
  if (outputs->empty()) return failed("no output_0.pb");
  for (const auto* tensors : {&*inputs, &*outputs})
    for (const OnnxTensor& t : *tensors)
      if (Outcome out = check_range(t); out.ending != Ending::passed) return out;
  ReadOptions options;
  options.requant = requant_from_name(o.requant).value_or(Requant::tflm);
  for (const OnnxTensor& t : *inputs) options.constants[t.name] = t.bytes;
  const auto file = read_model_at(model, bytes, options);
  return file.ok() ? run_model(file->model, *inputs, *outputs, o.engine.set()) : of(file.status());
}

Outcome run_folder(const fs::path& folder, const ConformanceOptions& o) {
  const std::string path = (folder / "model.onnx").string();
  const auto model = read_file(path, kImageLimit);
  if (!model.ok()) return of(model.status());
  std::error_code why;
  if (fs::exists(folder / "output_0.pb", why)) return run_data_set(path, model->span(), folder, o);
  Outcome all = failed("no data beside the model");
  for (size_t i = 0; fs::exists(folder / ("test_data_set_" + std::to_string(i)), why); ++i) {
    all = run_data_set(path, model->span(), folder / ("test_data_set_" + std::to_string(i)), o);
    if (all.ending != Ending::passed) break;
  }
  return all;
}

// Folders with a model; those of a folder that has none.
std::vector<fs::path> model_folders(const std::vector<std::string>& given) {
  std::vector<fs::path> out;
  std::error_code why;
  for (const fs::path folder : given) {
    if (!fs::is_directory(folder, why)) continue;
    std::vector<fs::path> inner;
    if (!fs::exists(folder / "model.onnx", why))
      for (const auto& entry : fs::directory_iterator(folder, why))
        if (fs::exists(entry.path() / "model.onnx", why)) inner.push_back(entry.path());
    std::sort(inner.begin(), inner.end());
    if (inner.empty()) inner.push_back(folder);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

int run_conformance(const ConformanceOptions& o) {
  if (const Status s = o.engine.apply(); !s.ok()) return fail("conformance", s);
  constexpr const char* kWords[] = {"passed", "FAILED", "skipped"};
  size_t counts[3] = {};
  Json results = Json::array();
  const std::vector<fs::path> folders = model_folders(o.folders);
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::string name = (folders[i].has_filename() ? folders[i] : folders[i].parent_path()).filename().string();
    show_progress(i, folders.size(), name);
    const Outcome outcome = run_folder(folders[i], o);
    const auto ending = static_cast<size_t>(outcome.ending);
    ++counts[ending];
    results.push_back({{"name", name}, {"verdict", ending == 1 ? "failed" : kWords[ending]}, {"why", outcome.why}});
    if (ending == 0 || o.engine.json) continue;
    clear_progress();
    std::printf("%s %s: %s\n", kWords[ending], printable(name).c_str(), printable(outcome.why).c_str());
  }
  clear_progress();
  if (o.engine.json)
    std::printf("%s\n",
                json_text({{"passed", counts[0]}, {"failed", counts[1]}, {"skipped", counts[2]}, {"results", results}})
                    .c_str());
  else
    std::printf("%zu passed, %zu failed, %zu skipped\n", counts[0], counts[1], counts[2]);
  return counts[1] == 0 ? kOk : kDiffers;
}

}  // namespace

void add_conformance(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ConformanceOptions>();
  CLI::App* c =
      app.add_subcommand("conformance", "run ONNX backend tests: model.onnx with inputs and outputs beside it");
  c->footer(
      "Floats run as q16 and may differ by 2^-13 + 2^-12 of the value; integers must be equal. A test is skipped when\n"
      "an operator or dtype is unsupported, or its numbers leave the range of q16.\n"
      "Example:\n  bitexact conformance onnx/backend/test/data/node/*");
  c->add_option("folders", o->folders, "folders with model.onnx; other files are passed over")->required();
  c->add_option("--requant", o->requant, "how quantized layers are requantised")
      ->check(CLI::IsMember({"tflm", "xnnpack"}))
      ->capture_default_str();
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run_conformance(*o); }; });
}

}  // namespace bitexact::cli
