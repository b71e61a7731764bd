#pragma once
#include <span>
#include <string>

#include "bitexact/model_run.h"
#include "bitexact/read_model.h"

namespace bitexact {

/// What is in a model and what running it takes, as JSON:
///   {"arena_bytes","file","file_nodes","format","inputs":[tensor],"macs","notes":[{"name","node","op","text"}],
///    "operators":{name: steps},"outputs":[tensor],"parameters","requant","steps":[step],"version"}
/// tensor: {"dtype","name","quantization":{"scale","zero"}?,"shape"}. step: a tensor, the one it writes, and
///   {"accumulator":{"bits","bound","headroom_bits"}?,"arena":{"bytes","first","last","offset"},"kernel","macs","node","op",
///    "parameters"}
/// A multiply-accumulate on padding counts, too; parameters are elements of constants, in the sum each once. Places in
/// the arena: `arena_map`.
[[nodiscard]] std::string model_facts(const PreparedModel& model);

/// [{"name","node","op","version","why"}]
[[nodiscard]] std::string problems_json(std::span<const ModelProblem> problems);

}  // namespace bitexact
