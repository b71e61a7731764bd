#pragma once
#include "bitexact/status.h"
#include "kernels/kernels.h"

namespace bitexact {

/// The axis that an attribute names, counted from 0; from the back when it is negative. `argument` when there is none.
[[nodiscard]] Result<size_t> axis_of(int64_t axis, size_t rank);

/// The runs along one axis of a known shape; all 0 when it has no elements.
[[nodiscard]] AxisParams axis_params(const Shape& shape, size_t axis);

}  // namespace bitexact
