import * as check from './checks.js';
import type { DType, Tensor, TensorType } from './types.js';

type Kind = Parameters<typeof check.elements>[2];

/** The arrays that hold each dtype; results have the first. */
const kinds: Readonly<Record<DType, readonly [Kind, ...Kind[]]>> = {
  q16: [Int32Array], f16: [Uint16Array], f32: [Float32Array, Uint32Array], i8: [Int8Array], u8: [Uint8Array],
  i16: [Int16Array], u16: [Uint16Array], i32: [Int32Array], i64: [BigInt64Array],
};

/** A type, and a tensor, as the bridge takes them. */
export interface NamedType extends TensorType {
  readonly name: string;
}
export interface TensorBytes extends NamedType {
  readonly data: Uint8Array<ArrayBuffer>;
}

const maxRank = 6;

/** `least` is the smallest dimension allowed. */
export function typeOf(value: unknown, key: string, least: number): NamedType {
  const name = `inputs.${key}`, type = check.object(value, name) as Partial<TensorType>;
  const dtype = check.dtype(type.dtype, `${name}.dtype`, Object.keys(kinds) as DType[]);
  const shape = check.integers(type.shape, `${name}.shape`, least, Number.MAX_SAFE_INTEGER);
  check.integer(shape.length, `${name}.shape.length`, 0, maxRank);
  return { name: key, dtype, shape };
}

export function tensorOf(value: unknown, key: string): TensorBytes {
  const type = typeOf(value, key, 0), { dtype, shape } = type, name = `inputs.${key}.data`;
  // Rounded when there are too many, but never down to a length that an array has.
  const count = shape.reduce((product, n) => product * n, 1), [kind, other = kind] = kinds[dtype];
  const expected = `${count} elements (${count * kind.BYTES_PER_ELEMENT} bytes) for ${dtype} [${shape.join(', ')}]`;
  const { data } = value as Partial<Tensor>;
  return { ...type, data: check.elements(data, name, check.isArray(data, other) ? other : kind, count, expected) };
}

/** `data` is a copy of its own, aligned for any element. */
export function tensorFrom({ dtype, shape, data }: Omit<TensorBytes, 'name'>): Tensor {
  return { dtype, shape, data: new kinds[dtype][0](data.buffer) as Tensor['data'] };
}
