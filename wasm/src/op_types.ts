import type { Padding, Tensor, TensorType } from './types.js';

// What core/OPERATORS.md says, as types. Absent attributes have the default given here. Integers may be bigints where a
// number cannot hold them.

type Int = number | bigint;
/** [vertical, horizontal] */
type Pair = readonly [number, number];
/** Order of the axes of images; weights are [O, H, W, I] for NHWC and [O, I, H, W] for NCHW unless the operator says otherwise. */
export type Layout = 'NHWC' | 'NCHW';

export interface Clamp {
  /** The output is clamped last, in its own units (of q16: 65536ths). Absent: not clamped. */
  readonly act_min?: number;
  readonly act_max?: number;
}

interface Window {
  /** default 'NHWC' */
  readonly layout?: Layout;
  /** default [1, 1] */
  readonly stride?: Pair;
  /** default [1, 1] */
  readonly dilation?: Pair;
  /** default 'VALID' */
  readonly pad?: Padding;
}

export interface Conv2dAttributes extends Window, Clamp {
  /** default 1; as many as the input has channels is a depthwise convolution */
  readonly groups?: number;
}

export interface ConvTranspose2dAttributes extends Conv2dAttributes {
  /** What is cut off the full output; not 'FULL'. */
  readonly pad?: Exclude<Padding, 'FULL'>;
  /** default [0, 0]; below the larger of stride and dilation */
  readonly output_padding?: Pair;
  /** default [0, 0]: from the other attributes */
  readonly output_size?: Pair;
}

/** The clamp is for q16, i8, u8 and i16. */
export interface AvgPool2dAttributes extends Window, Clamp {
  /** default [1, 1] */
  readonly kernel?: Pair;
  /** default false: as many windows as fit; true: the last may begin inside and end outside */
  readonly ceil_mode?: boolean;
  /** default false; one window over the whole input, then kernel, stride, dilation and pad are ignored */
  readonly global?: boolean;
  /** default false; whether padding counts in the divisor */
  readonly count_include_pad?: boolean;
}

export interface MaxPool2dAttributes extends Omit<AvgPool2dAttributes, 'count_include_pad'> {
  /** default 'ignore'; of f16 and f32 */
  readonly nan?: 'ignore' | 'propagate';
}

/** Lists have one number for each axis of `data_format`. */
export interface MaxPoolExt2Attributes {
  readonly ksize: readonly number[];
  readonly strides: readonly number[];
  readonly padding: 'SAME' | 'VALID';
  /** default 'NHWC' */
  readonly data_format?: Layout;
}

/** How a sum becomes an output: real = scale * (q - zero). Lists have one number, or one for each output channel. */
export interface Quantization {
  /** default 'tflm' */
  readonly rule?: 'tflm' | 'xnnpack';
  /** default 0 */
  readonly input_zero?: number;
  /** default 0 */
  readonly weight_zero?: number;
  /** default 0 */
  readonly output_zero?: number;
  /** tflm: Q31 multipliers */
  readonly multiplier?: readonly number[];
  /** tflm: above 0 goes left */
  readonly shift?: readonly number[];
  /** xnnpack: the bits of binary32 numbers, unsigned */
  readonly scale?: readonly number[];
}

export interface QConv2dAttributes extends Conv2dAttributes, Quantization {}
export interface QFullyConnectedAttributes extends Quantization, Clamp {}

/** TFLite's prepared integers. A shift above 0 goes left. All are 0 by default. */
interface QBinary extends Clamp {
  readonly input_zero?: number;
  readonly b_zero?: number;
  readonly output_zero?: number;
  readonly output_multiplier?: number;
  readonly output_shift?: number;
}

export interface QMulAttributes extends QBinary {
  readonly rule?: 'tflm';
}

export interface QAddAttributes extends QBinary {
  /** default 'tflm' */
  readonly rule?: 'tflm' | 'xnnpack';
  /** tflm: of both inputs before they are scaled (TFLite: 20, of i16 15); xnnpack: of the sum, at least 1 */
  readonly left_shift?: number;
  readonly input_multiplier?: number;
  readonly input_shift?: number;
  readonly b_multiplier?: number;
  readonly b_shift?: number;
}

/** TFLite's prepared integers, all 0 by default. */
export interface QSoftmaxAttributes {
  readonly input_multiplier?: number;
  readonly input_left_shift?: number;
  /** at most 0 */
  readonly diff_min?: number;
  /** default 'i8' */
  readonly output_dtype?: 'i8' | 'u8' | 'i16';
}

export interface BatchNormAttributes {
  /** of the channels, counted from 0, or from -1 backwards; default -1 */
  readonly axis?: number;
}

export interface SoftmaxAttributes {
  /** counted from 0, or from -1 backwards; default -1 */
  readonly axis?: number;
}

