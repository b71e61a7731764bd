import { transfer } from 'comlink';

import { bytesOf, isArray } from './checks.js';

/** Buffers that may be handed over instead of copied, with the value that holds them. */
export interface Parcel<T> {
  readonly value: T;
  readonly buffers: ArrayBuffer[];
}

/** Checked arguments, to be sent with copies of their bytes: the caller keeps his, and a view of a large buffer does not
 * drag the whole of it along. */
export function handOver<T extends object>(value: T): T {
  const buffers: ArrayBuffer[] = [];
  const copy = (v: unknown): unknown => {
    if (v instanceof Uint8Array) {
      const { buffer } = v.slice();
      buffers.push(buffer);
      return new Uint8Array(buffer);
    }
    if (Array.isArray(v)) return v.map(copy);
    return typeof v === 'object' && v !== null ? Object.fromEntries(Object.entries(v).map(([key, member]) => [key, copy(member)])) : v;
  };
  return transfer(copy(value) as T, buffers);
}

/** The same for arguments that nobody has checked yet. */
export function pack<T extends readonly unknown[]>(args: T): Parcel<T> {
  const buffers: ArrayBuffer[] = [];
  return { value: args.map((a, i) => copyArrays(a, `argument ${i + 1}`, buffers)) as unknown as T, buffers };
}

function copyArrays(value: unknown, name: string, buffers: ArrayBuffer[]): unknown {
  const data = (value as { data?: unknown } | null | undefined)?.data;
  if (ArrayBuffer.isView(data)) return { ...(value as object), data: copyView(data, `${name}.data`, buffers) };
  return ArrayBuffer.isView(value) ? copyView(value, name, buffers) : value;
}

/** Arrays of kinds that no method takes go as they are, to be refused there. */
function copyView(view: ArrayBufferView, name: string, buffers: ArrayBuffer[]): ArrayBufferView {
  const kind = [Uint8Array, Uint16Array, Int32Array].find((k) => isArray<ArrayBufferView>(view, k));
  if (!kind) return view;
  const { buffer } = bytesOf(view, name).slice();
  buffers.push(buffer);
  return new kind(buffer);
}

/** The buffers of a result, which is fresh and of which nobody else has a view. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const { data, rgba, outputs } = (value ?? {}) as { data?: unknown; rgba?: unknown; outputs?: readonly { data: unknown }[] };
  return [value, data, rgba, ...(outputs ?? []).map((output) => output.data)].filter((v): v is ArrayBufferView<ArrayBuffer> => ArrayBuffer.isView(v)).map((v) => v.buffer);
}
