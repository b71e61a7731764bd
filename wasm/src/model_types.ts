import type { Bytes, DType, Image, ImageLimits, Tensor, TensorType } from './types.js';

/**
 * How an image becomes an input of a model (core/include/bitexact/model_task.h): decoded, alpha dropped or composed,
 * resized to the input's height and width, made of its channels, and its samples made numbers. The same object, with the
 * same spelling, stands in a receipt under `task.image`, complete.
 */
export interface ImageTask {
  /** unit: reals in [0, 1]; bytes: 0 to 255 (i8: the byte less 128); reinterpret: a byte's bits, whatever the sign. Default unit. */
  readonly values?: 'unit' | 'bytes' | 'reinterpret';
  /** automatic, the default: luma when the input has one channel. */
  readonly channels?: 'automatic' | 'luma' | 'rgb' | 'bgr';
  /** Of the model's input; absent or null: the side that has 1 or 3 channels, of two the format's. */
  readonly layout?: 'NCHW' | 'NHWC' | null;
  /** none: the image has the size already. Default bilinear. */
  readonly resize?: 'none' | 'bilinear' | 'area';
  /** Dark on light becomes light on dark. */
  readonly invert?: boolean;
  /** [r, g, b] 0..255: composes alpha over it; absent or null: alpha is dropped. */
  readonly background?: readonly [number, number, number] | null;
  /** q16, one for each channel or one for all, or both empty. */
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
}

/** raw: bytes. unit: [0, 1]. mnist: luma, area, [0, 1]. imagenet: RGB, mean 0.485 0.456 0.406, std 0.229 0.224 0.225. */
export type ImagePreset = 'unit' | 'raw' | 'mnist' | 'imagenet';

/** How the sums of quantized convolutions and dense layers become outputs: as TFLite Micro's reference kernels, or as XNNPACK. */
export type Requant = 'tflm' | 'xnnpack';

export interface LoadOptions {
  /** Default tflm. */
  readonly requant?: Requant;
  /** Shapes of inputs by name, for those whose dimensions the file leaves open; an open dimension nobody gives is 1. */
  readonly shapes?: Readonly<Record<string, readonly number[]>>;
  /** ONNX external data: location to bytes. */
  readonly external?: Readonly<Record<string, Bytes>>;
  /** Forces the readable kernels instead of the fastest. */
  readonly reference?: boolean;
  /** Gives every layer memory of its own, so that `ModelRun.layer` can show it; without it layers share an arena. */
  readonly keepLayers?: boolean;
}

export interface TensorFacts extends TensorType {
  /** As in the file; what is not UTF-8 there is U+FFFD here and in receipts. */
  readonly name: string;
  /** real = scale * (q - zero); absent when the file says nothing, and of q16. */
  readonly quantization?: { readonly scale: number; readonly zero: number };
}

/** One operator that runs, and the tensor it writes. `name` is of the model's own tensor, empty when the importer made it. */
export interface ModelStep extends TensorFacts {
  /** One of core/OPERATORS.md. */
  readonly op: string;
  /** The name of the file's node. */
  readonly node: string;
  /** Which of `Engine.kernelList` computes it. */
  readonly kernel: string;
  /** Multiply-accumulates, those on padding as well. */
  readonly macs: number;
  /** Elements of the constants it reads. */
  readonly parameters: number;
  /** What prepare proved of its sums: the fewest bits that hold each, and how many the kernel's accumulator has more. */
  readonly accumulator?: { readonly bits: number; readonly headroomBits: number; readonly bound: string };
  /** Its output's place, in bytes, and the steps for which it is kept: the one that writes it to the last that reads it (`steps.length`: an output). */
  readonly arena: { readonly offset: number; readonly bytes: number; readonly first: number; readonly last: number };
}

/** What `bitexact inspect --json` prints, its names in camel case. Frozen. */
export interface ModelFacts {
  /** SHA-256 of the file. */
  readonly file: string;
  readonly format: 'onnx' | 'tflite';
  /** ONNX: opset; TFLite: schema. */
  readonly version: number;
  readonly requant: Requant;
  /** Operators in the file, before folding and fusing. */
  readonly fileNodes: number;
  readonly inputs: readonly TensorFacts[];
  readonly outputs: readonly TensorFacts[];
  /** How many steps each operator has. */
  readonly operators: Readonly<Record<string, number>>;
  /** Sums over the steps; a constant that several read counts once. */
  readonly parameters: number;
  readonly macs: number;
  /** Memory for the tensors of a run. */
  readonly arenaBytes: number;
  /** What the importer read otherwise than the file may have meant. */
  readonly notes: readonly ModelNote[];
  readonly steps: readonly ModelStep[];
}

export interface ModelNote {
  /** Index in the file. */
  readonly node: number;
  readonly name: string;
  readonly op: string;
  readonly text: string;
}

