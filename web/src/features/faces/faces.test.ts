import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANCHORS, faceOutputs, findFaces, overlap } from './faces.ts';

const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height, score: 1, points: [] });
const none = () => ({ regressors: new Float32Array(896 * 16), logits: new Float32Array(896).fill(-100) });

function put({ regressors, logits }: ReturnType<typeof none>, anchor: number, logit: number, values: readonly number[]) {
  logits[anchor] = logit;
  regressors.set(values, anchor * 16);
}

test('896 anchors: 16 by 16 cells of two, 8 by 8 cells of six, row by row', () => {
  expect(ANCHORS.length).toBe(896);
  expect([ANCHORS[0], ANCHORS[1], ANCHORS[2], ANCHORS[32]]).toEqual([[1 / 32, 1 / 32], [1 / 32, 1 / 32], [3 / 32, 1 / 32], [1 / 32, 3 / 32]]);
  expect([ANCHORS[512], ANCHORS[517], ANCHORS[518], ANCHORS[895]]).toEqual([[1 / 16, 1 / 16], [1 / 16, 1 / 16], [3 / 16, 1 / 16], [15 / 16, 15 / 16]]);
});

test('a box is its anchor moved, in parts of 128; a logit of 0 is one half', () => {
  const out = none();
  put(out, 895, 0, [-64, -32, 32, 16, 8, 4]);
  const [face, ...others] = findFaces(out.regressors, out.logits);
  expect(others).toEqual([]);
  expect(face).toMatchObject({ score: 0.5, left: 15 / 16 - 1 / 2 - 1 / 8, top: 15 / 16 - 1 / 4 - 1 / 16, width: 1 / 4, height: 1 / 8 });
  expect(face!.points[0]).toEqual({ x: 15 / 16 + 1 / 16, y: 15 / 16 + 1 / 32 });
});

test('boxes of one face become one, weighted by score; other faces stay', () => {
  const out = none();
  put(out, 0, 0, [0, 0, 32, 32]);
  put(out, 1, 0, [2, 0, 32, 32]);
  put(out, 895, 3, [0, 0, 32, 32]);
  const faces = findFaces(out.regressors, out.logits);
  expect(faces.map((f) => f.left)).toEqual([15 / 16 - 1 / 8, 1 / 32 + 1 / 128 - 1 / 8]);
});

test('overlap', () => {
  expect(overlap(box(0, 0, 2, 2), box(1, 0, 2, 2))).toBeCloseTo(1 / 3);
  expect(overlap(box(0, 0, 1, 1), box(1, 1, 1, 1))).toBe(0);
  expect(overlap(box(0, 0, 0, 0), box(0, 0, 0, 0))).toBe(0);
});

test('the outputs are known by their shapes', () => {
  const q16 = (...shape: number[]) => ({ dtype: 'q16' as const, shape });
  expect(faceOutputs([q16(1, 896, 1), q16(1, 896, 16)])).toEqual([1, 0]);
  expect(faceOutputs([q16(1, 10)])).toBeUndefined();
});

// The outputs that TensorFlow.js computed of the sample photo; its face is where people see it.
const golden = `${process.env.BITEXACT_SHARED ?? new URL('../../../../../shared', import.meta.url).pathname}/models/mp-face-detection-short/golden/astronaut`;
test.skipIf(!existsSync(`${golden}.out0.f32`))('the astronaut’s face', () => {
  const read = (file: string) => new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  const [face, ...others] = findFaces(read(`${golden}.out0.f32`), read(`${golden}.out1.f32`));
  expect(others).toEqual([]);
  expect(face!.score).toBeCloseTo(0.9209, 4);
  expect(face!.left).toBeCloseTo(0.347, 2);
  expect(face!.top).toBeCloseTo(0.158, 2);
  expect(face!.width).toBeCloseTo(0.185, 2);
});
