/// <reference lib="esnext.disposable" preserve="true" />

import type { LoadOptions, Model, ModelFiles, ModelReceipt, ModelReport, ModelRun } from './model_types.js';
import type { InferShapeArguments, Ops } from './op_types.js';

/** Element types. q16 is Q16.16 in an Int32Array: real value = integer / 65536. */
export type DType = 'q16' | 'f16' | 'f32' | 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'i64';

/** A row-major Q16.16 matrix, rows and cols 0..65535, `data.length === rows * cols`. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Int32Array;
}

/** What a tensor is: its elements' type and at most six dimensions, outermost first. */
export interface TensorType {
  readonly dtype: DType;
  readonly shape: readonly number[];
}

/**
 * Row-major elements. `data` is an Int32Array for q16 and i32, a Uint16Array for f16 (bit patterns) and u16, a
 * Float32Array for f32, a BigInt64Array for i64, and the array of that name for i8, u8 and i16. f32 may also be given as
 * bit patterns in a Uint32Array. Only bytes are copied, so the payload of a NaN stays.
 */
export interface Tensor extends TensorType {
  readonly data: Int32Array | Uint16Array | Float32Array | Uint32Array | Int8Array | Uint8Array | Int16Array | BigInt64Array;
}

/** Decoded pixels, interleaved, upright (EXIF orientation applied), straight alpha, no colour management. */
export interface Image {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey+alpha, 3 RGB, 4 RGBA */
  readonly channels: 1 | 2 | 3 | 4;
  readonly bits: 8 | 16;
  readonly format: 'png' | 'jpeg' | 'bmp' | 'pnm';
  /** EXIF orientation of the file, 1..8. */
  readonly orientation: number;
  readonly colorProfileIgnored: boolean;
  readonly data: Uint8Array | Uint16Array;
}

export interface ImageLimits {
  /** default 64e6 */
  readonly pixels?: number;
  /** of decoded samples, default 256 MiB */
  readonly bytes?: number;
}

export type KernelName =
  | 'identity' | 'sobel-x' | 'sobel-y' | 'scharr-x' | 'scharr-y' | 'laplacian' | 'gaussian' | 'box' | 'sharpen' | 'emboss';

export type Padding = 'VALID' | 'SAME_UPPER' | 'SAME_LOWER' | 'FULL' | readonly [top: number, left: number, bottom: number, right: number];

/** What is asked of a photo. The same object, with the same spelling, stands in a receipt under `task`, complete. */
export interface PhotoTask {
  /** `q16`: row-major integers of `shape` [rows, cols]. `name` is for people. */
  readonly kernel: { readonly name?: string; readonly shape: readonly [number, number]; readonly q16: readonly number[] };
  readonly channels?: 'luma' | 'rgb';
  readonly resize?: { readonly width: number; readonly height: number; readonly method?: 'bilinear' | 'area' } | null;
  /** [r, g, b] 0..255: composes alpha over it; absent or null: alpha is dropped. */
  readonly background?: readonly [number, number, number] | null;
  /** q16, one per plane, or both empty. */
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
  readonly pad?: Padding;
  readonly stride?: readonly [number, number];
  readonly activation?: { readonly kind: 'none' | 'relu' } | { readonly kind: 'leaky_relu'; /** q16 */ readonly alpha: number };
  readonly pool?: { readonly kind: 'none' } | { readonly kind: 'max' | 'avg'; readonly kernel: readonly [number, number]; readonly stride: readonly [number, number] };
}

export interface Stage {
  /** pixels | resized | input | conv | activation | pool */
  readonly name: string;
  /** decode | resize | to_q16 | conv2d | relu | leaky_relu | max_pool2d | avg_pool2d */
  readonly op: string;
  readonly dtype: DType;
  /** pixels and resized: [height, width, channels]; from input on: [planes, height, width]. */
  readonly shape: readonly number[];
  readonly sha256: string;
}