/** One reason why a model cannot be run. */
export interface ModelProblem {
  /** Index in the file. */
  readonly node: number;
  /** Of the node; `op` and `version` are of the file's operator, too. */
  readonly name: string;
  readonly op: string;
  readonly version: number;
  readonly why: string;
}

/** `facts` when the model can be run, else every reason why not. */
export type ModelReport =
  | { readonly facts: ModelFacts; readonly problems: readonly [] }
  | { readonly facts: null; readonly problems: readonly ModelProblem[] };

/**
 * The bytes of an image file, or a tensor of the input's dtype and shape, apart from dimensions of 1. An input of real numbers is q16;
 * it takes f32 as well, rounded to the nearest q16 and saturated; NaN and infinities are errors.
 */
export type ModelInput = Bytes | Tensor;

export interface ModelRunOptions {
  /** How images become inputs; default: unit for real numbers, raw for integers, as the first input is. */
  readonly image?: ImagePreset | ImageTask;
  /** Of images that are decoded. */
  readonly limits?: ImageLimits;
  /** false: layers are not digested and the receipt has none, which is faster. */
  readonly layers?: boolean;
  /** Called after each step, with the layer it wrote if it wrote one; with initWorker it is called on the caller's side. */
  readonly onProgress?: (done: number, total: number, layer?: Layer) => void;
  /** Checked between steps; the promise or call then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A tensor of the model that a step wrote; `sha256` is of its little-endian elements. */
export interface Layer extends TensorType {
  readonly name: string;
  readonly op: string;
  readonly sha256: string;
  /** Of q16: elements at the ends of their range, where the true value may lie beyond. */
  readonly saturated: number;
}

/** q16 for real numbers. The array is the caller's own. */
export type ModelOutput = Tensor & TensorFacts & { readonly sha256: string };

export interface Score {
  /** Its position. */
  readonly index: number;
  /** The integer. */
  readonly value: number;
  /** What that means: value / 65536 of q16, else by the output's quantization, else the value. */
  readonly real: number;
  /** `labels[index]`, if there is one. */
  readonly label?: string;
}

/** Canonical JSON with `canonical()`: the bytes `bitexact run --receipt` writes. See core/include/bitexact/model_run.h. */
export interface ModelReceipt {
  readonly bitexact: 1;
  readonly contract: number;
  readonly engine: string;
  readonly inputs: readonly (ReceiptTensor & ReceiptImage & { readonly file: string; readonly tensor: string })[];
  readonly layers: readonly (ReceiptTensor & { readonly op: string; readonly sha256: string })[];
  readonly model: { readonly file: string; readonly format: 'onnx' | 'tflite'; readonly requant: Requant };
  readonly outputs: readonly (ReceiptTensor & { readonly sha256: string })[];
  /** `image` is null when no input is an image. */
  readonly task: { readonly op: 'model'; readonly image: Required<ImageTask> | null; readonly shapes: Readonly<Record<string, readonly number[]>> };
  readonly made_by?: { readonly architecture: string; readonly simd: string };
}

interface ReceiptTensor {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

/** Of inputs that were images. */
type ReceiptImage = Partial<{
  readonly bits: number; readonly channels: number; readonly color_profile: 'none' | 'ignored'; readonly format: Image['format'];
  readonly height: number; readonly orientation: number; readonly pixels: string; readonly resized: string; readonly width: number;
}>;

/** What the re-run of a model's receipt needs; inputs as for `Model.run`. */
export interface ModelFiles {
  readonly model: Bytes;
  readonly inputs: readonly ModelInput[];
  readonly external?: LoadOptions['external'];
}

/** A finished run. It stays in wasm memory until `dispose()` (or `using`). */
export interface ModelRun extends Disposable {
  /** Frozen, as the receipt is. */
  readonly layers: readonly Layer[];
  /** Copies, in the model's order. */
  readonly outputs: readonly ModelOutput[];
  readonly receipt: ModelReceipt;
  /**
   * The `count` (5) largest elements of the first output, the largest first and of equal ones the first; none when it is not
   * a list (more than one dimension above 1).
   */
  top(count?: number, labels?: readonly string[]): readonly Score[];
  /** A copy of an input as the model read it; as for layers. */
  input(index: number): Tensor;
  /** A copy of `layers[index]`; the model must have been loaded with `keepLayers`. */
  layer(index: number): Tensor;
  dispose(): void;
}

/** A model ready to run. Its weights stay in wasm memory until `dispose()` (or `using`); runs of it need it no longer. */
export interface Model extends Disposable {
  readonly facts: ModelFacts;
  /** One input for each of the model's, in its order; of a model with one input also that input by itself. */
  run(inputs: ModelInput | readonly ModelInput[], o?: ModelRunOptions): ModelRun;
  dispose(): void;
}
