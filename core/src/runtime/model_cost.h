#pragma once
#include <cstdint>
#include <vector>

#include "bitexact/model.h"
#include "bitexact/session.h"

namespace bitexact {

/// Types of all tensors of a model: of constants as it says, of all others as prepare inferred.
[[nodiscard]] std::vector<TensorType> all_types(const Model& model, const Plan& plan);

/// Products that a node sums: taps on padding count, too. 0 for operators that sum no products.
[[nodiscard]] uint64_t multiply_accumulates(const Model::Node& node, const std::vector<TensorType>& types);
/// Elements of a node's constants; those of all nodes, where a constant that several read counts once.
[[nodiscard]] uint64_t parameters(const Model::Node& node, const Model& model);
[[nodiscard]] uint64_t parameters(const Model& model);

}  // namespace bitexact
