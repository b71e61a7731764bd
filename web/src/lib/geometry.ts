import type { Padding } from 'bitexact';
import type { Pool, Task } from './task.ts';

export interface Rect {
  readonly y: number;
  readonly x: number;
  readonly height: number;
  readonly width: number;
}

const PAD_INDEX = { y: 0, x: 1 } as const;

/** Cells of padding before the input on one axis (n inputs, window k, stride s). */
export function padBefore(pad: Padding, axis: 'y' | 'x', n: number, k: number, s: number): number {
  if (typeof pad !== 'string') return pad[PAD_INDEX[axis]];
  if (pad === 'VALID') return 0;
  if (pad === 'FULL') return k - 1;
  const total = Math.max(0, (Math.ceil(n / s) - 1) * s + k - n);
  return pad === 'SAME_UPPER' ? Math.floor(total / 2) : Math.ceil(total / 2);
}

/** The part of the input (height x width) which output (y, x) of the convolution is made of; may reach into the padding. */
export function convWindow(task: Task, height: number, width: number, y: number, x: number): Rect {
  const [kh, kw] = task.kernel.shape;
  const [sh, sw] = task.stride;
  return {
    y: y * sh - padBefore(task.pad, 'y', height, kh, sh),
    x: x * sw - padBefore(task.pad, 'x', width, kw, sw),
    height: kh,
    width: kw,
  };
}

export function poolWindow(pool: Exclude<Pool, { kind: 'none' }>, y: number, x: number): Rect {
  return { y: y * pool.stride[0], x: x * pool.stride[1], height: pool.kernel[0], width: pool.kernel[1] };
}

/** The smallest rectangle around the windows of all outputs in `outputs`. */
export function convWindows(task: Task, height: number, width: number, outputs: Rect): Rect {
  const a = convWindow(task, height, width, outputs.y, outputs.x);
  const b = convWindow(task, height, width, outputs.y + outputs.height - 1, outputs.x + outputs.width - 1);
  return { y: a.y, x: a.x, height: b.y + b.height - a.y, width: b.x + b.width - a.x };
}