export interface ConcatAttributes {
  /** counted from 0, or from -1 backwards; default 0 */
  readonly axis?: number;
}

export interface LeakyReluAttributes {
  /** q16; default 0 */
  readonly alpha?: number;
}

export interface HardSigmoidAttributes {
  /** q16; default 13107 (0.2) */
  readonly alpha?: number;
  /** q16; default 32768 (0.5) */
  readonly beta?: number;
}

export interface PadAttributes {
  /** The beginnings of all axes, then their ends; each at least 0. */
  readonly pads: readonly number[];
  /** default 'constant'; 'reflect' takes pads below the dimension */
  readonly mode?: 'constant' | 'edge' | 'reflect';
  /** of 'constant', default 0; bits for f16 and f32 */
  readonly value?: Int;
}

export interface TransposeAttributes {
  /** Output axis i is input axis perm[i]; absent or empty: the axes reversed. */
  readonly perm?: readonly number[];
}

export interface ReshapeAttributes {
  /** 0 copies the input's dimension, one -1 takes what is left. */
  readonly shape: readonly number[];
}

/** Negative positions count from the end, then all are clamped. */
export interface SliceAttributes {
  readonly starts: readonly Int[];
  readonly ends: readonly Int[];
  /** default 0, 1, ... */
  readonly axes?: readonly number[];
  /** default 1, never 0 */
  readonly steps?: readonly Int[];
}

export interface ResizeAttributes {
  /** default 'NHWC' */
  readonly layout?: Layout;
  /** [height, width], each at least 1 */
  readonly size: Pair;
  /** default 'nearest'; 'bilinear' takes q16 only */
  readonly mode?: 'nearest' | 'bilinear';
  /** default 'half_pixel' */
  readonly coordinates?: 'half_pixel' | 'asymmetric' | 'align_corners' | 'pytorch_half_pixel';
  /** of 'nearest'; default 'round_prefer_floor' */
  readonly rounding?: 'round_prefer_floor' | 'round_prefer_ceil' | 'floor' | 'ceil';
}

export interface DepthToSpaceAttributes {
  /** default 'NHWC' */
  readonly layout?: Layout;
  /** default 1 */
  readonly block?: number;
  /** default 'DCR' */
  readonly mode?: 'DCR' | 'CRD';
}

export interface ArgmaxAttributes {
  /** counted from 0, or from -1 backwards; default 0 */
  readonly axis?: number;
  /** default true */
  readonly keepdims?: boolean;
  /** of equal elements; default false */
  readonly select_last?: boolean;
  /** default 'i64' */
  readonly output_dtype?: 'i64' | 'i32';
}

/** One number, or one for each output channel; the power of two of its weights, 0 to 30. */
interface ScaledWeights {
  readonly weight_shift: readonly number[];
}
export interface Conv2dW16Attributes extends Conv2dAttributes, ScaledWeights {}
export interface ConvTranspose2dW16Attributes extends ConvTranspose2dAttributes, ScaledWeights {}
export interface FullyConnectedW16Attributes extends Clamp, ScaledWeights {}

export interface QuantizeAttributes {
  /** the bits of a binary32 number, unsigned; default 1.0 */
  readonly scale?: number;
  /** default 0 */
  readonly zero?: number;
  /** default 'i8' */
  readonly output_dtype?: 'i8' | 'u8' | 'i16';
  /** default 'even', as ONNX; 'away' from zero, as TFLite */
  readonly ties?: 'even' | 'away';
}

export interface DequantizeAttributes {
  /** the bits of binary32 numbers, unsigned: one, or one for each index of `axis` */
  readonly scale: readonly number[];
  /** as many, or absent: 0 */
  readonly zero?: readonly number[];
  /** counted from 0, or from -1 backwards; default 0 */
  readonly axis?: number;
}

export interface RequantizeAttributes extends Omit<Quantization, 'weight_zero'> {
  /** default 'i8' */
  readonly output_dtype?: 'i8' | 'u8' | 'i16';
}

export interface ReduceAttributes {
  /** counted from 0, or from -1 backwards; absent or empty: all */
  readonly axes?: readonly number[];
  /** default true */
  readonly keepdims?: boolean;
}

export interface QMeanAttributes extends ReduceAttributes, Omit<Quantization, 'weight_zero'>, Clamp {}

export interface ExpandAttributes {
  /** The input broadcasts to it. */
  readonly shape: readonly number[];
}

export interface SpaceToDepthAttributes {
  /** default 'NHWC' */
  readonly layout?: Layout;
  /** default 1 */
  readonly block?: number;
}

export interface InstanceNormAttributes {
  /** default 'NHWC' */
  readonly layout?: Layout;
  /** real * 2^32; default 0 */
  readonly epsilon?: Int;
}

