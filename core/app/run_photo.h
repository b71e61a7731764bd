#pragma once
#include <string>

#include "bitexact/photo.h"
#include "cli.h"

namespace bitexact::cli {

/// Runs a task to its end, with a progress bar on stderr when that is a terminal.
[[nodiscard]] Result<PhotoRun> run_photo(std::span<const std::byte> file, const PhotoTask& task,
                                         const ImageLimits& limits, const Engine& engine);

/// DIR/NN-name.bin, little-endian: what each stage's digest is of.
[[nodiscard]] std::string dump_path(const std::string& dir, size_t index, const std::string& stage);
[[nodiscard]] Result<Buffer> dump_all(const Tensor& tensor);

}  // namespace bitexact::cli
