// `bitexact-vectors/1` files (tests/vectors/SCHEMA.md): their text, and the tensors they describe.
import type { DType, Tensor } from '../src/types.js';

/** A number, or a bigint where a number could not hold it. */
export type Int = number | bigint;

export interface VectorTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data?: readonly Int[];
  readonly fill?: { readonly seed: Int; readonly lo: Int; readonly hi: Int };
  readonly range?: Int;
}

export interface VectorCase {
  readonly name: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, VectorTensor>>;
  /** Without a dtype when only the shape is asked for. */
  readonly output?: { readonly dtype?: string; readonly shape: readonly number[]; readonly data?: readonly Int[]; readonly sha256?: string; readonly head?: readonly Int[] };
  readonly error?: string;
}

export interface VectorSuite {
  readonly schema: string;
  readonly suite: string;
  readonly cases: readonly VectorCase[];
}

/** JSON.parse rounds long integers: they are made into strings first, and those into bigints. */
export function parseSuite(text: string): VectorSuite {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const quoted = text.replace(tokens, (token) => (/^-?\d{16,}$/.test(token) ? `"int64 ${token}"` : token));
  return JSON.parse(quoted, (_, value: unknown) => {
    const long = typeof value === 'string' && /^int64 (-?\d+)$/.exec(value);
    return long ? BigInt(long[1]!) : value;
  }) as VectorSuite;
}

const mask = (1n << 64n) - 1n;

function* splitMix64(seed: bigint): Generator<bigint, never> {
  for (let state = seed; ; ) {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    yield z ^ (z >> 31n);
  }
}

function* painted({ range, fill }: VectorTensor, count: number): Generator<Int, void> {
  if (range !== undefined) for (let i = 0; i < count; i++) yield typeof range === 'bigint' ? range + BigInt(i) : range + i;
  else if (fill) {
    const random = splitMix64(BigInt(fill.seed)), lo = BigInt(fill.lo), span = BigInt(fill.hi) - lo + 1n;
    for (let i = 0; i < count; i++) yield lo + random.next().value % span;
  } else throw new Error('a tensor without data, fill or range');
}

const bits = {
  q16: Int32Array, f16: Uint16Array, f32: Uint32Array, i8: Int8Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array,
  i32: Int32Array, i64: BigInt64Array,
};

/** A dtype that nobody knows has no elements: it is for the engine to refuse. */
export function toTensor(t: VectorTensor): Tensor {
  const dtype = t.dtype as DType, kind = bits[dtype] ?? Uint8Array;
  if (!bits[dtype]) return { dtype, shape: t.shape, data: new kind() };
  const count = t.shape.reduce((product, n) => product * n, 1), ints = t.data ?? [...painted(t, count)];
  const data = kind === BigInt64Array ? kind.from(ints.map(BigInt)) : (kind as Int32ArrayConstructor).from(ints, Number);
  return { dtype, shape: t.shape, data: dtype === 'f32' ? new Float32Array(data.buffer) : data };
}

/** The elements as vectors write them: f16 and f32 are bit patterns. */
export function elementsOf({ dtype, data }: Tensor): ArrayLike<Int> {
  return dtype === 'f32' ? new Uint32Array(data.buffer, data.byteOffset, data.length) : data;
}
