import { expect, test } from 'vitest';
import type { KernelName, Matrix } from 'bitexact';
import { readLink, writeLink } from './link.ts';
import { firstTask, type Kernels } from './task.ts';

const kernels = { 'sobel-x': { rows: 1, cols: 2, data: Int32Array.of(-1, 1) } } as Partial<Record<KernelName, Matrix>> as Kernels;
const first = firstTask(kernels);

test('a link leads back to its view', () => {
  const task = { ...first, channels: 'rgb' as const, pad: 'FULL' as const };
  expect(readLink(writeLink('coffee', task), kernels, first)).toEqual({ sample: 'coffee', task });
});

test('no link, no sample or an unknown one: the first view', () => {
  expect(readLink('', kernels, first)).toEqual({ sample: 'astronaut', task: first });
  expect(readLink('#sample=constructor', kernels, first).sample).toBe('astronaut');
  expect(readLink(writeLink(undefined, first), kernels, first)).toEqual({ sample: 'astronaut', task: first });
});
