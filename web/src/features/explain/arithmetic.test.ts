import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { activate, convolve, pool, round16 } from './arithmetic.ts';

interface Case {
  op: string;
  inputs: Record<string, { shape: number[]; data?: number[] }>;
  output?: { shape: number[]; data?: number[] };
}

// The vectors of the oracle: the panel's arithmetic must give what the law gives.
const fx: Case[] = JSON.parse(readFileSync(new URL('../../../../tests/vectors/fx.json', import.meta.url), 'utf8')).cases;

function cut(data: number[], cols: number, y: number, x: number, h: number, w: number): number[] {
  return Array.from({ length: h * w }, (_, i) => data[(y + Math.floor(i / w)) * cols + x + (i % w)]!);
}

test('every output of every fx_conv2d vector', () => {
  const cases = fx.filter((c) => c.op === 'fx_conv2d' && c.output?.data && c.inputs.in?.data && c.inputs.kernel?.data);
  expect(cases.length).toBeGreaterThan(20);
  for (const c of cases) {
    const [, cols] = c.inputs.in!.shape;
    const [kh, kw] = c.inputs.kernel!.shape;
    const [oh, ow] = c.output!.shape;
    for (let y = 0; y < oh!; y++)
      for (let x = 0; x < ow!; x++)
        expect(convolve(cut(c.inputs.in!.data!, cols!, y, x, kh!, kw!), c.inputs.kernel!.data!).result).toBe(c.output!.data![y * ow! + x]);
  }
});

test('every output of every fx 2x2 pooling vector', () => {
  const kinds = { fx_maxpool_2x2: 'max', fx_avgpool_2x2: 'avg' } as const;
  const cases = fx.filter((c) => Object.hasOwn(kinds, c.op) && c.output?.data && c.inputs.in?.data);
  expect(cases.length).toBeGreaterThan(5);
  for (const c of cases) {
    const [oh, ow] = c.output!.shape;
    for (let i = 0; i < oh! * ow!; i++) {
      const window = cut(c.inputs.in!.data!, c.inputs.in!.shape[1]!, 2 * Math.floor(i / ow!), 2 * (i % ow!), 2, 2);
      expect(pool(window, kinds[c.op as keyof typeof kinds]).result).toBe(c.output!.data![i]);
    }
  }
});

test('rounding is to nearest, ties towards plus infinity', () => {
  expect(round16(32768n)).toBe(1n);
  expect(round16(-32768n)).toBe(0n);
  expect(round16(-32769n)).toBe(-1n);
});

test('activations', () => {
  expect(activate(-5, { kind: 'none' })).toBe(-5);
  expect(activate(-5, { kind: 'relu' })).toBe(0);
  expect(activate(7, { kind: 'leaky_relu', alpha: 6554 })).toBe(7);
  expect(activate(-65536, { kind: 'leaky_relu', alpha: 6554 })).toBe(-6554);
});

test('two products of the lowest value exceed 64 bits and stay exact', () => {
  const low = [-2147483648, -2147483648];
  expect(convolve(low, low).sum).toBe(1n << 63n);
  expect(convolve(low, low).result).toBe(2147483647);
});
