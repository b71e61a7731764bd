#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "bitexact/tensor.h"

namespace bitexact {

/// Operators. Names in vectors, receipts and models are the same words (`op_name`). What each computes, with the
/// spelling of its inputs and attributes: core/OPERATORS.md.
enum class Op : uint8_t {
  conv2d,
  conv_transpose2d,
  fully_connected,
  matmul,
  batch_norm,
  max_pool2d,
  avg_pool2d,
  q_conv2d,
  q_fully_connected,
  q_add,
  q_mul,
  q_softmax,
  q_sigmoid,
  q_tanh,
  relu,
  clamp,
  leaky_relu,
  prelu,
  hard_sigmoid,
  hard_swish,
  exp,
  sigmoid,
  tanh,
  softmax,
  add,
  sub,
  mul,
  div,
  maximum,
  minimum,
  concat,
  pad,
  transpose,
  reshape,
  slice,
  resize,
  depth_to_space,
  argmax,
  argmin,
  conv2d_w16,
  conv_transpose2d_w16,
  fully_connected_w16,
  quantize,
  dequantize,
  requantize,
  q_mean,
  reduce_sum,
  reduce_mean,
  reduce_max,
  reduce_min,
  abs,
  neg,
  expand,
  space_to_depth,
  instance_norm,
  conv2d_integer,
  matmul_integer,
};
[[nodiscard]] const char* op_name(Op op) noexcept;
[[nodiscard]] std::optional<Op> op_from_name(std::string_view name) noexcept;

/// Bounds of the activation that ends an operator, in units of the output: RELU6 of a q16 tensor is 0 and 6 * 65536.
/// Beyond the output's dtype they do nothing.
struct Activation {
  int32_t min = std::numeric_limits<int32_t>::min(), max = std::numeric_limits<int32_t>::max();
};

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
  Activation act;
};

/// Inputs: data, weights (nhwc: [O, H, W, I / groups]; nchw: [I, O / groups, H, W]), optional bias [O].
/// ONNX ConvTranspose-11, TFLite TRANSPOSE_CONV.
struct ConvTranspose2dAttrs {
  Layout layout = Layout::nhwc;
  std::array<int64_t, 2> stride{1, 1}, dilation{1, 1};
  Padding pad;  ///< what is cut off the full output; FULL is not legal here
  std::array<int64_t, 2> output_padding{0, 0};
  std::array<int64_t, 2> output_size{0, 0};  ///< 0: from the other attributes
  int64_t groups = 1;
  Activation act;
};

/// Input: data. ONNX MaxPool-12, AveragePool-19, GlobalMaxPool-1, GlobalAveragePool-1, TFLite MAX_POOL_2D and
/// AVERAGE_POOL_2D; ARITHMETIC 5.
struct Pool2dAttrs {
  Layout layout = Layout::nhwc;
  std::array<int64_t, 2> kernel{1, 1};
  WindowAttrs window;
  bool global = false;  ///< one window over the whole input; kernel and window are then not looked at
  bool count_include_pad = false;
  bool propagate_nan = false;
  Activation act;
};

/// How an integer accumulator becomes an output; ARITHMETIC 7.
enum class Requant : uint8_t { tflm, xnnpack };

/// Of quantized tensors: real = scale * (q - zero). `multiplier` and `shift` (tflm; a positive shift goes left) or
/// `scale` (xnnpack; binary32 bit patterns) have one element, or one for each output channel.
struct QuantAttrs {
  Requant rule = Requant::tflm;
  int32_t input_zero = 0, weight_zero = 0, output_zero = 0;
  std::vector<int32_t> multiplier, shift;
  std::vector<uint32_t> scale;
};

/// Inputs: data (i8, u8, i16), weights (i8, u8; OHWI or OIHW), optional bias [O] (i32; i64 with i16 data selects the
/// reduced 16-bit multiplier). TFLite CONV_2D and DEPTHWISE_CONV_2D, ONNX QLinearConv-10.
struct QConv2dAttrs {
  Layout layout = Layout::nhwc;
  WindowAttrs window;
  int64_t groups = 1;
  QuantAttrs quant;
  Activation act;
};

/// Inputs: data [N, K], weights [M, K], optional bias [M]; dtypes as QConv2dAttrs. TFLite FULLY_CONNECTED.
struct QFullyConnectedAttrs {
  QuantAttrs quant;
  Activation act;
};

