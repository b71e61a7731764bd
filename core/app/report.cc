#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <memory>

#include "model_args.h"
#include "model_files.h"
#include "model_print.h"
#include "progress.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

constexpr const char* kReportExamples =
    "Examples:\n"
    "  bitexact report mnist.onnx input_0.pb --expected output_0.pb\n"
    "  bitexact report classifier.tflite images.f32 --expected scores.f32   # rows of a batch are runs of their own";

struct ReportOptions {
  ModelArgs model;
  std::vector<std::string> inputs, expected;
  double tolerance = -1;
};

/// How one output differs from what was expected, over all runs.
struct Difference {
  uint64_t elements = 0, equal = 0, runs = 0, argmax_agrees = 0;
  double sum = 0, largest = 0;
};

double little_element(DType dtype, const std::byte* p) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size_of(dtype); ++i) bits |= static_cast<uint64_t>(p[i]) << (8 * i);
  if (dtype == DType::f32) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  const auto unused = static_cast<int>(64 - 8 * size_of(dtype));
  const bool is_signed = dtype != DType::u8 && dtype != DType::u16;
  return is_signed ? static_cast<double>(static_cast<int64_t>(bits << unused) >> unused) : static_cast<double>(bits);
}

// Quantized outputs are compared in their own units.
double computed(const Tensor& t, size_t i) {
  const auto value = static_cast<double>(element_at(t, i));
  return t.dtype == DType::q16 ? value / 65536 : value;
}

void add(Difference& d, const Tensor& got, std::span<const std::byte> expected) {
  size_t best_got = 0, best = 0;
  const size_t n = got.count(), width = size_of(outside(got.dtype));
  const auto want = [&](size_t i) { return little_element(outside(got.dtype), expected.data() + i * width); };
  for (size_t i = 0; i < n; ++i) {
    const double error = std::fabs(computed(got, i) - want(i));
    d.sum += error;
    d.largest = error > d.largest || std::isnan(error) ? error : d.largest;
    d.equal += error == 0 ? 1u : 0u;
    if (computed(got, i) > computed(got, best_got)) best_got = i;
    if (want(i) > want(best)) best = i;
  }
  d.elements += n;
  d.argmax_agrees += best == best_got ? 1u : 0u;
  ++d.runs;
}

/// Rows that a file holds for a tensor of `bytes`: at least 1, and it must be filled by them.
Result<size_t> rows_of(const InputFile& file, size_t bytes) {
  if (!file.elements) return size_t{1};
  const size_t size = file.elements->bytes.size();
  if (bytes == 0 || size == 0 || size % bytes != 0)
    return error(Code::shape, file.path + ": " + std::to_string(size) + " bytes; the model has " +
                                  std::to_string(bytes) + " for each run");
  return size / bytes;
}

ModelInput row(const InputFile& file, size_t index, size_t rows) {
  ModelInput in = file.input();
  if (rows == 1) return in;
  const size_t bytes = in.elements->bytes.size() / rows;
  in.elements->shape.reset();
  in.elements->bytes = in.elements->bytes.subspan(index * bytes, bytes);
  return in;
}

class Report {
 public:
  Report(const ReportOptions& o, ModelRun run) : o_(o), run_(std::move(run)), differences_(model().outputs.size()) {}

  /// Files of one run, or of as many as they have rows.
  Status add_files(const std::vector<std::string>& inputs, std::span<const std::string> expected) {
    const auto files = read_inputs(inputs, model());
    if (!files.ok()) return files.status();
    std::vector<InputFile> wanted;
    for (size_t k = 0; k < expected.size(); ++k) {
      const DType dtype = outside(run_.output(k).dtype);
      auto file = read_input(expected[k], dtype);
      if (!file.ok()) return file.status();
      if (!file->elements || file->elements->dtype != dtype)
        return error(Code::argument, expected[k] + ": expected elements of " + std::string(dtype_name(dtype)));
      wanted.push_back(std::move(*file));
    }
    const auto rows = common_rows(*files, wanted);
    if (!rows.ok()) return rows.status();
    for (size_t r = 0; r < *rows; ++r) BITEXACT_TRY(add_run(*files, wanted, r, *rows));
    return {};
  }

  [[nodiscard]] Json json() const {
    Json outputs = Json::array();
    for (size_t k = 0; k < differences_.size(); ++k) {
      const Difference& d = differences_[k];
      outputs.push_back({{"name", model().values[model().outputs[k]].name},
                         {"dtype", dtype_name(run_.output(k).dtype)},
                         {"runs", d.runs},
                         {"elements", d.elements},
                         {"equal", d.equal},
                         {"max_error", d.largest},
                         {"mean_error", d.elements == 0 ? 0 : d.sum / static_cast<double>(d.elements)},
                         {"argmax_agrees", d.argmax_agrees}});
    }
    return {{"outputs", outputs}, {"saturated", saturated_}};
  }
  [[nodiscard]] double largest() const {
    double largest = 0;
    for (const Difference& d : differences_) largest = d.largest <= largest ? largest : d.largest;
    return largest;
  }

