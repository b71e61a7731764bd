#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bitexact/ops.h"

namespace bitexact {

/// The sliding window of convolution and pooling along both axes, checked by ops/geometry: no position overflows int32.
struct WindowParams {
  int32_t in_h, in_w, out_h, out_w;
  int32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int32_t pad_top, pad_left;
};

/// Of convolutions and their transposes. There input row iy adds to output row iy * stride + ky * dilation - pad_top:
/// `pad` is what is cut off the full output.
struct ConvParams {
  WindowParams window;
  Layout layout;
  int32_t batch, in_c, out_c, groups;
  Activation act;
  bool has_bias;
};

/// With i16 weights and i64 bias. The power of two of each output channel, or one for all; into the node's attributes.
struct ScaledConvParams {
  ConvParams conv;
  const int32_t* shift;
  bool per_channel;
};

struct PoolParams {
  WindowParams window;
  Layout layout;
  int32_t batch, channels;
  int32_t padded_h, padded_w;  ///< where the declared padding ends: counted by count_include_pad below here
  bool count_include_pad, propagate_nan;
  Activation act;
};

/// Pointers are into the node's attributes.
struct RequantParams {
  Requant rule;
  int32_t input_zero, weight_zero, output_zero;
  const int32_t* multiplier;
  const int32_t* shift;
  const uint32_t* scale;  ///< bits of binary32
  bool per_channel;
  bool wide_bias;  ///< int64 bias: the reduced 16-bit multiplier
};

/// A fully connected layer is a convolution of 1x1 pictures.
struct QConvParams {
  ConvParams conv;
  DType weights;  ///< i8 or u8
  RequantParams requant;
};

struct QuantizeParams {
  size_t count;
  uint32_t scale;
  int32_t zero;
  DType output;
  bool ties_away;
};

/// Zeros that repeat, or 0 where there are none (null); into the node's attributes.
struct Zeros {
  const int32_t* zero;
  ptrdiff_t count;  ///< at least 1
  [[nodiscard]] int32_t operator[](ptrdiff_t i) const noexcept { return zero == nullptr ? 0 : zero[i % count]; }
};

/// Index i of the axis has scale `[i * scale_step]`.
struct DequantizeParams {
  ptrdiff_t outer, axis, inner;
  const uint32_t* scale;
  ptrdiff_t scale_step;
  Zeros zero;
};

struct RequantizeParams {
  size_t count;
  DType output;
  RequantParams requant;
};

/// `[rows, depth] x [cols, depth]^T`.
struct DenseParams {
  ptrdiff_t rows, cols, depth;
  Activation act;
  bool has_bias;
};

/// One operator on each of `count` elements. alpha, beta: leaky_relu, hard_sigmoid.
struct EltwiseParams {
  size_t count;
  int32_t alpha, beta;
  Activation act;
};

/// Of any rank, padded with ones in front.
using Dims6 = std::array<ptrdiff_t, Shape::kMaxRank>;

/// The elements of an output in row-major order, and where an input's are: `in[offset + sum of index * stride]`.
/// A stride of 0 repeats, a negative one goes backwards.
struct StridedParams {
  Dims6 dims, stride;
  ptrdiff_t offset;
  size_t element_bytes;
};

/// The input's dimensions, and which of them end.
struct ReduceParams {
  Dims6 dims;
  std::array<bool, Shape::kMaxRank> reduced;
};

struct QMeanParams {
  ReduceParams reduce;
  RequantParams requant;
  Activation act;
};

/// `count` elements of each channel of each picture: `in[n * of_n + c * of_c + i * of_i]`. At most 2^20 of them.
struct InstanceNormParams {
  ptrdiff_t batch, channels, count, of_n, of_c, of_i;
  int64_t epsilon;
};

/// Strides of both inputs along the output's dimensions; 0 where one is broadcast.
struct BinaryParams {
  Dims6 dims, a, b;
  Activation act;
};

struct QBinaryParams {
  BinaryParams binary;
  const QBinaryAttrs* attrs;
};

/// Batches of `[m, k] x [k, n]`: `dims` are the batch dimensions, a and b the strides of theirs.
struct MatmulParams {
  Dims6 dims, a, b;
  ptrdiff_t m, k, n;
};

/// Sums of 8-bit products, which are the output.
struct Conv2dIntegerParams {
  ConvParams conv;
  DType weights;  ///< i8 or u8
  int32_t input_zero;
  Zeros weight_zero;  ///< of each output channel
};

/// Rows of a and columns of b count through all their matrices.
struct MatmulIntegerParams {
  MatmulParams matmul;
  DType b;  ///< i8 or u8
  Zeros row_zero, column_zero;
};

/// `outer` runs of `axis` elements that lie `inner` apart.
struct AxisParams {
  ptrdiff_t outer, axis, inner;
  DType output;      ///< argmax, q_softmax
  bool select_last;  ///< argmax
};

struct QSoftmaxParams {
  AxisParams axis;
  int32_t input_multiplier, input_left_shift, diff_min;
};

struct QCurveParams {
  size_t count;
  int32_t input_zero, input_multiplier, input_left_shift;
  int32_t radius;  ///< i8: inputs so far from their zero, or further, give the ends
};

/// Input i fills `rows` pieces of `piece[i]` bytes, one in each `row_bytes` of the output.
struct ConcatParams {
  size_t rows, row_bytes, count;
  const size_t* piece;  ///< in `Prepare::kept`
};

struct PadParams {
  Dims6 in, out, before;
  PadAttrs::Mode mode;
  int64_t value;
  size_t element_bytes;
};

struct ResizeParams {
  Layout layout;
  int32_t batch, channels, in_h, in_w, out_h, out_w;
  ResizeAttrs::Mode mode;
  ResizeAttrs::Coordinates coordinates;
  ResizeAttrs::Rounding rounding;
  size_t element_bytes;
};

/// What a kernel sees: everything is checked and decided. The C API has it on the stack of a microcontroller, so
/// parameters that it does not need and that are large lie elsewhere (`Prepare::kept`). While a plan is prepared `in`
/// holds the constants, and null for what a run computes.
struct Args {
  union {
    ConvParams conv;
    ScaledConvParams scaled_conv;
    PoolParams pool;
    QConvParams q_conv;
    DenseParams dense;
    EltwiseParams eltwise;
    StridedParams strided;
    const BinaryParams* binary;
    const QBinaryParams* q_binary;
    const MatmulParams* matmul;
    AxisParams axis;
    QSoftmaxParams q_softmax;
    QCurveParams q_curve;
    ConcatParams concat;
    const PadParams* pad;
    ResizeParams resize;
    QuantizeParams quantize;
    DequantizeParams dequantize;
    RequantizeParams requantize;
    ReduceParams reduce;
    QMeanParams q_mean;
    InstanceNormParams instance_norm;
    Conv2dIntegerParams conv2d_integer;
    const MatmulIntegerParams* matmul_integer;
  };
  const void* const* in;
  void* out;
  const std::byte* packed;  ///< what `Kernel::pack` made
};

using DTypes = uint16_t;
[[nodiscard]] constexpr DTypes only(DType t) noexcept { return static_cast<DTypes>(1u << static_cast<unsigned>(t)); }
inline constexpr DTypes kAnyDType = 0x1ff;
inline constexpr DTypes kIntegers = kAnyDType & ~(only(DType::f16) | only(DType::f32));  ///< with q16

/// A kernel is one line in a table. That line makes it selectable, comparable with the reference, listed and
/// benchmarked. It is chosen when it takes the dtype of the first input, its accumulator holds what prepare proved
/// to be needed, and it accepts the parameters.
struct Kernel {
  const char* name;
  Op op;
  DTypes dtypes;
  int accumulator_bits;  ///< 0: it sums nothing
  void (*run)(const Args&) noexcept;
  bool (*accepts)(const Args&) noexcept = nullptr;  ///< null: always
  /// Rearranges constants once, at prepare: how many bytes it needs, and the work. Null: nothing.
  size_t (*packed_bytes)(const Args&) noexcept = nullptr;
  void (*pack)(const Args&, std::byte*) noexcept = nullptr;
};

[[nodiscard]] std::span<const Kernel> reference_kernels() noexcept;
[[nodiscard]] std::span<const Kernel> simd_kernels() noexcept;  ///< empty in builds without Highway

}  // namespace bitexact
