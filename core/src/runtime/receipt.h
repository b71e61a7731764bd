#pragma once
#include <string_view>

#include "bitexact/image.h"
#include "bitexact/tensor.h"
#include "runtime/json.h"

namespace bitexact {

// What receipts of photos and of models share.

[[nodiscard]] Json shape_json(const Shape& shape);
/// What was decoded.
[[nodiscard]] inline ImageInfo info_of(const Image& i) {
  return {i.format, i.width, i.height, i.channels, i.bits, i.orientation, i.color_profile_ignored};
}
/// As members of `j`.
void image_json(const ImageInfo& image, Json& j);
/// Version, contract, engine, task; `made_by` when asked for.
[[nodiscard]] Json receipt_json(Json task, bool made_by);

/// A receipt whose digests are where they are looked for; `which` stands before "receipt" in messages.
[[nodiscard]] Result<Json> parse_receipt(std::string_view text, const char* which);
/// `unsupported` for another contract, `malformed` without a task.
[[nodiscard]] Status check_contract(const Json& receipt);

}  // namespace bitexact
