import type { ImageBytes, MatrixBytes } from './checks.js';
import type { Outcome } from './errors.js';
import type { InputBytes, LoadRequest } from './model_checks.js';
import type { Layer, Requant } from './model_types.js';
import type { NamedType, TensorBytes } from './tensors.js';
import type { Image, Stage, TensorType, Verdict } from './types.js';

/** What bridge.cc exports. Arrays are copied on both ways; sizes and ranges have been checked before a call. */
export interface Bridge {
  info(): BridgeInfo;
  toQ16(x: number): number;
  sha256(bytes: Uint8Array): Outcome<string>;
  fx(name: string, inputs: readonly MatrixBytes[], parameters: readonly number[]): Outcome<MatrixBytes>;
  /** `attributes` is JSON. */
  operator(name: string, attributes: string, inputs: readonly TensorBytes[], reference: boolean): Outcome<Omit<TensorBytes, 'name'>>;
  inferShape(name: string, attributes: string, inputs: readonly NamedType[]): Outcome<TensorType>;
  decode(file: Uint8Array, maxPixels: number, maxBytes: number): Outcome<BridgeImage>;
  encode(image: ImageBytes, png: boolean): Outcome<Uint8Array>;
  resize(image: ImageBytes, width: number, height: number, area: boolean): Outcome<BridgeImage>;
  dropAlpha(image: ImageBytes, background: readonly number[] | null): Outcome<BridgeImage>;
  luma(image: ImageBytes): Outcome<BridgeImage>;
  imageToQ16(image: ImageBytes, mean: readonly number[], std: readonly number[]): Outcome<Uint8Array>;
  photoOpen(
    file: Uint8Array, task: string, maxPixels: number, maxBytes: number, reference: boolean,
  ): Outcome<{ id: number; total: number }>;
  photoStep(id: number): Outcome<Stage>;
  photoReceipt(id: number): Outcome<string>;
  photoWindow(id: number, stage: number, rectangle: readonly number[]): Outcome<Uint8Array>;
  photoPreview(id: number, stage: number, maxWidth: number, maxHeight: number, magnitude: boolean): Outcome<BridgeImage>;
  photoDump(id: number, stage: number): Outcome<Uint8Array>;
  photoPng(id: number, stage: number, magnitude: boolean): Outcome<Uint8Array>;
  photoClose(id: number): void;
  /** `facts` is JSON (model_facts.h). */
  modelOpen(file: Uint8Array, request: LoadRequest): Outcome<{ id: number; facts: string }>;
  /** Both are JSON. */
  modelInspect(file: Uint8Array, request: LoadRequest): Outcome<{ facts?: string; problems?: string }>;
  modelClose(id: number): void;
  /** `task` is JSON (model_task.h). */
  runOpen(
    model: number, task: string, inputs: readonly InputBytes[], limits: readonly number[], layers: boolean,
  ): Outcome<{ id: number; total: number }>;
  runStep(id: number): Outcome<Pick<Layer, 'sha256' | 'saturated'> | null>;
  runReceipt(id: number): Outcome<string>;
  runTensor(id: number, which: 'input' | 'layer' | 'output', index: number): Outcome<Omit<TensorBytes, 'name'>>;
  runClose(id: number): void;
  /** null when the receipt is of a photo. */
  modelReceipt(receipt: string): Outcome<{ task: string; requant: Requant; layers: boolean } | null>;
  compareModelFiles(receipt: string, model: Uint8Array, inputs: readonly InputBytes[]): Outcome<Verdict>;
  receiptTask(receipt: string): Outcome<string>;
  compare(expected: string, got: string): Outcome<Verdict>;
}

export type BridgeImage = Omit<Image, 'data'> & { readonly data: Uint8Array };

export interface BridgeInfo {
  readonly version: string;
  readonly contract: number;
  readonly simd: boolean;
  readonly kernelList: readonly { readonly name: string; readonly op: string; readonly set: string }[];
  readonly kernels: Readonly<Record<string, { readonly rows: number; readonly cols: number; readonly data: readonly number[] }>>;
}
