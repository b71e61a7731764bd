#pragma once
#include <string>

#include "bitexact/read_model.h"

namespace bitexact::cli {

/// Reads a model whose external data are files in its folder; links are followed within it alone. A file that is not
/// there is `argument`, naming tensor and location; files of more than 2 GiB together are `too_large`.
[[nodiscard]] Result<ModelFile> read_model_at(const std::string& path, std::span<const std::byte> bytes,
                                              ReadOptions options, std::vector<ModelProblem>* problems = nullptr);

}  // namespace bitexact::cli
