#pragma once
#include <array>
#include <limits>

#include "bitexact/ops.h"
#include "bitexact/status.h"
#include "kernels/kernels.h"

namespace bitexact {

/// Kernels count positions in 32 bits.
inline constexpr int64_t kMaxPosition = std::numeric_limits<int32_t>::max();

/// One spatial axis after ARITHMETIC 4: output size, padding before, and where the declared padding ends (input +
/// after).
struct Axis {
  int64_t out = 0, before = 0, padded_end = 0;
};

/// An axis of 4-D data in logical order, whatever the layout. A size of -1 is unknown.
struct Dims {
  int64_t n, c, h, w;
};
[[nodiscard]] Result<Dims> dims_of(const Shape& shape, Layout layout);
[[nodiscard]] Shape shape_of(const Dims& dims, Layout layout);

/// ARITHMETIC 4 along height (axis 0) and width (axis 1). `pooling` accepts windows larger than the input under VALID.
[[nodiscard]] Result<std::array<Axis, 2>> place_window(const Dims& in, std::array<int64_t, 2> kernel,
                                                       const WindowAttrs& attrs, bool pooling);

/// The same as kernels take it. Sizes are known and every position fits an int32, else `too_large`.
[[nodiscard]] Result<WindowParams> window_params(const Dims& in, std::array<int64_t, 2> kernel,
                                                 const WindowAttrs& attrs, const std::array<Axis, 2>& axes);

}  // namespace bitexact
