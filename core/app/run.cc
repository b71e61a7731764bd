#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "bitexact/digest.h"
#include "dumps.h"
#include "files.h"
#include "model_args.h"
#include "model_files.h"
#include "model_print.h"
#include "progress.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

constexpr const char* kRunExamples =
    "Examples:\n"
    "  bitexact run lenet5.onnx digit.png --preset mnist --top 3 --receipt r.json\n"
    "  bitexact run mobilenet.tflite *.jpg --requant xnnpack --jobs 4 --json   # one line each\n"
    "  bitexact run two-inputs.onnx a.npy b.bin --raw-out out/                 # out/0.bin, out/1.bin ...";

struct RunOptions {
  ModelArgs model;
  std::vector<std::string> inputs;
  size_t top = 5, jobs = 1;
  std::string labels_file, receipt, raw_out, dump_layers;
  bool made_by = false, no_layers = false;
  std::vector<std::string> labels;
};

/// Files of one run, and where what it writes goes: folders of their own when there are several runs.
struct Job {
  std::vector<std::string> files;
  std::string subfolder;
};

std::vector<Job> jobs_of(const RunOptions& o, const Model& model) {
  std::vector<Job> jobs;
  if (model.inputs.size() != 1) return {{o.inputs, ""}};
  for (size_t i = 0; i < o.inputs.size(); ++i)
    jobs.push_back({{o.inputs[i]}, o.inputs.size() == 1 ? "" : "/" + std::to_string(i)});
  return jobs;
}

// Before anything is computed.
Status check(const RunOptions& o, const std::vector<Job>& jobs) {
  if (jobs.size() > 1 && !o.receipt.empty())
    return error(Code::argument, "--receipt takes the receipt of one run; --json prints those of all");
  for (const Job& job : jobs)
    for (const std::string& dir : {o.raw_out, o.dump_layers})
      if (!dir.empty()) BITEXACT_TRY(make_folder(dir + job.subfolder));
  return {};
}