/// Inputs: in, b (i8, u8 or i16 alike; broadcast). TFLite ADD and MUL. A shift above 0 goes left.
struct QBinaryAttrs {
  struct Scaled {
    int32_t zero = 0, multiplier = 0, shift = 0;
  };
  Requant rule = Requant::tflm;
  Scaled in, b, output;    ///< q_mul under tflm uses no multiplier of its inputs
  int32_t left_shift = 0;  ///< q_add: of both inputs, before they are scaled (TFLite: 20, or 15 for i16); under xnnpack
                           ///< the shift of the sum, and `output` has a zero only
  Activation act;
};

/// Input: data (i8, u8, i16), over the last axis. TFLite SOFTMAX with its prepared integers.
struct QSoftmaxAttrs {
  int32_t input_multiplier = 0, input_left_shift = 0, diff_min = 0;
  DType output = DType::i8;  ///< i8, u8 or i16
};

/// Input: data (i8, i16). TFLite LOGISTIC (zero -128 and scale 1/256, of i16 0 and 1/32768) and TANH (zero 0, scale
/// 1/128, 1/32768), with their prepared integers. i8: `input_multiplier` and `input_left_shift` of `q_add`'s kind make
/// Q4.27. i16: `in * input_multiplier / 2^input_left_shift` makes 1/12288ths; `input_zero` is 0.
struct QCurveAttrs {
  int32_t input_zero = 0, input_multiplier = 0, input_left_shift = 0;
};

/// Input: data [N, K], weights [M, K], optional bias [M]. ONNX Gemm-13 with transB, TFLite FULLY_CONNECTED.
struct FullyConnectedAttrs {
  Activation act;
};

/// Inputs: data, scale [C], bias [C]: batch normalisation in its folded form. ONNX BatchNormalization-15.
struct BatchNormAttrs {
  int64_t axis = -1;
};

struct LeakyReluAttrs {
  int32_t alpha = 0;  ///< q16
};

/// Input: data, any integer dtype or q16. ONNX Clip-13, TFLite RELU6, RELU_N1_TO_1.
struct ClampAttrs {
  Activation act;
};

/// max(0, min(1, alpha * x + beta)). ONNX HardSigmoid-6.
struct HardSigmoidAttrs {
  int32_t alpha = 13107, beta = 32768;  ///< q16
};

/// softmax, ONNX-13. As i8 (zero -128) or u8 (zero 0) of scale 1/256 it is LiteRT's of quantized tensors.
struct SoftmaxAttrs {
  int64_t axis = -1;
  DType output = DType::q16;
};

/// add, sub, mul, div, maximum, minimum: in and b, which broadcast as ONNX and numpy do.
struct BinaryAttrs {
  Activation act;
};

/// ONNX Concat-13, TFLite CONCATENATION. Any number of inputs.
struct ConcatAttrs {
  int64_t axis = 0;
};

/// ONNX Pad-13, TFLite PAD, PADV2 and MIRROR_PAD (REFLECT). `pads` holds the beginnings of all axes, then the ends.
struct PadAttrs {
  enum class Mode : uint8_t { constant, edge, reflect };
  std::vector<int64_t> pads;
  Mode mode = Mode::constant;
  int64_t value = 0;  ///< of constant; bits for f16 and f32
};

/// ONNX Transpose-13: axis i of the output is axis perm[i] of the input. Empty: the axes reversed.
struct TransposeAttrs {
  std::vector<int64_t> perm;
};

/// ONNX Reshape-5: 0 keeps the input's dimension, one -1 takes what is left.
struct ReshapeAttrs {
  std::vector<int64_t> shape;
};

/// ONNX Slice-13, TFLite STRIDED_SLICE. Empty axes: the first ones; empty steps: 1.
struct SliceAttrs {
  std::vector<int64_t> starts, ends, axes, steps;
};

/// ONNX Resize-11, TFLite RESIZE_NEAREST_NEIGHBOR and RESIZE_BILINEAR. Scales are the exact ratios of the sizes.
struct ResizeAttrs {
  enum class Mode : uint8_t { nearest, bilinear };
  enum class Coordinates : uint8_t { half_pixel, asymmetric, align_corners, pytorch_half_pixel };
  enum class Rounding : uint8_t { round_prefer_floor, round_prefer_ceil, floor, ceil };
  Layout layout = Layout::nhwc;
  std::array<int64_t, 2> size{0, 0};  ///< output height and width
  Mode mode = Mode::nearest;
  Coordinates coordinates = Coordinates::half_pixel;
  Rounding rounding = Rounding::round_prefer_floor;  ///< of nearest
};

/// ONNX DepthToSpace-13; dcr is also TFLite's DEPTH_TO_SPACE.
struct DepthToSpaceAttrs {
  enum class Mode : uint8_t { dcr, crd };
  Layout layout = Layout::nhwc;
  int64_t block = 1;
  Mode mode = Mode::dcr;
};

