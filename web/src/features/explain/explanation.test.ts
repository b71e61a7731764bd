import { expect, test } from 'vitest';
import type { PhotoRun, Remote, Stage } from 'bitexact';
import { plainTask } from '../../lib/task.ts';
import { explain } from './explanation.ts';

const stage = (name: string, ...shape: number[]): Stage => ({ name, op: '', dtype: 'q16', shape, sha256: '' });

/** Every value of the input is 1, the convolution holds 3. */
const run = {
  stages: [stage('pixels', 4, 4, 1), stage('input', 1, 4, 4), stage('conv', 1, 4, 2)],
  window: async (index: number, _plane: number, _y: number, _x: number, height: number, width: number) =>
    new Int32Array(height * width).fill(index === 1 ? 65536 : 3 * 65536),
} as unknown as Remote<PhotoRun>;

test('an explanation keeps the run and the task it is of', async () => {
  const task = plainTask({ shape: [1, 3], q16: [65536, 65536, 65536] });
  const e = await explain(run, task, { stage: 'conv', y: 1, x: 1 }, 0);
  expect(e.run).toBe(run);
  expect(e.task).toBe(task);
  expect([e.result, e.stored]).toEqual([3 * 65536, 3 * 65536]);
});
