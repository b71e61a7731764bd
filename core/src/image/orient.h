#pragma once
#include "bitexact/image.h"

namespace bitexact {

/// Turns and mirrors the pixels so that the picture of an EXIF orientation (1..8, in `image.orientation`) stands
/// upright.
[[nodiscard]] Result<Image> apply_orientation(Image image);

}  // namespace bitexact
