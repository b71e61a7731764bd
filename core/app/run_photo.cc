#include "run_photo.h"

#include <algorithm>
#include <cmath>

#include "progress.h"

namespace bitexact::cli {

void add_megapixels(CLI::App& app, double& megapixels) {
  const auto number = [](const std::string& s) { return s.find_first_of("nN") == s.npos ? "" : "expected a number"; };
  app.add_option("--max-megapixels", megapixels, "refuse larger photos")
      ->check(CLI::Range(0.001, 2000.0))
      ->check(CLI::Validator(number, ""))  // the range lets NaN through
      ->capture_default_str();
}

ImageLimits limits_of(double megapixels) {
  constexpr uint64_t kMostBytesPerPixel = 8;
  ImageLimits limits;
  limits.pixels = static_cast<uint64_t>(std::llround(megapixels * 1e6));
  limits.bytes = std::max(limits.bytes, limits.pixels * kMostBytesPerPixel);
  return limits;
}

Result<PhotoRun> run_photo(std::span<const std::byte> file, const PhotoTask& task, const ImageLimits& limits,
                           const Engine& engine, const std::string& label) {
  BITEXACT_TRY(engine.apply());
  auto run = PhotoRun::open(file, task, limits, engine.set());
  if (!run.ok()) return run.status();
  Status status;
  while (status.ok() && !run->done()) {
    const size_t i = run->stages().size();
    show_progress(i, run->stage_count(), label + run->stage_names()[i]);
    status = run->step();
  }
  clear_progress();
  if (!status.ok()) return status;
  return run;
}

}  // namespace bitexact::cli
