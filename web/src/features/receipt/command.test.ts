import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { KernelName, Matrix } from 'bitexact';
import { parseQ16 } from '../../lib/q16.ts';
import { plainTask, type Kernels, type Task } from '../../lib/task.ts';
import { command } from './command.ts';

const kernels = { box: { rows: 1, cols: 2, data: Int32Array.of(7282, 7282) } } as Partial<Record<KernelName, Matrix>> as Kernels;

test('a named kernel and defaults', () => {
  const task = plainTask({ name: 'box', shape: [1, 2], q16: [7282, 7282] });
  expect(command('cat.png', task, kernels)).toBe('bitexact conv cat.png --kernel box -o out.png');
});

test('an empty result has no picture', () => {
  const task = plainTask({ name: 'box', shape: [1, 2], q16: [7282, 7282] });
  expect(command('cat.png', task, kernels, true)).toBe('bitexact conv cat.png --kernel box');
});

test('every option, with exact decimals', () => {
  const task = {
    ...plainTask({ name: 'custom', shape: [2, 2], q16: [1, -65536, 32768, 0] }),
    channels: 'rgb' as const,
    resize: { width: 640, height: 480, method: 'area' as const },
    pad: [1, 0, 1, 0] as const,
    stride: [2, 1] as const,
    activation: { kind: 'leaky_relu' as const, alpha: 16384 },
    pool: { kind: 'avg' as const, kernel: [3, 3] as const, stride: [2, 1] as const },
    background: [0, 10, 255] as const,
    mean: [-32768, 0, 1],
    std: [65536, 16384, 65536],
  };
  expect(command("it's a cat.png", task, kernels)).toBe(
    `bitexact conv 'it'\\''s a cat.png' --kernel '[[0.0000152587890625,-1],[0.5,0]]' --channels rgb --resize 640x480 --resize-method area` +
      ` --pad 1,0,1,0 --stride 2x1 --activation leaky-relu:0.25 --pool avg:3x3/2x1 --background 0,10,255 --mean -0.5,0,0.0000152587890625 --std 1,0.25,1 -o out.png`,
  );
});

test('a file name cannot become an option', () => {
  const task = plainTask({ name: 'box', shape: [1, 2], q16: [7282, 7282] });
  expect(command('--x.png', task, kernels)).toContain('conv ./--x.png ');
});

interface Pinned {
  pipelines: { name: string; image: string; task: Task }[];
}

const { pipelines }: Pinned = JSON.parse(readFileSync(new URL('../../../../tests/pipelines.json', import.meta.url), 'utf8'));

test('the pinned tasks are all here', () => expect(pipelines).toHaveLength(12));

const q16List = (text: string | undefined) => text?.split(',').map(parseQ16) ?? [];

test.each(pipelines)('the command holds every part of $name', ({ image, task }) => {
  const words = command(image, task, kernels).match(/'[^']*'|\S+/g)!;
  const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
  const has = (name: string, wanted: boolean) => expect(words.includes(name), name).toBe(wanted);
  expect(q16List(option('--kernel')!.replace(/['[\]]/g, ''))).toEqual(task.kernel.q16);
  expect(option('--channels') ?? 'luma').toBe(task.channels);
  expect(option('--resize')).toBe(task.resize ? `${task.resize.width}x${task.resize.height}` : undefined);
  expect(option('--resize-method') ?? 'bilinear').toBe(task.resize?.method ?? 'bilinear');
  has('--pad', task.pad !== 'VALID');
  has('--activation', task.activation.kind !== 'none');
  has('--pool', task.pool.kind !== 'none');
  has('--background', task.background !== null);
  expect(option('--stride') ?? '1x1').toBe(task.stride.join('x'));
  expect(q16List(option('--mean'))).toEqual(task.mean);
  expect(q16List(option('--std'))).toEqual(task.std);
});
