import type { Tensor } from 'bitexact';
import { ONE } from './q16.ts';

function halfToNumber(bits: number): number {
  const exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction;
  return bits & 0x8000 ? -size : size;
}

/** What an element means as a number; integers, quantized ones too, are themselves. */
export function numberAt({ dtype, data }: Tensor, i: number): number {
  const value = Number(data[i]);
  return dtype === 'q16' ? value / ONE : dtype === 'f16' ? halfToNumber(value) : value;
}

/** The smallest and the largest element that is a number; zeros when there is none. */
export function rangeOf(tensor: Tensor): readonly [least: number, most: number] {
  let least = Infinity, most = -Infinity;
  for (let i = 0; i < tensor.data.length; ++i) {
    const value = numberAt(tensor, i);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [0, 0];
}

export const countOf = (shape: readonly number[]) => shape.reduce((n, d) => n * d, 1);

/** Digits enough for people; what counts is the digest. */
export const shortNumber = (value: number) => String(Number(value.toPrecision(5))).replace('-', '−');

export const grouped = (n: number) => n.toLocaleString('en');

export const typeText = (dtype: string, shape: readonly number[]) => `${dtype} ${shape.join('×')}`;