 private:
  [[nodiscard]] const Model& model() const { return run_.model().file.model; }

  Result<size_t> common_rows(const std::vector<InputFile>& files, const std::vector<InputFile>& wanted) const {
    std::optional<size_t> rows;
    const auto look = [&](const InputFile& file, const Tensor& t) -> Status {
      const auto n = rows_of(file, t.count() * size_of(outside(t.dtype)));
      if (!n.ok()) return n.status();
      if (rows.value_or(*n) != *n)
        return error(Code::shape, file.path + ": has " + std::to_string(*n) + " rows; the files before have " +
                                      std::to_string(*rows));
      rows = *n;
      return {};
    };
    for (size_t i = 0; i < files.size(); ++i) BITEXACT_TRY(look(files[i], run_.value(model().inputs[i])));
    for (size_t k = 0; k < wanted.size(); ++k) BITEXACT_TRY(look(wanted[k], run_.output(k)));
    return rows.value_or(1);
  }

  Status add_run(const std::vector<InputFile>& files, const std::vector<InputFile>& wanted, size_t r, size_t rows) {
    show_progress(r, rows, o_.model.model);
    std::vector<ModelInput> inputs;
    inputs.reserve(files.size());
    for (const InputFile& f : files) inputs.push_back(row(f, r, rows));
    BITEXACT_TRY(run_.start(inputs));
    while (!run_.done()) run_.step();
    clear_progress();
    for (size_t k = 0; k < wanted.size(); ++k)
      add(differences_[k], run_.output(k), row(wanted[k], r, rows).elements->bytes);
    for (const Layer& l : run_.layers())
      if (l.saturated > 0) saturated_[l.name] = saturated_.value(l.name, uint64_t{0}) + l.saturated;
    return {};
  }

  const ReportOptions& o_;
  ModelRun run_;
  std::vector<Difference> differences_;
  Json saturated_ = Json::object();
};

void print_report(const Json& j) {
  for (const Json& d : j["outputs"])
    std::printf("%s %s: largest error %.9g, mean %.9g, %s of %s elements equal, argmax agrees in %s of %s runs\n",
                printable(d["name"].get<std::string>()).c_str(), d["dtype"].get<std::string>().c_str(),
                d["max_error"].get<double>(), d["mean_error"].get<double>(), json_text(d["equal"]).c_str(),
                json_text(d["elements"]).c_str(), json_text(d["argmax_agrees"]).c_str(), json_text(d["runs"]).c_str());
  for (const auto& [layer, count] : j["saturated"].items())
    std::printf("layer %s saturated: %s elements at the ends of Q16.16\n", printable(layer).c_str(),
                json_text(count).c_str());
  if (j["saturated"].empty()) std::printf("no layer saturated\n");
}

int run_report(const ReportOptions& o) {
  const auto model = load_model(o.model);
  if (!model.ok()) return fail("report", model.status());
  const Model& m = (*model)->file.model;
  const auto task = o.model.task(m.inputs.empty() ? DType::q16 : m.values[m.inputs[0]].dtype);
  if (!task.ok()) return fail("report", task.status());
  auto opened = ModelRun::open(*model, *task, limits_of(o.model.megapixels));
  if (!opened.ok()) return fail("report", opened.status());
  const bool batch = m.inputs.size() == 1;
  const size_t sets = batch ? o.inputs.size() : 1, outputs = m.outputs.size();
  if (o.expected.size() != sets * outputs)
    return fail("report",
                error(Code::argument, "--expected: " + std::to_string(o.expected.size()) + " files; " +
                                          std::to_string(sets * outputs) + " are needed, one for each output"));
  Report report(o, std::move(*opened));
  for (size_t i = 0; i < sets; ++i) {
    const auto files = batch ? std::vector<std::string>{o.inputs[i]} : o.inputs;
    const Status s = report.add_files(files, std::span(o.expected).subspan(i * outputs, outputs));
    if (!s.ok()) return fail("report", s);
  }
  if (o.model.engine.json)
    std::printf("%s\n", json_text(report.json()).c_str());
  else
    print_report(report.json());
  return o.tolerance < 0 || report.largest() <= o.tolerance ? kOk : kDiffers;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ReportOptions>();
  CLI::App* c = app.add_subcommand("report", "measure a model's outputs against those of another runtime");
  c->footer(kReportExamples);
  o->model.add_model(*c);
  c->add_option("inputs", o->inputs, "as for run; tensors may hold several rows, each a run of its own")->required();
  c->add_option("--expected", o->expected, "outputs of the other runtime (.npy, .pb, .bin), in the model's order")
      ->required();
  c->add_option("--tolerance", o->tolerance, "exit with 1 when an error is larger")->check(CLI::NonNegativeNumber);
  o->model.add_image(*c);
  c->callback([o, &action] { action = [o] { return run_report(*o); }; });
}

}  // namespace bitexact::cli
