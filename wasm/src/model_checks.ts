import * as check from './checks.js';
import type { Layer, LoadOptions, ModelFiles, ModelRunOptions } from './model_types.js';
import type { Watcher } from './stepping.js';
import { tensorOf } from './tensors.js';
import type { TensorBytes } from './tensors.js';

/** How a model is loaded, as the bridge takes it. `shapes` is JSON. */
export interface LoadRequest {
  readonly requant: string;
  readonly shapes: string;
  readonly external: readonly { readonly location: string; readonly data: Uint8Array<ArrayBuffer> }[];
  readonly reference: boolean;
  readonly keepLayers: boolean;
}

export function loadOptions(value: unknown): LoadRequest {
  const o = check.options(value as LoadOptions | undefined);
  return {
    requant: check.oneOf(o.requant ?? 'tflm', 'requant', ['tflm', 'xnnpack']),
    shapes: check.json(o.shapes ?? {}, 'shapes'),
    external: Object.entries(check.options(o.external, 'external')).map(([location, data]) =>
      ({ location, data: check.bytes(data, `external.${location}`) })),
    reference: check.flag(o.reference, 'reference'),
    keepLayers: check.flag(o.keepLayers, 'keepLayers'),
  };
}

/** The bytes of an image, or a tensor, as the bridge takes them. */
export type InputBytes = { readonly file: Uint8Array<ArrayBuffer> } | TensorBytes;

export function modelInputs(value: unknown): InputBytes[] {
  return Array.isArray(value) ? Array.from(value as unknown[], input) : [input(value, 0)];
}

function input(value: unknown, i: number): InputBytes {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return { file: check.bytes(value, `inputs.${i}`) };
  if (typeof value !== 'object' || value === null) throw check.bad(`inputs.${i}`, 'the bytes of an image or a tensor', value);
  return tensorOf(value, String(i));
}

/** What is asked of a run, apart from its inputs. `image` is JSON, or null for the default. */
export interface RunRequest {
  readonly image: string | null;
  readonly limits: check.Limits;
  readonly layers: boolean;
}

export function runOptions(value: unknown): RunRequest & { readonly watcher: Watcher<Layer | null> } {
  const o = check.options(value as ModelRunOptions | undefined);
  const tell = check.callback(o.onProgress, 'onProgress'), layers = o.layers ?? true;
  return {
    image: o.image === undefined || o.image === null ? null : imageJson(o.image),
    limits: check.limits(o.limits),
    layers: check.flag(layers, 'layers'),
    watcher: {
      onStep: tell && ((layer, done, total) => (layer ? tell(done, total, layer) : tell(done, total))),
      signal: check.signal(o.signal),
    },
  };
}

function imageJson(value: unknown): string {
  if (typeof value !== 'string') return check.json(value, 'image');
  return JSON.stringify(check.oneOf(value, 'image', ['unit', 'raw', 'mnist', 'imagenet']));
}

/** What verifying a model's receipt is given. */
export interface FilesRequest {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly inputs: readonly InputBytes[];
  readonly external: LoadRequest['external'];
}

export function modelFiles(value: unknown): FilesRequest {
  const files = check.object(value, 'files') as Partial<ModelFiles>;
  return {
    model: check.bytes(files.model, 'files.model'),
    inputs: modelInputs(files.inputs),
    external: loadOptions({ external: files.external }).external,
  };
}
