import { expect, test } from 'vitest';
import { numberAt, rangeOf, shortNumber } from './elements.ts';

test('elements as numbers', () => {
  expect(numberAt({ dtype: 'q16', shape: [1], data: Int32Array.of(-98304) }, 0)).toBe(-1.5);
  expect(numberAt({ dtype: 'i64', shape: [1], data: BigInt64Array.of(-7n) }, 0)).toBe(-7);
  expect(numberAt({ dtype: 'u8', shape: [1], data: Uint8Array.of(200) }, 0)).toBe(200);
});

test('half precision, by the examples of IEEE 754', () => {
  const halves = Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555, 0xfc00, 0x8000);
  const values = [...halves].map((_, i) => numberAt({ dtype: 'f16', shape: [7], data: halves }, i));
  expect(values).toEqual([1, -2, 65504, 2 ** -24, 0.333251953125, -Infinity, -0]);
});

test('a range passes over what is no number', () => {
  expect(rangeOf({ dtype: 'f32', shape: [3], data: Float32Array.of(2, NaN, -4) })).toEqual([-4, 2]);
  expect(rangeOf({ dtype: 'f32', shape: [0], data: new Float32Array() })).toEqual([0, 0]);
});

test('numbers for people', () => {
  expect([0.1 + 0.2, -16.672103, 12345678, 0].map(shortNumber)).toEqual(['0.3', '−16.672', '12346000', '0']);
});