/// ONNX ArgMax-13, TFLite ARG_MAX. Any integer dtype or q16.
struct ArgmaxAttrs {
  int64_t axis = 0;
  bool keepdims = true;
  bool select_last = false;   ///< of equal elements
  DType output = DType::i64;  ///< i64 or i32
};

/// Of a model from floating point (ARITHMETIC 9): weights i16, bias i64, and the power of two of each output channel
/// (or one for all), 0 to 30.
struct ScaledConv2dAttrs {
  Conv2dAttrs conv;
  std::vector<int32_t> weight_shift;
};
struct ScaledConvTranspose2dAttrs {
  ConvTranspose2dAttrs conv;
  std::vector<int32_t> weight_shift;
};
struct ScaledFullyConnectedAttrs {
  Activation act;
  std::vector<int32_t> weight_shift;
};

/// q16 to integers. ONNX QuantizeLinear-13, TFLite QUANTIZE.
struct QuantizeAttrs {
  uint32_t scale = 0x3f800000;  ///< bits of binary32
  int32_t zero = 0;
  DType output = DType::i8;
  bool ties_away = false;  ///< TFLite; ONNX rounds ties to even
};

/// Integers to q16. One scale and zero, or one for each index of `axis`. ONNX DequantizeLinear-13, TFLite DEQUANTIZE.
struct DequantizeAttrs {
  std::vector<uint32_t> scale;  ///< bits of binary32
  std::vector<int32_t> zero;
  int64_t axis = 0;
};

/// Integers to integers of another scale. TFLite QUANTIZE.
struct RequantizeAttrs {
  QuantAttrs quant;
  DType output = DType::i8;
};

/// TFLite MEAN of quantized tensors.
struct QMeanAttrs {
  std::vector<int64_t> axes;
  bool keepdims = true;
  QuantAttrs quant;
  Activation act;
};

/// ONNX ReduceSum-13, ReduceMean-18, ReduceMax-18, ReduceMin-18. Empty axes: all.
struct ReduceAttrs {
  std::vector<int64_t> axes;
  bool keepdims = true;
};

/// ONNX Expand-13.
struct ExpandAttrs {
  std::vector<int64_t> shape;
};

/// ONNX SpaceToDepth-13, TFLite SPACE_TO_DEPTH.
struct SpaceToDepthAttrs {
  Layout layout = Layout::nhwc;
  int64_t block = 1;
};

/// ONNX InstanceNormalization-6.
struct InstanceNormAttrs {
  Layout layout = Layout::nhwc;
  int64_t epsilon = 0;  ///< real * 2^32
};

/// Inputs: data and weights (i8, u8; OHWI or OIHW); the sums themselves, i32. `weight_zero` is empty (0), or has one
/// element, or one for each output channel. ONNX ConvInteger-10.
struct Conv2dIntegerAttrs {
  Layout layout = Layout::nhwc;
  WindowAttrs window;
  int64_t groups = 1;
  int32_t input_zero = 0;
  std::vector<int32_t> weight_zero;
};

/// Inputs: in [.., M, K] and b [.., K, N] (i8, u8), which broadcast as matmul's; the sums themselves, i32. Zeros of
/// rows of `in` and of columns of `b`: none (0), one, one for each of a matrix, or of all matrices. ONNX
/// MatMulInteger-10.
struct MatmulIntegerAttrs {
  std::vector<int32_t> input_zero, b_zero;
};

using Attrs =
    std::variant<std::monostate, Conv2dAttrs, ConvTranspose2dAttrs, Pool2dAttrs, QConv2dAttrs, QFullyConnectedAttrs,
                 QBinaryAttrs, QSoftmaxAttrs, QCurveAttrs, FullyConnectedAttrs, BatchNormAttrs, LeakyReluAttrs,
                 ClampAttrs, HardSigmoidAttrs, SoftmaxAttrs, BinaryAttrs, ConcatAttrs, PadAttrs, TransposeAttrs,
                 ReshapeAttrs, SliceAttrs, ResizeAttrs, DepthToSpaceAttrs, ArgmaxAttrs, ScaledConv2dAttrs,
                 ScaledConvTranspose2dAttrs, ScaledFullyConnectedAttrs, QuantizeAttrs, DequantizeAttrs, RequantizeAttrs,
                 QMeanAttrs, ReduceAttrs, ExpandAttrs, SpaceToDepthAttrs, InstanceNormAttrs, Conv2dIntegerAttrs,
                 MatmulIntegerAttrs>;

}  // namespace bitexact
