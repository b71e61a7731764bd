import { BitexactError } from './errors.js';
import { canonical } from './canonical.js';
import type { Watcher } from './stepping.js';
import type { Image, ImageLimits, Matrix, PhotoOptions, Stage } from './types.js';

// Arguments are checked here, by name, so that nothing odd reaches the wasm and every refusal says what was expected.

export function bad(name: string, expected: string, got: unknown): BitexactError {
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
  return Array.from(value, (x, i) => integer(x, `${name}[${i}]`, min, max));
}

/** Nothing is `unsupported` that is no text. */
export function dtype<T extends string>(value: unknown, name: string, known: readonly T[]): T {
  if (typeof value !== 'string') throw bad(name, 'the name of a dtype', value);
  if (known.includes(value as T)) return value as T;
  throw new BitexactError('unsupported', `${name}: there is no dtype ${show(value)}`);
}

export function oneOf<T extends string>(value: unknown, name: string, choices: readonly T[]): T {
  if (choices.includes(value as T)) return value as T;
  throw bad(name, `one of ${choices.join(', ')}`, value);
}

export function object(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw bad(name, 'an object', value);
}

/** Options that may be left out: undefined and null are none. */
export function options<T extends object>(value: T | null | undefined, name = 'options'): Partial<T> {
  return value === undefined || value === null ? {} : (object(value, name) as Partial<T>);
}

export function flag(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw bad(name, 'a boolean', value);
  return value;
}

/** The bytes of a Uint8Array or an ArrayBuffer. */
export function bytes(value: unknown, name: string): Uint8Array<ArrayBuffer> {
  if (!(value instanceof ArrayBuffer) && !isArray(value, Uint8Array)) throw bad(name, 'a Uint8Array or an ArrayBuffer', value);
  const view = bytesOf(value, name);
  if (view.byteLength > maxBytes) throw new BitexactError('too_large', `${name}: ${view.byteLength} bytes`);
  return view;
}

/** What only claims to be a typed array, such as a Proxy of one, is none. */
export function isArray<T extends ArrayBufferView>(value: unknown, kind: abstract new (...a: never) => T): value is T {
  return ArrayBuffer.isView(value) && value instanceof kind;
}

/** Buffers that were transferred or shrunk would fail within the wasm. */
export function bytesOf(array: ArrayBufferView | ArrayBuffer, name: string): Uint8Array<ArrayBuffer> {
  try {
    if (!ArrayBuffer.isView(array)) return new Uint8Array(array);
    return new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength);
  } catch {
    throw new BitexactError('argument', `${name}: its buffer is detached`);
  }
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
  return { rows, cols, data: elements(m.data, `${name}.data`, Int32Array, rows * cols, `${rows}x${cols} elements`) };
}

interface ArrayKind {
  new (buffer: ArrayBuffer): ArrayBufferView;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

export function elements(value: unknown, name: string, kind: ArrayKind, count: number, expected: string): Uint8Array<ArrayBuffer> {
  if (!isArray<ArrayBufferView>(value, kind)) throw bad(name, `${kind.name.startsWith('I') ? 'an' : 'a'} ${kind.name}`, value);
  const data = bytesOf(value, name), got = data.length / kind.BYTES_PER_ELEMENT;
  if (got !== count) throw bad(name, expected, got);
  if (data.length > maxBytes) throw new BitexactError('too_large', `${name}: ${data.length} bytes`);
  return data;
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
  return elements(data, `${name}.data`, bits === 8 ? Uint8Array : Uint16Array, count, `${count} samples`);
}

const defaultLimits = { pixels: 64e6, bytes: 256 * 1024 * 1024 };

export type Limits = readonly [pixels: number, bytes: number];

export function limits(value: ImageLimits | null | undefined): Limits {
  const { pixels, bytes } = options(value, 'limits');
  const most = Number.MAX_SAFE_INTEGER;
  return [
    integer(pixels ?? defaultLimits.pixels, 'limits.pixels', 0, most),
    integer(bytes ?? defaultLimits.bytes, 'limits.bytes', 0, most),
  ];
}

/** The options of a run as the engine takes them. */
export interface RunOptions {
  readonly limits: Limits;
  readonly reference: boolean;
}

export function photoOptions(value: PhotoOptions | null | undefined): RunOptions & { readonly watcher: Watcher<Stage> } {
  const o = options(value), watcher = { onStep: callback(o.onStage, 'onStage'), signal: signal(o.signal) };
  return { limits: limits(o.limits), reference: flag(o.reference, 'reference'), watcher };
}

export function callback<F>(value: F | null | undefined, name: string): F | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'function') throw bad(name, 'a function', value);
  return value;
}

/** Signals of other frames are no instances of this frame's AbortSignal. */
export function signal(value: AbortSignal | null | undefined): AbortSignal | null {
  if (value === undefined || value === null) return null;
  if (typeof value.throwIfAborted !== 'function') throw bad('signal', 'an AbortSignal', value);
  return value;
}

/** The JSON of a value that a caller made, or an `argument` error. */
export function json(value: unknown, name: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(object(value, name), (key, member: unknown) => memberOf(name, key, member));
  } catch (cause) {
    if (cause instanceof BitexactError) throw cause;
  }
  if (typeof text !== 'string') throw bad(name, 'plain JSON', value);
  return text;
}

/** JSON itself would make null of a number that is not finite, and leave out what is a function or a symbol. */
function memberOf(name: string, key: string, member: unknown): unknown {
  const where = `${name}: ${wellFormed(key, name) as string}`;
  if (typeof member === 'function' || typeof member === 'symbol') throw bad(where, 'plain JSON', member);
  if (typeof member === 'number' && !Number.isFinite(member)) throw bad(where, 'a finite number', member);
  return wellFormed(member, where);
}

/** The JSON of an operator's attributes. It may hold bigints, and what is undefined or null is absent. */
export function attributes(value: unknown): string {
  const given = Object.entries(options(value as object | undefined, 'attributes')).filter(([, v]) => v !== undefined && v !== null);
  return `{${given.map(([key, v]) => `${JSON.stringify(wellFormed(key, 'attributes'))}:${attribute(v, `attributes.${key}`)}`).join(',')}}`;
}

function attribute(value: unknown, name: string): string {
  return Array.isArray(value) ? `[${Array.from(value, (v, i) => scalar(v, `${name}[${i}]`)).join(',')}]` : scalar(value, name);
}

function scalar(value: unknown, name: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string') return JSON.stringify(wellFormed(value, name));
  throw bad(name, 'a number, text, a boolean or a list of these', value);
}

function wellFormed(value: unknown, name: string): unknown {
  if (typeof value !== 'string' || !/\p{Surrogate}/u.test(value)) return value;
  throw new BitexactError('argument', `${name}: expected text, got a lone surrogate`);
}

/** The text of a receipt. */
export function receipt(value: unknown, name: string): string {
  return typeof value === 'string' ? value : canonical(object(value, name));
}
