#pragma once
#include "bitexact/ops.h"
#include "bitexact/status.h"
#include "bitexact/tensor.h"

namespace bitexact {

/// The output shape of max_pool2d and avg_pool2d (ARITHMETIC 4) before any data exist. -1 in `shape` is an unknown
/// dimension, and so it is in the result. An attribute out of range is `argument`, a shape that is not of rank 4 or
/// that no window fits is `shape`.
[[nodiscard]] Result<Shape> infer_pool_shape(const Shape& shape, const Pool2dAttrs& attrs);

}  // namespace bitexact
