#pragma once
#include <string>

#include "bitexact/photo.h"
#include "cli.h"

namespace bitexact::cli {

/// --max-megapixels, and the limits it stands for: any photo of so many pixels, whatever its channels and depth.
void add_megapixels(CLI::App& app, double& megapixels);
[[nodiscard]] ImageLimits limits_of(double megapixels);

/// Runs a task to its end, with a progress bar: `label` stands before the stage.
[[nodiscard]] Result<PhotoRun> run_photo(std::span<const std::byte> file, const PhotoTask& task,
                                         const ImageLimits& limits, const Engine& engine,
                                         const std::string& label = "");

}  // namespace bitexact::cli
