#include "ops/axis.h"

namespace bitexact {

Result<size_t> axis_of(int64_t axis, size_t rank) {
  const auto n = static_cast<int64_t>(rank);
  if (axis >= -n && axis < n) return static_cast<size_t>(axis < 0 ? axis + n : axis);
  return error(Code::argument, "axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank));
}

AxisParams axis_params(const Shape& shape, size_t axis) {
  if (element_count(shape) == size_t{0}) return {};
  AxisParams p{1, static_cast<ptrdiff_t>(shape[axis]), 1, DType::q16, false};
  for (size_t i = 0; i < axis; ++i) p.outer *= static_cast<ptrdiff_t>(shape[i]);
  for (size_t i = axis + 1; i < shape.rank(); ++i) p.inner *= static_cast<ptrdiff_t>(shape[i]);
  return p;
}

}  // namespace bitexact
