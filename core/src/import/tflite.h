#pragma once
#include <span>
#include <vector>

#include "bitexact/read_model.h"

namespace bitexact {

/// Whether the bytes carry TFLite's identifier.
[[nodiscard]] bool looks_like_tflite(std::span<const std::byte> bytes) noexcept;

/// `read_model` for TFLite files, of which the first subgraph is read. Nothing is looked at before FlatBuffers'
/// verifier has passed the whole file; files of 2 GiB and more, which it cannot verify, are `too_large`.
[[nodiscard]] Result<ModelFile> read_tflite(std::span<const std::byte> bytes, const ReadOptions& options,
                                            std::vector<ModelProblem>* problems);

}  // namespace bitexact
