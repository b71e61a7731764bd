#include "ops/broadcast.h"

#include <algorithm>

namespace bitexact {
namespace {

// Dimension i of a shape that is filled up with ones in front.
int64_t padded(const Shape& s, size_t rank, size_t i) { return i + s.rank() < rank ? 1 : s[i + s.rank() - rank]; }

// Unsigned, since the product may wrap where another dimension is 0 and nothing is ever read.
Dims6 strides_along(const Shape& s) {
  Dims6 strides{};
  uint64_t step = 1;
  for (size_t i = Shape::kMaxRank; i-- > 0;) {
    const int64_t d = padded(s, Shape::kMaxRank, i);
    strides[i] = d == 1 ? 0 : static_cast<ptrdiff_t>(step);
    step *= static_cast<uint64_t>(d);
  }
  return strides;
}

}  // namespace

Result<Shape> broadcast_shapes(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.rank(), b.rank());
  Shape out;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t x = padded(a, rank, i), y = padded(b, rank, i);
    if (x == y || y == 1)
      out.push_back(x);
    else if (x == 1)
      out.push_back(y);
    else if (x == -1 || y == -1)
      out.push_back(std::max(x, y));
    else
      return error(Code::shape, a.text() + " and " + b.text() + " do not broadcast");
  }
  return out;
}

BinaryParams binary_params(const Shape& a, const Shape& b, const Shape& out, const Activation& act) {
  BinaryParams p{{}, strides_along(a), strides_along(b), act};
  if (element_count(out) != size_t{0})
    for (size_t i = 0; i < p.dims.size(); ++i) p.dims[i] = static_cast<ptrdiff_t>(padded(out, Shape::kMaxRank, i));
  return p;
}

}  // namespace bitexact
