#pragma once
#include "bitexact/status.h"
#include "kernels/kernels.h"

namespace bitexact {

/// As numpy: aligned at the ends, 1 stretches. An unknown dimension (-1) stays unknown against 1 and becomes any other.
[[nodiscard]] Result<Shape> broadcast_shapes(const Shape& a, const Shape& b);

/// Strides of `a` and `b` along the dimensions of `out`, the known shape they broadcast to. `dims` are all 0 when it is
/// empty, so that a walk ends at once whatever its other dimensions are.
[[nodiscard]] BinaryParams binary_params(const Shape& a, const Shape& b, const Shape& out, const Activation& act);

}  // namespace bitexact
