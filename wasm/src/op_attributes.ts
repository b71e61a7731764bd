import type { Padding } from './types.js';

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

export interface Conv2dIntegerAttributes extends Window {
  /** default 1 */
  readonly groups?: number;
  /** default 0 */
  readonly input_zero?: number;
  /** one number, or one for each output channel; absent: 0 */
  readonly weight_zero?: readonly number[];
}

/** Each has one number, one for each line of a matrix, or of all matrices; absent: 0. */
export interface MatmulIntegerAttributes {
  /** of rows */
  readonly input_zero?: readonly number[];
  /** of columns */
  readonly b_zero?: readonly number[];
}

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

/** TFLite Micro's prepared integers, all 0 by default. */
export interface QCurveAttributes {
  /** of i16 0 */
  readonly input_zero?: number;
  readonly input_multiplier?: number;
  readonly input_left_shift?: number;
}

export interface BatchNormAttributes {
  /** of the channels, counted from 0, or from -1 backwards; default -1 */
  readonly axis?: number;
}

export interface SoftmaxAttributes {
  /** counted from 0, or from -1 backwards; default -1 */
  readonly axis?: number;
  /** default 'q16'; codes of 1/256, of i8 from -128 on */
  readonly output_dtype?: 'q16' | 'i8' | 'u8';
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
