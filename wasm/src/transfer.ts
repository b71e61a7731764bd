/** Buffers that may be handed over instead of copied, with the value that holds them. */
export interface Parcel<T> {
  readonly value: T;
  readonly buffers: ArrayBuffer[];
}

/** The arguments of a call with copies of their typed arrays: the caller keeps his, and a view of a large buffer does not
 * drag the whole of it along. */
export function pack<T extends readonly unknown[]>(args: T): Parcel<T> {
  const buffers: ArrayBuffer[] = [];
  return { value: args.map((a) => copyArrays(a, buffers)) as unknown as T, buffers };
}

function copyArrays(value: unknown, buffers: ArrayBuffer[]): unknown {
  if (ArrayBuffer.isView(value)) return copyView(value, buffers);
  const data = (value as { data?: unknown } | null | undefined)?.data;
  return ArrayBuffer.isView(data) ? { ...(value as object), data: copyView(data, buffers) } : value;
}

function copyView(view: ArrayBufferView, buffers: ArrayBuffer[]): ArrayBufferView {
  const bytes = new Uint8Array(view.byteLength);
  bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  buffers.push(bytes.buffer);
  if (view instanceof Uint8Array) return bytes;
  return new (view.constructor as new (b: ArrayBuffer) => ArrayBufferView)(bytes.buffer);
}

/** The buffers of a result, which is fresh and of which nobody else has a view. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const { data, rgba } = (value ?? {}) as { data?: unknown; rgba?: unknown };
  return [value, data, rgba].filter((v): v is ArrayBufferView<ArrayBuffer> => ArrayBuffer.isView(v)).map((v) => v.buffer);
}
