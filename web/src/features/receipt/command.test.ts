import { expect, test } from 'vitest';
import type { KernelName, Matrix } from 'bitexact';
import { plainTask, type Kernels } from '../../lib/task.ts';
import { command } from './command.ts';

const kernels = { box: { rows: 1, cols: 2, data: Int32Array.of(7282, 7282) } } as Partial<Record<KernelName, Matrix>> as Kernels;

test('a named kernel and defaults', () => {
  const task = plainTask({ name: 'box', shape: [1, 2], q16: [7282, 7282] });
  expect(command('cat.png', task, kernels)).toBe('bitexact conv cat.png --kernel box -o out.png');
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
  };
  expect(command("it's a cat.png", task, kernels)).toBe(
    `bitexact conv 'it'\\''s a cat.png' --kernel '[[0.0000152587890625,-1],[0.5,0]]' --channels rgb --resize 640x480 --resize-method area` +
      ` --pad 1,0,1,0 --stride 2x1 --activation leaky-relu:0.25 --pool avg:3x3/2x1 --background 0,10,255 -o out.png`,
  );
});

test('a file name cannot become an option', () => {
  const task = plainTask({ name: 'box', shape: [1, 2], q16: [7282, 7282] });
  expect(command('--x.png', task, kernels)).toContain('conv ./--x.png ');
});
