import { expect, test } from 'vitest';
import { fitPad, resizeKernel } from './resize.ts';

const kernel = { name: 'box', shape: [2, 2] as const, q16: [1, 2, 3, 4] };

test('a larger kernel keeps its numbers in the middle', () => {
  expect(resizeKernel(kernel, [4, 4]).q16).toEqual([0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0]);
  expect(resizeKernel(kernel, [2, 3])).toEqual({ name: 'custom', shape: [2, 3], q16: [1, 2, 0, 3, 4, 0] });
});

test('a smaller one keeps what fits', () => {
  expect(resizeKernel(resizeKernel(kernel, [4, 4]), [2, 2]).q16).toEqual(kernel.q16);
  expect(resizeKernel(kernel, [1, 1]).q16).toHaveLength(1);
});

test('padding stays below the kernel', () => {
  expect(fitPad([4, 4, 1, 0], [3, 2])).toEqual([2, 1, 1, 0]);
  expect(fitPad('FULL', [1, 1])).toBe('FULL');
});
