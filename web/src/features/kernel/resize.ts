import type { Padding } from 'bitexact';
import type { Task } from '../../lib/task.ts';

/** The kernel with other sides: its numbers stay around the middle, new cells are 0. */
export function resizeKernel(kernel: Task['kernel'], shape: readonly [number, number]): Task['kernel'] {
  const [rows, cols] = shape;
  const [oldRows, oldCols] = kernel.shape;
  const top = Math.floor((rows - oldRows) / 2);
  const left = Math.floor((cols - oldCols) / 2);
  const at = (y: number, x: number) => (y >= 0 && x >= 0 && y < oldRows && x < oldCols ? kernel.q16[y * oldCols + x]! : 0);
  const q16 = Array.from({ length: rows * cols }, (_, i) => at(Math.floor(i / cols) - top, (i % cols) - left));
  return { name: 'custom', shape, q16 };
}

/** Padding may not reach the kernel's own size. */
export function fitPad(pad: Padding, [rows, cols]: readonly [number, number]): Padding {
  if (typeof pad === 'string') return pad;
  const [top, left, bottom, right] = pad;
  return [Math.min(top, rows - 1), Math.min(left, cols - 1), Math.min(bottom, rows - 1), Math.min(right, cols - 1)];
}
