#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bitexact/ops.h"
#include "bitexact/status.h"
#include "bitexact/tensor.h"

namespace bitexact {

/// The attributes of CANN's operator MaxPoolExt2 in its own spelling: max_pool2d behind a stricter door. Lists have one
/// element for each axis of `data_format`.
struct MaxPoolExt2Attrs {
  std::vector<int64_t> ksize;        ///< 1 for batch and channels, above 0 for height and width
  std::vector<int64_t> strides;      ///< likewise
  std::string padding;               ///< "SAME" (SAME_UPPER) or "VALID"
  std::string data_format = "NHWC";  ///< or "NCHW"
};

/// The same attributes as max_pool2d takes them. What the operator's specification does not allow is `argument`, and
/// the message names the attribute, its value and what is allowed. NaN taps are ignored.
[[nodiscard]] Result<Pool2dAttrs> max_pool_ext2_attrs(const MaxPoolExt2Attrs& attrs);

/// Checks the attributes and x, and gives the type of y: x's dtype, rank 4. Only f16 f32 i8 i16 i32 i64 u8 u16 are
/// taken, else `unsupported`; a rank other than 4 is `shape`. -1 is an unknown dimension, and `[-2]` an unknown rank,
/// whose result is `[-1, -1, -1, -1]`. A batch or channel count of 0 stays; a height or width is 0 when x's is, or when
/// padding is VALID and the window is larger than x. Such a y is legal and has no elements.
///
/// To compute y, check with this function and run max_pool2d with `max_pool_ext2_attrs`.
[[nodiscard]] Result<TensorType> infer_max_pool_ext2(const TensorType& x, const MaxPoolExt2Attrs& attrs);

}  // namespace bitexact
