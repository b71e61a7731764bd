#pragma once
#include <emscripten/val.h>

#include <string>

namespace bitexact::bridge {

/// Runs one function of fx.h on copies. `inputs`: [{rows, cols, data: Uint8Array}], `parameters`: integers, both in the
/// order of the C function and already checked for their ranges. Answers {rows, cols, data: Uint8Array}.
[[nodiscard]] emscripten::val fx_op(const std::string& name, const emscripten::val& inputs,
                                    const emscripten::val& parameters);

}  // namespace bitexact::bridge
