#pragma once
#include <emscripten/val.h>

#include <string>

#include "bitexact/operator.h"
#include "marshal.h"

namespace bitexact::bridge {

/// {dtype, shape}, its dimensions at least `least`; `name` stands in messages.
[[nodiscard]] Result<TensorType> type_from(const val& input, const std::string& name, int64_t least);
/// {dtype, shape, data}, copied.
[[nodiscard]] Result<OwnedTensor> tensor_from(const val& input, const std::string& name);

[[nodiscard]] val to_js(const TensorType& type);
[[nodiscard]] val to_js(const Tensor& tensor);

}  // namespace bitexact::bridge
