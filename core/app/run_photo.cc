#include "run_photo.h"

#include <unistd.h>

#include <cstdio>

#include "bitexact/digest.h"

namespace bitexact::cli {
namespace {

void show_progress(size_t done, const std::vector<std::string>& names) {
  if (isatty(STDERR_FILENO) == 0) return;
  if (done == names.size()) {
    std::fprintf(stderr, "\r\033[K");
    return;
  }
  const std::string bar = std::string(done * 4, '#') + std::string((names.size() - done) * 4, '.');
  std::fprintf(stderr, "\r\033[K[%s] %s", bar.c_str(), names[done].c_str());
}

}  // namespace

Result<PhotoRun> run_photo(std::span<const std::byte> file, const PhotoTask& task, const ImageLimits& limits,
                           const Engine& engine) {
  BITEXACT_TRY(engine.apply());
  auto run = PhotoRun::open(file, task, limits, engine.set());
  if (!run.ok()) return run.status();
  while (!run->done()) {
    show_progress(run->stages().size(), run->stage_names());
    if (Status s = run->step(); !s.ok()) {
      show_progress(run->stage_count(), run->stage_names());
      return s;
    }
  }
  show_progress(run->stage_count(), run->stage_names());
  return run;
}

std::string dump_path(const std::string& dir, size_t index, const std::string& stage) {
  return dir + "/" + (index < 10 ? "0" : "") + std::to_string(index) + "-" + stage + ".bin";
}

Result<Buffer> dump_all(const Tensor& tensor) {
  auto bytes = Buffer::make(tensor.bytes());
  if (bytes.ok()) dump(tensor, 0, tensor.count(), bytes->data());
  return bytes;
}

}  // namespace bitexact::cli