type None = Readonly<Record<string, never>>;
type Unary<T, A = None> = [inputs: { readonly in: T }, attributes?: A];
type Binary<T, A = Clamp> = [inputs: { readonly in: T; readonly b: T }, attributes?: A];
type Weighted<T, A> = [inputs: { readonly in: T; readonly weights: T; readonly bias?: T }, attributes?: A];

/**
 * The operators of core/OPERATORS.md, with what goes into each. "Integers" are i8 u8 i16 u16 i32 i64; broadcast is numpy's.
 * A dtype that an operator does not take is `unsupported`, a wrong attribute `argument`, tensors that do not fit `shape`.
 */
export interface Operators<T> {
  /** q16. ONNX Conv-11, TFLite CONV_2D and DEPTHWISE_CONV_2D. */
  conv2d: Weighted<T, Conv2dAttributes>;
  /** q16; weights [O, H, W, I/groups] for NHWC, [I, O/groups, H, W] for NCHW. ONNX ConvTranspose-11, TFLite TRANSPOSE_CONV. */
  conv_transpose2d: Weighted<T, ConvTranspose2dAttributes>;
  /** Any dtype. ONNX MaxPool-12 and GlobalMaxPool-1, TFLite MAX_POOL_2D. */
  max_pool2d: Unary<T, MaxPool2dAttributes>;
  /** q16 i8 u8 i16 f32. ONNX AveragePool-19 and GlobalAveragePool-1, TFLite AVERAGE_POOL_2D. */
  avg_pool2d: Unary<T, AvgPool2dAttributes>;
  /** Any dtype but q16. CANN MaxPoolExt2, in its own spelling. */
  max_pool_ext2: [inputs: { readonly in: T }, attributes: MaxPoolExt2Attributes];
  /** in i8 u8 i16, weights i8 u8, bias i32 or i64. TFLite CONV_2D and DEPTHWISE_CONV_2D, ONNX QLinearConv-10. */
  q_conv2d: Weighted<T, QConv2dAttributes>;
  /** in [N, K], weights [M, K], bias [M]; dtypes as q_conv2d. TFLite FULLY_CONNECTED. */
  q_fully_connected: Weighted<T, QFullyConnectedAttributes>;
  /** q16; in [N, K], weights [M, K], bias [M]. ONNX Gemm-13 with transB, TFLite FULLY_CONNECTED. */
  fully_connected: Weighted<T, Clamp>;
  /** q16; in [.., M, K], b [.., K, N], leading dimensions broadcast. ONNX MatMul-13. */
  matmul: Binary<T, None>;
  /** q16; scale and bias [C]: in * scale + bias. ONNX BatchNormalization-15, folded. */
  batch_norm: [inputs: { readonly in: T; readonly scale: T; readonly bias: T }, attributes?: BatchNormAttributes];
  /** q16. ONNX Relu-14. */
  relu: Unary<T>;
  /** q16 and integers. ONNX Clip-13, TFLite RELU6 and RELU_N1_TO_1. */
  clamp: Unary<T, Clamp>;
  /** q16. ONNX LeakyRelu-16. */
  leaky_relu: Unary<T, LeakyReluAttributes>;
  /** q16; slope broadcasts to in's shape. ONNX PRelu-16, TFLite PRELU. */
  prelu: [inputs: { readonly in: T; readonly slope: T }, attributes?: None];
  /** q16; alpha * x + beta clamped to 0..1. ONNX HardSigmoid-6. */
  hard_sigmoid: Unary<T, HardSigmoidAttributes>;
  /** q16; x * clamp(x + 3, 0, 6) / 6. ONNX HardSwish-14, TFLite HARD_SWISH. */
  hard_swish: Unary<T>;
  /** q16. ONNX Exp-13. */
  exp: Unary<T>;
  /** q16. ONNX Sigmoid-13. */
  sigmoid: Unary<T>;
  /** q16. ONNX Tanh-13. */
  tanh: Unary<T>;
  /** q16. ONNX Softmax-13. */
  softmax: Unary<T, SoftmaxAttributes>;
  /** q16, broadcast. ONNX Add-14. */
  add: Binary<T>;
  /** q16, broadcast. ONNX Sub-14. */
  sub: Binary<T>;
  /** q16, broadcast. ONNX Mul-14. */
  mul: Binary<T>;
  /** q16, broadcast; a division by 0 gives 0. ONNX Div-14. */
  div: Binary<T>;
  /** q16 and integers, broadcast. ONNX Max-13. */
  maximum: Binary<T>;
  /** q16 and integers, broadcast. ONNX Min-13. */
  minimum: Binary<T>;
  /** i8 u8 i16, broadcast. TFLite ADD. */
  q_add: Binary<T, QAddAttributes>;
  /** i8 u8 i16, broadcast. TFLite MUL. */
  q_mul: Binary<T, QMulAttributes>;
  /** i8 u8 i16, over the last axis. TFLite SOFTMAX. */
  q_softmax: Unary<T, QSoftmaxAttributes>;
  /** Any dtype; in0, in1, ... ONNX Concat-13, TFLite CONCATENATION. */
  concat: [inputs: { readonly [name: `in${number}`]: T }, attributes?: ConcatAttributes];
  /** Any dtype. ONNX Pad-13, TFLite PAD, PADV2 and MIRROR_PAD (REFLECT). */
  pad: [inputs: { readonly in: T }, attributes: PadAttributes];
  /** Any dtype. ONNX Transpose-13. */
  transpose: Unary<T, TransposeAttributes>;
  /** Any dtype. ONNX Reshape-5. */
  reshape: [inputs: { readonly in: T }, attributes: ReshapeAttributes];
  /** Any dtype. ONNX Slice-13, TFLite STRIDED_SLICE. */
  slice: [inputs: { readonly in: T }, attributes: SliceAttributes];
  /** Any dtype. ONNX Resize-11, TFLite RESIZE_NEAREST_NEIGHBOR and RESIZE_BILINEAR. */
  resize: [inputs: { readonly in: T }, attributes: ResizeAttributes];
  /** Any dtype. ONNX DepthToSpace-13, TFLite DEPTH_TO_SPACE (DCR). */
  depth_to_space: Unary<T, DepthToSpaceAttributes>;
  /** q16 and integers. ONNX ArgMax-13, TFLite ARG_MAX. */
  argmax: Unary<T, ArgmaxAttributes>;
  /** q16 and integers. ONNX ArgMin-13, TFLite ARG_MIN. */
  argmin: Unary<T, ArgmaxAttributes>;
  /** in q16, weights i16, bias i64: layers of float models. ONNX Conv-11, TFLite CONV_2D and DEPTHWISE_CONV_2D. */
  conv2d_w16: [inputs: Weighted<T, None>[0], attributes: Conv2dW16Attributes];
  /** The same of conv_transpose2d. */
  conv_transpose2d_w16: [inputs: Weighted<T, None>[0], attributes: ConvTranspose2dW16Attributes];
  /** The same of fully_connected. */
  fully_connected_w16: [inputs: Weighted<T, None>[0], attributes: FullyConnectedW16Attributes];
  /** q16 to integers. ONNX QuantizeLinear-13, TFLite QUANTIZE. */
  quantize: Unary<T, QuantizeAttributes>;
  /** i8 u8 i16 i32 to q16. ONNX DequantizeLinear-13, TFLite DEQUANTIZE. */
  dequantize: [inputs: { readonly in: T }, attributes: DequantizeAttributes];
  /** i8 u8 i16 to another scale. TFLite QUANTIZE. */
  requantize: Unary<T, RequantizeAttributes>;
  /** i8 u8 i16. TFLite MEAN. */
  q_mean: Unary<T, QMeanAttributes>;
  /** q16. ONNX ReduceSum-13. */
  reduce_sum: Unary<T, ReduceAttributes>;
  /** q16. ONNX ReduceMean-18, TFLite MEAN. */
  reduce_mean: Unary<T, ReduceAttributes>;
  /** q16. ONNX ReduceMax-18. */
  reduce_max: Unary<T, ReduceAttributes>;
  /** q16. ONNX ReduceMin-18. */
  reduce_min: Unary<T, ReduceAttributes>;
  /** q16. ONNX Abs-13. */
  abs: Unary<T>;
  /** q16. ONNX Neg-13. */
  neg: Unary<T>;
  /** Any dtype. ONNX Expand-13. */
  expand: [inputs: { readonly in: T }, attributes: ExpandAttributes];
  /** Any dtype. ONNX SpaceToDepth-13, TFLite SPACE_TO_DEPTH. */
  space_to_depth: Unary<T, SpaceToDepthAttributes>;
  /** q16; scale and bias [C]. ONNX InstanceNormalization-6. */
  instance_norm: [inputs: { readonly in: T; readonly scale: T; readonly bias: T }, attributes?: InstanceNormAttributes];
}

export type OperatorName = keyof Operators<Tensor>;

export interface OperatorOptions {
  /** Forces the readable kernels instead of the fastest. The result is the same. */
  readonly reference?: boolean;
}

/**
 * Each operator as a function: on copies, the caller keeps his tensors. A call runs to its end, no signal stops it. An
 * output above 1 GiB is `too_large`.
 */
export type Ops = {
  readonly [N in OperatorName]: (...args: [...Operators<Tensor>[N], options?: OperatorOptions]) => Tensor;
};

/** `inferShape('conv2d', { in: { dtype, shape }, ... }, { stride: [2, 2] })` */
export type InferShapeArguments = {
  readonly [N in OperatorName]: [operator: N, ...Operators<TensorType>[N]];
}[OperatorName];