Status read_labels(RunOptions& o) {
  if (o.labels_file.empty()) return {};
  const auto file = read_file(o.labels_file, kTextLimit);
  if (!file.ok()) return file.status();
  std::string_view text = text_of(*file);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    o.labels.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

Status write_outputs(const std::string& dir, const ModelRun& run) {
  for (size_t k = 0; k < run.model().file.model.outputs.size(); ++k) {
    const auto bytes = raw_output(run.output(k));
    if (!bytes.ok()) return bytes.status();
    BITEXACT_TRY(write_file(dir + "/" + std::to_string(k) + ".bin", bytes->span()));
  }
  return {};
}

// A tensor's memory serves others later, so it is written as soon as it is there.
Status step_through(const RunOptions& o, const Job& job, bool alone, ModelRun& run) {
  const std::string dir = o.dump_layers + job.subfolder;
  const Model& m = run.model().file.model;
  size_t written = 0;
  for (const TensorId id : m.inputs)
    if (!o.dump_layers.empty()) BITEXACT_TRY(write_dump(dir, written++, m.values[id].name, run.value(id)));
  while (!run.done()) {
    const Model::Node& node = m.nodes[run.steps_done()];
    if (alone) show_progress(run.steps_done(), run.step_count(), m.values[node.output].name);
    run.step();
    const std::string& name = m.values[node.output].name;
    if (!o.dump_layers.empty() && !name.empty()) BITEXACT_TRY(write_dump(dir, written++, name, run.value(node.output)));
  }
  return {};
}

std::string line_of(const RunOptions& o, const Job& job, const ModelRun& run, bool alone) {
  const auto scores = top_scores(run, o.top, o.labels);
  const std::string receipt = write_receipt(run), digest = sha256_hex(bytes_of(receipt));
  if (o.model.engine.json)
    return json_text({{"inputs", job.files},
                      {"receipt", *parse_json(receipt)},
                      {"receipt_sha256", digest},
                      {"saturated", saturated_json(run)},
                      {"top", scores_json(scores)}});
  if (!alone) return printable(job.files[0]) + "  " + scores_text(scores, ", ");
  std::string text;
  const auto line = [&](const std::string& what, const std::string& name, DType dtype, const Shape& shape,
                        const std::string& sha256) {
    text += what + " " + printable(name) + " " + dtype_name(dtype) + " " + shape.text() + " " + sha256 + "\n";
  };
  for (const InputDigests& d : run.inputs()) line("input  ", d.name, d.dtype, d.shape, d.tensor);
  const Model& m = run.model().file.model;
  for (size_t i = 0; i < m.outputs.size(); ++i) {
    const Tensor t = run.output(i);
    line("output ", m.values[m.outputs[i]].name, t.dtype, t.shape, sha256_hex(t));
  }
  for (const Layer& l : run.layers())
    if (l.saturated > 0)
      text += "layer " + printable(l.name) + ": " + std::to_string(l.saturated) + " elements at the ends of Q16.16\n";
  if (!scores.empty()) text += "top     " + scores_text(scores, "\n        ") + "\n";
  return text + "receipt " + digest;
}

Result<std::string> compute(const RunOptions& o, const Job& job, bool alone, ModelRun& run) {
  const auto files = read_inputs(job.files, run.model().file.model);
  if (!files.ok()) return files.status();
  if (const Status s = run.start(views(*files)); !s.ok())
    return error(s.code, (job.files.size() == 1 ? job.files[0] + ": " : "") + s.why, s.where);
  BITEXACT_TRY(step_through(o, job, alone, run));
  if (!o.raw_out.empty()) BITEXACT_TRY(write_outputs(o.raw_out + job.subfolder, run));
  if (!o.receipt.empty()) BITEXACT_TRY(write_file(o.receipt, bytes_of(write_receipt(run, o.made_by))));
  return line_of(o, job, run, alone);
}

/// Results in the order of the jobs, whoever finishes first.
class Printer {
 public:
  explicit Printer(size_t total) : results_(total) {}

  void put(size_t job, Result<std::string> result) {
    const std::scoped_lock lock(mutex_);
    results_[job] = std::move(result);
    clear_progress();
    for (; next_ < results_.size() && results_[next_]; ++next_) print(*results_[next_]);
    if (results_.size() > 1 && next_ < results_.size()) show_progress(++finished_, results_.size(), "");
  }
  [[nodiscard]] int code() const { return code_; }

 private:
  void print(Result<std::string>& r) {
    if (!r.ok()) code_ = fail("run", r.status());
    if (r.ok()) std::printf("%s\n", r->c_str());
    r = std::string();
  }

  std::mutex mutex_;
  std::vector<std::optional<Result<std::string>>> results_;
  size_t next_ = 0, finished_ = 0;
  int code_ = kOk;
};

int run_jobs(const RunOptions& o, const PreparedModelPtr& model, const ModelTask& task, const std::vector<Job>& jobs) {
  Printer printer(jobs.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    auto run = ModelRun::open(model, task, limits_of(o.model.megapixels));
    if (run.ok()) run->digest_layers(!o.no_layers);
    for (size_t i = next++; i < jobs.size(); i = next++)
      printer.put(i, run.ok() ? compute(o, jobs[i], jobs.size() == 1, *run) : run.status());
  };
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < std::min(o.jobs, jobs.size())) others.emplace_back(work);
  } catch (const std::system_error&) {  // the system gives no more threads: those there are suffice
  }
  work();
  for (std::thread& t : others) t.join();
  return printer.code();
}

int run_files(RunOptions& o) {
  if (const Status s = read_labels(o); !s.ok()) return fail("run", s);
  const auto model = load_model(o.model);
  if (!model.ok()) return fail("run", model.status());
  const Model& m = (*model)->file.model;
  const auto task = o.model.task(m.inputs.empty() ? DType::q16 : m.values[m.inputs[0]].dtype);
  if (!task.ok()) return fail("run", task.status());
  const auto jobs = jobs_of(o, m);
  if (const Status s = check(o, jobs); !s.ok()) return fail("run", s);
  return run_jobs(o, *model, *task, jobs);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  const auto o = std::make_shared<RunOptions>();
  CLI::App* c = app.add_subcommand("run", "run an ONNX or TFLite model on images or tensors, and digest every layer");
  c->footer(kRunExamples);
  o->model.add_model(*c);
  c->add_option("inputs", o->inputs,
                "one file for each input of the model, or any number for a model of one input: PNG, JPEG, BMP, PNM, "
                ".npy, .pb (ONNX TensorProto) or .bin (little-endian; f32 for models of real numbers)")
      ->required();
  o->model.add_image(*c);
  c->add_option("--top", o->top, "how many of the largest scores are shown")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  c->add_option("--labels", o->labels_file, "names of the scores, one a line");
  c->add_option("--receipt", o->receipt, "write the receipt here");
  c->add_flag("--made-by", o->made_by, "say in the receipt which machine made it; no comparison looks at that");
  c->add_flag("--no-layers", o->no_layers, "digest inputs and outputs only: faster");
  c->add_option("--raw-out", o->raw_out, "write output K to this folder as K.bin (real numbers as f32)");
  c->add_option("--dump-layers", o->dump_layers, "write the bytes of every input and layer into this folder");
  c->add_option("--jobs", o->jobs, "how many files are computed at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  c->callback([o, &action] { action = [o] { return run_files(*o); }; });
}

}  // namespace bitexact::cli
