import type { PhotoRun, Remote } from 'bitexact';
import { sizeOf, type Cursor } from '../../lib/cursor.ts';
import { convWindow, poolWindow, type Rect } from '../../lib/geometry.ts';
import type { Task } from '../../lib/task.ts';
import { activate, convolve, pool, type Convolution, type Pooled } from './arithmetic.ts';

/** A rectangle of a stage, copied out of the engine. */
export interface Cut {
  readonly rect: Rect;
  readonly values: Int32Array;
}

export interface Explanation {
  readonly run: Remote<PhotoRun>;
  readonly task: Task;
  readonly cursor: Cursor;
  readonly plane: number;
  /** The output of the convolution that is explained: the cursor's own, or one of the pooled ones. */
  readonly at: { readonly y: number; readonly x: number };
  readonly input: { readonly height: number; readonly width: number };
  readonly surroundings: Cut;
  readonly window: Cut;
  readonly conv: Convolution;
  readonly activation?: { readonly x: number; readonly result: number };
  readonly pool?: { readonly cut: Cut; readonly pooled: Pooled; readonly pick: number };
  readonly result: number;
  /** What the engine holds at the cursor. */
  readonly stored: number;
}

const MARGIN = 5;

const grow = ({ y, x, height, width }: Rect, by: number): Rect => ({ y: y - by, x: x - by, height: height + 2 * by, width: width + 2 * by });

function crop({ rect, values }: Cut, to: Rect): Cut {
  const at = (i: number) => values[(to.y - rect.y + Math.floor(i / to.width)) * rect.width + (to.x - rect.x) + (i % to.width)]!;
  return { rect: to, values: Int32Array.from({ length: to.height * to.width }, (_, i) => at(i)) };
}

/** Recomputes one output in BigInt from the engine's stored inputs. `pick` chooses among the values of a pooling window. */
export async function explain(run: Remote<PhotoRun>, task: Task, cursor: Cursor, plane: number, pick?: number): Promise<Explanation> {
  const index = (name: string) => run.stages.findIndex((s) => s.name === name);
  const cut = async (stage: string, r: Rect): Promise<Cut> => ({ rect: r, values: await run.window(index(stage), plane, r.y, r.x, r.height, r.width) });
  const stored = (await cut(cursor.stage, { y: cursor.y, x: cursor.x, height: 1, width: 1 })).values[0]!;

  const last = task.activation.kind === 'none' ? 'conv' : 'activation';
  const pooling = cursor.stage === 'pool' && task.pool.kind !== 'none' ? await pooledFrom(task.pool, (r) => cut(last, r), cursor, pick) : undefined;
  const at = pooling?.at ?? { y: cursor.y, x: cursor.x };

  const [height, width] = sizeOf(run.stages[index('input')]!);
  const rect = convWindow(task, height, width, at.y, at.x);
  const surroundings = await cut('input', grow(rect, MARGIN));
  const window = crop(surroundings, rect);
  const conv = convolve(window.values, task.kernel.q16);
  const activation = cursor.stage === 'conv' || last === 'conv' ? undefined : { x: conv.result, result: activate(conv.result, task.activation) };
  const result = pooling?.pooled.result ?? activation?.result ?? conv.result;
  return { run, task, cursor, plane, at, input: { height, width }, surroundings, window, conv, activation, pool: pooling, result, stored };
}

type Pooling = Exclude<Task['pool'], { kind: 'none' }>;

async function pooledFrom(task: Pooling, cut: (r: Rect) => Promise<Cut>, cursor: Cursor, pick: number | undefined) {
  const values = await cut(poolWindow(task, cursor.y, cursor.x));
  const pooled = pool(values.values, task.kind);
  const chosen = pick ?? (task.kind === 'max' ? pooled.largest : 0);
  const { y, x, width } = values.rect;
  return { cut: values, pooled, pick: chosen, at: { y: y + Math.floor(chosen / width), x: x + (chosen % width) } };
}
