import { expect, test } from 'vitest';
import { convWindow, convWindows, padBefore, poolWindow } from './geometry.ts';
import { plainTask } from './task.ts';

const box = { name: 'custom', shape: [3, 3] as const, q16: Array<number>(9).fill(1) };

test('padding before the input, by the table of the law', () => {
  expect(padBefore('VALID', 'y', 5, 3, 2)).toBe(0);
  expect(padBefore('FULL', 'y', 5, 3, 2)).toBe(2);
  expect(padBefore('SAME_UPPER', 'y', 5, 3, 2)).toBe(1);
  expect(padBefore('SAME_UPPER', 'y', 4, 3, 2)).toBe(0);
  expect(padBefore('SAME_LOWER', 'y', 4, 3, 2)).toBe(1);
  expect(padBefore([1, 2, 3, 4], 'y', 9, 5, 1)).toBe(1);
  expect(padBefore([1, 2, 3, 4], 'x', 9, 5, 1)).toBe(2);
});

test('an output stands on its window', () => {
  const task = { ...plainTask(box), pad: [1, 2, 0, 0] as const, stride: [2, 3] as const };
  expect(convWindow(task, 20, 20, 0, 0)).toEqual({ y: -1, x: -2, height: 3, width: 3 });
  expect(convWindow(task, 20, 20, 4, 5)).toEqual({ y: 7, x: 13, height: 3, width: 3 });
  expect(convWindows(task, 20, 20, { y: 4, x: 5, height: 2, width: 2 })).toEqual({ y: 7, x: 13, height: 5, width: 6 });
});

test('a pooled value stands on its window', () => {
  expect(poolWindow({ kind: 'max', kernel: [2, 3], stride: [1, 2] }, 3, 4)).toEqual({ y: 3, x: 8, height: 2, width: 3 });
});
