#pragma once
#include "image/layout.h"

namespace bitexact {

/// Decodes the pieces of a PNG, JPEG or BMP into `out`, which holds width * height * stored_channels samples.
/// Working memory is bounded by a small multiple of `out`, whatever the compressed data expand to.
[[nodiscard]] Status stb_decode(const ImageLayout& layout, std::span<std::byte> out);

}  // namespace bitexact
