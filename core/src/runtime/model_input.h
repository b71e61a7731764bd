#pragma once
#include "bitexact/model_run.h"

namespace bitexact {

/// Fills `to`, an input of the model, and says what it was made of.
[[nodiscard]] Result<InputDigests> make_input(const ModelInput& from, const Model::Value& value, const Tensor& to,
                                              const ImageTask& task, std::string_view format,
                                              const ImageLimits& limits);

}  // namespace bitexact
