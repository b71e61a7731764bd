#pragma once
#include <emscripten/val.h>

#include <span>
#include <string>
#include <vector>

#include "bitexact/image.h"
#include "bitexact/receipt.h"
#include "bitexact/status.h"

namespace bitexact::bridge {

using emscripten::val;

/// Every call answers {value} or {error: {code, message, place?, at?}}; nothing throws.
[[nodiscard]] val success(const val& value);
[[nodiscard]] val failure(const Status& status);
[[nodiscard]] val outcome(const Status& status);

/// Copies between a Uint8Array of the caller and memory of ours; no view of the heap is ever handed out.
[[nodiscard]] Result<Buffer> copy_in(const val& uint8_array);
[[nodiscard]] val copy_out(std::span<const std::byte> bytes);

/// From an array of numbers that the caller has checked.
[[nodiscard]] std::vector<int32_t> int32s(const val& array);
/// To an array of numbers.
[[nodiscard]] val numbers(std::span<const int32_t> values);
[[nodiscard]] val numbers(const Shape& shape);

[[nodiscard]] ImageLimits limits_from(double pixels, double bytes);
[[nodiscard]] Result<Image> image_from(const val& image);
[[nodiscard]] val to_js(const Image& image);
[[nodiscard]] val to_js(const Stage& stage);
[[nodiscard]] val to_js(const Verdict& verdict);

[[nodiscard]] inline val answer(const Status& status) { return outcome(status); }
template <class T>
[[nodiscard]] val answer(const Result<T>& result) {
  return result.ok() ? success(to_js(*result)) : failure(result.status());
}

}  // namespace bitexact::bridge
