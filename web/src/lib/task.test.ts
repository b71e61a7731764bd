import { expect, test } from 'vitest';
import type { KernelName, Matrix } from 'bitexact';
import { firstTask, isSigned, nameOf, namedKernel, plainTask, sameTask, taskToText, textToTask, type Kernels, type Task } from './task.ts';

const sobel: Matrix = { rows: 3, cols: 3, data: Int32Array.from([-65536, 0, 65536, -131072, 0, 131072, -65536, 0, 65536]) };
const kernels = { 'sobel-x': sobel, identity: { rows: 1, cols: 1, data: Int32Array.of(65536) } } as Partial<Record<KernelName, Matrix>> as Kernels;
const first = firstTask(kernels);

const odd: Task = {
  ...first,
  kernel: { name: 'custom', shape: [1, 3], q16: [-65536, 7282, 2147483647] },
  channels: 'rgb',
  resize: { width: 320, height: 200, method: 'area' },
  background: [255, 0, 128],
  pad: [0, 2, 0, 1],
  stride: [2, 3],
  activation: { kind: 'leaky_relu', alpha: 6554 },
  pool: { kind: 'avg', kernel: [3, 2], stride: [1, 2] },
};

test('a link reads back as the task it was made of', () => {
  for (const task of [first, plainTask(namedKernel(kernels, 'identity')), odd]) expect(textToTask(taskToText(task), kernels, first)).toEqual(task);
});

test('a link is short and readable', () => {
  expect(taskToText(first)).toBe('kernel=sobel-x&activation=relu&pool=max2x2');
});

test('nonsense in a link is left out', () => {
  const bad = 'kernel=3x3:1,2&pad=9,9,9,9&stride=0x1&pool=max:2x/1&activation=tanh&resize=1x1:cubic&channels=cmyk';
  expect(textToTask(bad, kernels, first)).toEqual(plainTask(first.kernel));
  expect(textToTask('', kernels, first)).toBe(first);
});

test.each([
  'pool=max:65x2/1x1', 'pool=avg:2x2/1x65', 'stride=65x1', 'background=1,2', 'background=1,,2',
  'mean=1,2,3', 'mean=1&std=0', 'mean=1,2&std=1,2', 'mean=1,2,3&std=1',
])('what the engine would refuse is left out of a link: %s', (bad) => {
  expect(textToTask(`kernel=sobel-x&${bad}`, kernels, first)).toEqual(plainTask(first.kernel));
});

test('a link may hold the largest window and a mean and std for each plane', () => {
  const task: Task = { ...odd, mean: [-1, 0, 1], std: [1, -2, 3], stride: [64, 64], pool: { kind: 'max', kernel: [64, 64], stride: [64, 64] } };
  expect(textToTask(taskToText(task), kernels, first)).toEqual(task);
});

test('a kernel is known by its numbers', () => {
  expect(textToTask('kernel=1x1:65536', kernels, first).kernel.name).toBe('identity');
  expect(nameOf(kernels, { name: 'custom', shape: [3, 3], q16: [...sobel.data] })).toBe('sobel-x');
  expect(nameOf(kernels, { shape: [1, 9], q16: [...sobel.data] })).toBeUndefined();
  expect(isSigned(first.kernel)).toBe(true);
  expect(isSigned(namedKernel(kernels, 'identity'))).toBe(false);
});

test('tasks are compared by meaning', () => {
  expect(sameTask(first, { ...first, kernel: { ...first.kernel } })).toBe(true);
  expect(sameTask(first, { ...first, stride: [1, 2] })).toBe(false);
});
