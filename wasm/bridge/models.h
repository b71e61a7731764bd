#pragma once
#include <emscripten/val.h>

#include <string>

namespace bitexact::bridge {

using emscripten::val;

/// Models and their runs, by their numbers (shelf.h). JSON is as core/include/bitexact/model_facts.h and model_task.h
/// have it. `options`: {shapes: JSON, requant: "tflm" | "xnnpack", reference, keepLayers, external: [{location,
/// data}]}.
[[nodiscard]] val model_open(const val& file, const val& options);     ///< {id, facts: JSON}
[[nodiscard]] val model_inspect(const val& file, const val& options);  ///< {facts: JSON} or {problems: JSON}
void model_close(int32_t id);

/// Each of `inputs` is {file} (an image) or {dtype, shape, data}. {id, total: steps}
[[nodiscard]] val run_open(int32_t model, const std::string& task, const val& inputs, const val& limits, bool layers);
[[nodiscard]] val run_step(int32_t id);     ///< of the layer just computed: {sha256, saturated}; or null
[[nodiscard]] val run_receipt(int32_t id);  ///< canonical JSON; only when done
/// Which tensor of a run: an input, a layer (in the order of their steps) or an output.
[[nodiscard]] val run_tensor(int32_t id, const std::string& which, uint32_t index);  ///< {dtype, shape, data}
void run_close(int32_t id);

/// What the re-run of a model's receipt asks for: {requant, task: JSON, layers: whether it has any}; null when the
/// receipt is one of a photo.
[[nodiscard]] val model_receipt(const std::string& receipt);
/// The verdict on the files alone.
[[nodiscard]] val compare_model_files(const std::string& receipt, const val& model, const val& inputs);

}  // namespace bitexact::bridge
