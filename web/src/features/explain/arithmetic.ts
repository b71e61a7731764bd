import { floorDiv, saturate } from '../../lib/q16.ts';
import type { Activation, Pool } from '../../lib/task.ts';

/** R(x, 16): nearest, ties towards plus infinity. A BigInt shift rounds to minus infinity. */
export const round16 = (x: bigint): bigint => (x + 32768n) >> 16n;

export interface Convolution {
  readonly products: readonly bigint[];
  readonly sum: bigint;
  readonly rounded: bigint;
  readonly result: number;
}

export function convolve(window: ArrayLike<number>, kernel: ArrayLike<number>): Convolution {
  const products = Array.from(kernel, (k, i) => BigInt(window[i]!) * BigInt(k));
  const sum = products.reduce((a, b) => a + b, 0n);
  const rounded = round16(sum);
  return { products, sum, rounded, result: Number(saturate(rounded)) };
}

export function activate(x: number, activation: Activation): number {
  if (activation.kind === 'none' || x >= 0) return x;
  return activation.kind === 'leaky_relu' ? Number(saturate(round16(BigInt(x) * BigInt(activation.alpha)))) : 0;
}

export interface Pooled {
  readonly sum: bigint;
  /** Of the first largest value. */
  readonly largest: number;
  readonly result: number;
}

export function pool(window: ArrayLike<number>, kind: Exclude<Pool['kind'], 'none'>): Pooled {
  const values = Array.from(window);
  const sum = values.reduce((a, v) => a + BigInt(v), 0n);
  const largest = values.reduce((best, v, i) => (v > values[best]! ? i : best), 0);
  const n = BigInt(values.length);
  return { sum, largest, result: kind === 'max' ? values[largest]! : Number(floorDiv(2n * sum + n, 2n * n)) };
}
