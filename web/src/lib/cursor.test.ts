import { expect, test } from 'vitest';
import type { Stage } from 'bitexact';
import { clampCursor, isEmpty, marksOf, middleOf, sizeOf } from './cursor.ts';
import { plainTask, type Task } from './task.ts';

const stage = (name: string, dtype: Stage['dtype'], ...shape: number[]): Stage => ({ name, op: '', dtype, shape, sha256: '' });
const stages = [stage('pixels', 'u8', 20, 30, 3), stage('input', 'q16', 1, 20, 30), stage('conv', 'q16', 1, 18, 28), stage('pool', 'q16', 1, 9, 14)];
const pooled: Task = { ...plainTask({ shape: [3, 3], q16: Array<number>(9).fill(1) }), pool: { kind: 'max', kernel: [2, 2], stride: [2, 2] } };

test('pixels are interleaved, tensors are planes', () => {
  expect(sizeOf(stages[0]!)).toEqual([20, 30]);
  expect(sizeOf(stages[1]!)).toEqual([20, 30]);
});

test('a stage without elements is empty', () => {
  expect(isEmpty(stage('pool', 'q16', 1, 0, 14))).toBe(true);
  expect(isEmpty(stage('pool', 'q16', 1, 1, 1))).toBe(false);
});

test('a cursor stays within its stage, and moves to the convolution when its stage is gone', () => {
  expect(clampCursor({ stage: 'pool', y: 99, x: -1 }, stages)).toEqual({ stage: 'pool', y: 8, x: 0 });
  expect(clampCursor({ stage: 'activation', y: 17, x: 27 }, stages)).toEqual({ stage: 'conv', y: 17, x: 27 });
  expect(clampCursor({ stage: 'conv', y: 0, x: 0 }, [])).toBeUndefined();
  expect(middleOf(stages)).toEqual({ stage: 'conv', y: 9, x: 14 });
});

test('a pooled value is traced back to the photo', () => {
  const marks = marksOf({ stage: 'pool', y: 2, x: 3 }, pooled, stages);
  expect(marks.pool).toEqual({ y: 2, x: 3, height: 1, width: 1 });
  expect(marks.conv).toEqual({ y: 4, x: 6, height: 2, width: 2 });
  expect(marks.input).toEqual({ y: 4, x: 6, height: 4, width: 4 });
  expect(marks.pixels).toEqual(marks.input);
});
