#pragma once
#include <emscripten/val.h>

#include <string>

namespace bitexact::bridge {

using emscripten::val;

/// Runs on photos, by their numbers (shelf.h).
[[nodiscard]] val photo_open(const val& file, const std::string& task, double max_pixels, double max_bytes,
                             bool reference);  ///< {id, total}
[[nodiscard]] val photo_step(int32_t id);      ///< the stage just computed
[[nodiscard]] val photo_receipt(int32_t id);   ///< canonical JSON; only when done
/// {data}: q16 elements of a rectangle, 0 outside of the tensor.
[[nodiscard]] val photo_window(int32_t id, uint32_t stage, const val& rectangle);
/// {width, height, data} in RGBA; max 0 is full size.
[[nodiscard]] val photo_preview(int32_t id, uint32_t stage, int32_t max_width, int32_t max_height, bool magnitude);
[[nodiscard]] val photo_dump(int32_t id, uint32_t stage);
[[nodiscard]] val photo_png(int32_t id, uint32_t stage, bool magnitude);
void photo_close(int32_t id);

}  // namespace bitexact::bridge