/**
 * Canonical JSON with `canonical()`: the bytes the C++ side writes. See core/include/bitexact/receipt.h. `engine` and
 * `made_by` say who computed; `compare` and `verify` look at neither.
 */
export interface Receipt {
  readonly bitexact: 1;
  readonly contract: number;
  readonly engine: string;
  readonly input: {
    readonly file: string; readonly pixels: string; readonly resized?: string; readonly tensor: string;
    readonly format: Image['format']; readonly width: number; readonly height: number; readonly channels: number; readonly bits: number;
    readonly orientation: number; readonly color_profile: 'none' | 'ignored';
  };
  readonly layers: readonly { readonly name: string; readonly op: string; readonly dtype: DType; readonly shape: readonly number[]; readonly sha256: string }[];
  readonly outputs: readonly { readonly name: string; readonly dtype: DType; readonly shape: readonly number[]; readonly sha256: string }[];
  readonly task: Required<PhotoTask> & { readonly op: 'conv' };
  readonly made_by?: { readonly architecture: string; readonly simd: string };
}

/** `same`, or the first difference: the stage (`file`, a stage's name, `task` ...), the two digests or values, and the element when known. */
export interface Verdict {
  readonly same: boolean;
  readonly stage?: string;
  readonly expected?: string;
  readonly got?: string;
  readonly element?: { readonly index: number; readonly expected: number; readonly got: number };
  /** One line for people. */
  readonly text: string;
}

/** They stay the caller's, also when a worker reads them. */
export type Bytes = Uint8Array | ArrayBuffer;

/** A picture for a canvas, at most the size asked for. */
export interface Preview {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
}

export interface VerifyOptions {
  readonly limits?: ImageLimits;
  /** Forces the readable kernels instead of the fastest. */
  readonly reference?: boolean;
  /** Checked between stages, or steps of a model; the promise or call then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface PhotoOptions extends VerifyOptions {
  /** Called after each stage; with initWorker it is called on the caller's side. */
  readonly onStage?: (stage: Stage, done: number, total: number) => void;
}

/** A finished run. Its tensors stay in wasm memory until `dispose()` (or `using`). */
export interface PhotoRun extends Disposable {
  /** Frozen, as the receipt is. */
  readonly stages: readonly Stage[];
  readonly receipt: Receipt;
  /** Copies a rectangle of a q16 stage; cells outside the tensor are 0. */
  window(stage: number, plane: number, y: number, x: number, height: number, width: number): Int32Array;
  /** Box-averaged down to fit; q16 stages as grey (one plane) or colour (three planes); `magnitude` shows |v|. */
  preview(stage: number, maxWidth: number, maxHeight: number, o?: { readonly magnitude?: boolean }): Preview;
  /** The little-endian bytes that the stage's sha256 is of. */
  dump(stage: number): Uint8Array;
  /** A PNG of the stage as people see it. */
  png(stage: number, o?: { readonly magnitude?: boolean }): Uint8Array;
  dispose(): void;
}

/**
 * The matrix operators of `fx.h` (SRS-006, SRS-008), on copies. Shape and argument errors throw BitexactError. A call runs
 * to its end, no signal stops it: `mul` takes rows * cols * inner multiplications, `conv2d` and the pools as many as
 * output elements times those of the kernel, the others one step an element.
 */
export interface Fx {
  conv2d(input: Matrix, kernel: Matrix): Matrix;
  maxpool2x2(input: Matrix): Matrix;
  avgpool2x2(input: Matrix): Matrix;
  maxpoolGeneric(input: Matrix, poolH: number, poolW: number): Matrix;
  maxpoolStride(input: Matrix, poolSize: number, stride: number): Matrix;
  padZeros(input: Matrix, rows: number, cols: number): Matrix;
  relu(input: Matrix): Matrix;
  leakyRelu(input: Matrix, alpha: number): Matrix;
  addBias(input: Matrix, bias: Matrix): Matrix;
  mul(a: Matrix, b: Matrix): Matrix;
  add(a: Matrix, b: Matrix): Matrix;
}

