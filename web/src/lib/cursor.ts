import type { Stage } from 'bitexact';
import { convWindows, poolWindow, type Rect } from './geometry.ts';
import type { Task } from './task.ts';

export type CursorStage = 'conv' | 'activation' | 'pool';

/** The output pixel that is explained. */
export interface Cursor {
  readonly stage: CursorStage;
  readonly y: number;
  readonly x: number;
}

export const isCursorStage = (name: string): name is CursorStage => name === 'conv' || name === 'activation' || name === 'pool';

/** Height and width of a stage, whatever its layout. */
export function sizeOf({ dtype, shape }: Stage): readonly [height: number, width: number] {
  const [a = 1, b = 1, c = 1] = shape;
  return dtype === 'q16' ? [b, c] : [a, b];
}

export const planesOf = ({ dtype, shape }: Stage) => (dtype === 'q16' ? (shape[0] ?? 1) : 1);

export const isEmpty = ({ shape }: Stage) => shape.includes(0);

const clamp = (v: number, hi: number) => Math.max(0, Math.min(v, hi - 1));

/** The cursor, or the nearest place that this run has. */
export function clampCursor(cursor: Cursor, stages: readonly Stage[]): Cursor | undefined {
  const stage = stages.find((s) => s.name === cursor.stage) ?? stages.find((s) => s.name === 'conv');
  if (!stage || !isCursorStage(stage.name)) return undefined;
  const [height, width] = sizeOf(stage);
  return height && width ? { stage: stage.name, y: clamp(cursor.y, height), x: clamp(cursor.x, width) } : undefined;
}

export function middleOf(stages: readonly Stage[]): Cursor | undefined {
  const conv = stages.find((s) => s.name === 'conv');
  const [height, width] = conv ? sizeOf(conv) : [0, 0];
  return clampCursor({ stage: 'conv', y: height >> 1, x: width >> 1 }, stages);
}

/** For every stage that has a part in the cursor's value: which part. */
export function marksOf(cursor: Cursor, task: Task, stages: readonly Stage[]): Readonly<Record<string, Rect>> {
  const input = stages.find((s) => s.name === 'input');
  if (!input) return {};
  const [height, width] = sizeOf(input);
  const point: Rect = { y: cursor.y, x: cursor.x, height: 1, width: 1 };
  const pooled = cursor.stage === 'pool' && task.pool.kind !== 'none';
  const conv = pooled ? poolWindow(task.pool as Exclude<Task['pool'], { kind: 'none' }>, cursor.y, cursor.x) : point;
  const window = convWindows(task, height, width, conv);
  return { input: window, [task.resize ? 'resized' : 'pixels']: window, conv, activation: conv, ...(pooled && { pool: point }) };
}
