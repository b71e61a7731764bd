#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <variant>

#include "bitexact/tensor.h"

namespace bitexact {

/// Operators. Names in vectors, receipts and models are the same words (`op_name`).
enum class Op : uint8_t { conv2d, max_pool2d, avg_pool2d, relu, leaky_relu };
[[nodiscard]] const char* op_name(Op op) noexcept;

/// ARITHMETIC 4. same_upper is TFLite's and CANN's SAME.
enum class Pad : uint8_t { valid, same_upper, same_lower, full, explicit_ };
[[nodiscard]] const char* pad_name(Pad pad) noexcept;

struct Padding {
  Pad kind = Pad::valid;
  int64_t top = 0, left = 0, bottom = 0, right = 0;  ///< of explicit_
};

/// What both convolution and pooling slide. Pairs are (vertical, horizontal).
struct WindowAttrs {
  std::array<int64_t, 2> stride{1, 1}, dilation{1, 1};
  Padding pad;
  bool ceil_mode = false;
};

/// Inputs: data, weights (OHWI or OIHW), optional bias [O]. ONNX Conv-11, TFLite CONV_2D and DEPTHWISE_CONV_2D;
/// ARITHMETIC 6.
struct Conv2dAttrs {
  Layout layout = Layout::nhwc;
  WindowAttrs window;
  int64_t groups = 1;
  int32_t act_min = std::numeric_limits<int32_t>::min(), act_max = std::numeric_limits<int32_t>::max();
};

/// Input: data. ONNX MaxPool-12 and AveragePool-19, TFLite MAX_POOL_2D and AVERAGE_POOL_2D; ARITHMETIC 5.
struct Pool2dAttrs {
  Layout layout = Layout::nhwc;
  std::array<int64_t, 2> kernel{1, 1};
  WindowAttrs window;
  bool count_include_pad = false;
  bool propagate_nan = false;
  int32_t act_min = std::numeric_limits<int32_t>::min(), act_max = std::numeric_limits<int32_t>::max();
};

struct LeakyReluAttrs {
  int32_t alpha = 0;  ///< q16
};

using Attrs = std::variant<std::monostate, Conv2dAttrs, Pool2dAttrs, LeakyReluAttrs>;

}  // namespace bitexact
