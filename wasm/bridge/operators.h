#pragma once
#include <emscripten/val.h>

#include <string>

namespace bitexact::bridge {

using emscripten::val;

/// operator.h for JavaScript. `inputs` is an array of {name, dtype, shape, data}; {dtype, shape, data} comes back.
[[nodiscard]] val run_named_operator(const std::string& name, const std::string& attributes, const val& inputs,
                                     bool reference);
/// The same without data: {dtype, shape}. Dimensions may be -1, and [-2] is a shape of which nothing is known.
[[nodiscard]] val infer_named_operator(const std::string& name, const std::string& attributes, const val& inputs);

}  // namespace bitexact::bridge