export interface Engine {
  readonly version: string;
  readonly contract: number;
  readonly simd: boolean;
  /** The kernels this build has, in the order in which they are tried. */
  readonly kernelList: readonly { readonly name: string; readonly op: string; readonly set: string }[];
  /** The named convolution kernels of `fx.h`, in q16. */
  readonly kernels: Readonly<Record<KernelName, Matrix>>;
  readonly fx: Fx;
  /** The operators of core/OPERATORS.md: `engine.ops.conv2d({ in, weights, bias }, { stride: [2, 2] })`. */
  readonly ops: Ops;

  /**
   * The type of an operator's output. Dimensions may be -1, unknown, and so may be those of the result; [-2] is a shape of
   * which nothing is known (max_pool_ext2). Nothing is computed.
   */
  inferShape(...args: InferShapeArguments): TensorType;

  /** Nearest Q16.16, ties towards plus infinity, saturated; NaN throws. */
  toQ16(x: number): number;
  sha256(bytes: Bytes): string;

  decode(file: Bytes, limits?: ImageLimits): Image;
  /** png: 8-bit; pnm: no alpha. */
  encode(image: Image, format: 'png' | 'pnm'): Uint8Array;
  resize(image: Image, o: { readonly width: number; readonly height: number; readonly method?: 'bilinear' | 'area' }): Image;
  dropAlpha(image: Image, background?: readonly [number, number, number]): Image;
  luma(image: Image): Image;
  /** [channels, height, width] in q16; mean and std q16, one per channel. */
  imageToQ16(image: Image, o?: { readonly mean?: readonly number[]; readonly std?: readonly number[] }): Tensor;

  /** Runs a task on the bytes of an image file. */
  photo(file: Bytes, task: PhotoTask, o?: PhotoOptions): PhotoRun;

  /**
   * Reads an ONNX (opset 7 to 22) or TFLite file and prepares it. `malformed`: the file is broken; `unsupported`: the message
   * lists everything in it that cannot be run, and `inspect` has the same as data; `argument`: of its external data some is missing.
   */
  load(model: Bytes, o?: LoadOptions): Model;
  /** What is in a model, or why it cannot be run; broken files throw, as in `load`. The report is frozen. */
  inspect(model: Bytes, o?: LoadOptions): ModelReport;

  /**
   * Re-runs a receipt: a photo's on the photo, a model's on the model and its inputs. Layers are compared when the receipt has any.
   * Files that are not the receipt's differ; those that are, and cannot be run, throw.
   */
  verify(receipt: Receipt | ModelReceipt | string, files: Bytes | ModelFiles, o?: VerifyOptions): Verdict;
  /** The first difference of two receipts. */
  compare(expected: Receipt | ModelReceipt | string, got: Receipt | ModelReceipt | string): Verdict;
}

export interface InitOptions {
  /** Where the wasm is: default beside the module. A string is a URL; in Node, without a scheme, a path. */
  readonly wasm?: URL | string | BufferSource | WebAssembly.Module;
  /** Forces the scalar (false) or SIMD (true) build; default: by feature detection. */
  readonly simd?: boolean;
}

/** The same object, answered from a worker: every method returns a Promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...a: infer A) => infer R
    ? (...a: A) => Promise<R extends PhotoRun | Model | ModelRun ? Remote<R> : R>
    : T[K] extends Fx ? Remote<Fx> : T[K] extends Ops ? Remote<Ops> : T[K];
} & AsyncDisposable;

/**
 * `internal`: not the caller's doing: the wasm or the worker could not be loaded, or the engine failed and was restarted
 * (runs and models made before that are lost, everything else goes on). `no_memory` can have cost them, too.
 */
export type ErrorCode = 'argument' | 'shape' | 'unsupported' | 'malformed' | 'too_large' | 'no_memory' | 'internal';
