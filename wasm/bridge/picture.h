#pragma once
#include <cstdint>
#include <optional>

#include "bitexact/image.h"
#include "bitexact/tensor.h"

namespace bitexact::bridge {

struct PictureOptions {
  bool magnitude = false;                 ///< shows |v| of q16 values
  int32_t max_width = 0, max_height = 0;  ///< shrinks to fit by area averaging; 0: full size
};

/// A stage's tensor as people see it: 8 bits a sample, [height, width, channels] as the pixels they are, q16
/// [planes, height, width] as grey or, with three planes, as colour.
[[nodiscard]] Result<Image> picture(const Tensor& tensor, const PictureOptions& options);

/// The same picture with four channels, for a canvas.
[[nodiscard]] Result<Image> to_rgba(const Image& image);

}  // namespace bitexact::bridge
