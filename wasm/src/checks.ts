import { BitexactError } from './errors.js';
import type { Image, ImageLimits, Matrix } from './types.js';

// Arguments are checked here, by name, so that nothing odd reaches the wasm and every refusal says what was expected.

function bad(name: string, expected: string, got: unknown): BitexactError {
  return new BitexactError('argument', `${name}: expected ${expected}, got ${show(got)}`);
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `a ${value.constructor?.name ?? 'object'}`;
  return typeof value === 'function' ? 'a function' : String(value);
}

export const int32 = { min: -0x80000000, max: 0x7fffffff };
const maxBytes = 0xffffffff;

export function integer(value: unknown, name: string, min: number, max: number): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw bad(name, `an integer from ${min} to ${max}`, value);
}

export function integers(value: unknown, name: string, min = int32.min, max = int32.max): number[] {
  if (!Array.isArray(value)) throw bad(name, 'an array of integers', value);
  return value.map((x, i) => integer(x, `${name}[${i}]`, min, max));
}

export function oneOf<T extends string>(value: unknown, name: string, choices: readonly T[]): T {
  if (choices.includes(value as T)) return value as T;
  throw bad(name, `one of ${choices.join(', ')}`, value);
}

export function object(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw bad(name, 'an object', value);
}

/** The bytes of a Uint8Array or an ArrayBuffer. */
export function bytes(value: unknown, name: string): Uint8Array {
  const view = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (!(view instanceof Uint8Array)) throw bad(name, 'a Uint8Array', value);
  if (view.byteLength > maxBytes) throw new BitexactError('too_large', `${name}: ${view.byteLength} bytes`);
  return view;
}

export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** A matrix as the bridge takes it. */
export interface MatrixBytes {
  rows: number;
  cols: number;
  data: Uint8Array;
}

export function matrix(value: unknown, name: string): MatrixBytes {
  const m = object(value, name) as Partial<Matrix>;
  const rows = integer(m.rows, `${name}.rows`, 0, 65535), cols = integer(m.cols, `${name}.cols`, 0, 65535);
  if (!(m.data instanceof Int32Array)) throw bad(`${name}.data`, 'an Int32Array', m.data);
  if (m.data.length !== rows * cols) throw bad(`${name}.data`, `${rows}x${cols} elements`, m.data.length);
  return { rows, cols, data: bytesOf(m.data) };
}

export const formats = ['png', 'jpeg', 'bmp', 'pnm'] as const;

/** An image as the bridge takes it. */
export interface ImageBytes extends Omit<Image, 'format' | 'data'> {
  readonly format: number;
  readonly data: Uint8Array;
}

export function image(value: unknown, name: string): ImageBytes {
  const i = object(value, name) as Partial<Image>;
  const width = integer(i.width, `${name}.width`, 1, int32.max), height = integer(i.height, `${name}.height`, 1, int32.max);
  const channels = integer(i.channels, `${name}.channels`, 1, 4) as Image['channels'];
  const bits = integer(i.bits, `${name}.bits`, 8, 16) as Image['bits'];
  return {
    width, height, channels, bits,
    data: samples(i.data, name, bits, width * height * channels),
    format: formats.indexOf(oneOf(i.format ?? 'png', `${name}.format`, formats)),
    orientation: integer(i.orientation ?? 1, `${name}.orientation`, 1, 8),
    colorProfileIgnored: i.colorProfileIgnored === true,
  };
}

function samples(data: unknown, name: string, bits: number, count: number): Uint8Array {
  if (bits !== 8 && bits !== 16) throw bad(`${name}.bits`, '8 or 16', bits);
  const kind = bits === 8 ? Uint8Array : Uint16Array;
  if (!(data instanceof kind)) throw bad(`${name}.data`, `a ${kind.name}, for ${bits} bits`, data);
  if (data.length !== count) throw bad(`${name}.data`, `${count} samples`, data.length);
  return bytesOf(data);
}

const defaultLimits = { pixels: 64e6, bytes: 256 * 1024 * 1024 };

export function limits(value: ImageLimits | undefined): [pixels: number, bytes: number] {
  const given = value === undefined ? {} : (object(value, 'limits') as ImageLimits);
  const { pixels, bytes } = { ...defaultLimits, ...given };
  const most = Number.MAX_SAFE_INTEGER;
  return [integer(pixels, 'limits.pixels', 0, most), integer(bytes, 'limits.bytes', 0, most)];
}

/** The JSON of a value that a caller made, or an `argument` error. */
export function json(value: unknown, name: string): string {
  try {
    return JSON.stringify(object(value, name));
  } catch (cause) {
    throw cause instanceof BitexactError ? cause : bad(name, 'plain JSON', value);
  }
}
