import type {
  ArgmaxAttributes, AvgPool2dAttributes, BatchNormAttributes, Clamp, ConcatAttributes, Conv2dAttributes,
  Conv2dIntegerAttributes, Conv2dW16Attributes, ConvTranspose2dAttributes, ConvTranspose2dW16Attributes,
  DepthToSpaceAttributes, DequantizeAttributes, ExpandAttributes, FullyConnectedW16Attributes, HardSigmoidAttributes,
  InstanceNormAttributes, LeakyReluAttributes, MatmulIntegerAttributes, MaxPool2dAttributes, MaxPoolExt2Attributes,
  PadAttributes, QAddAttributes, QConv2dAttributes, QFullyConnectedAttributes, QMeanAttributes, QMulAttributes,
  QCurveAttributes, QSoftmaxAttributes, QuantizeAttributes, ReduceAttributes, RequantizeAttributes, ReshapeAttributes, ResizeAttributes,
  SliceAttributes, SoftmaxAttributes, SpaceToDepthAttributes, TransposeAttributes,
} from './op_attributes.js';
import type { Tensor, TensorType } from './types.js';

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
  /** i8 u8; the sums as i32. ONNX ConvInteger-10. */
  conv2d_integer: [inputs: { readonly in: T; readonly weights: T }, attributes?: Conv2dIntegerAttributes];
  /** i8 u8; in [.., M, K], b [.., K, N], leading dimensions broadcast; the sums as i32. ONNX MatMulInteger-10. */
  matmul_integer: Binary<T, MatmulIntegerAttributes>;
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
  /** i8 i16. TFLite LOGISTIC. */
  q_sigmoid: Unary<T, QCurveAttributes>;
  /** i8 i16. TFLite TANH. */
  q_tanh: Unary<T, QCurveAttributes>;
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
