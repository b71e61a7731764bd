import type { TensorType } from 'bitexact';

/** All in parts of the picture's width and height. */
export interface Face {
  readonly score: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Eyes, nose tip, mouth and ears. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const INPUT = 128;
const VALUES = 16;
/** Cells along a side, and anchors in each: strides 8 and 3 times 16. */
const GRIDS = [[16, 2], [8, 6]] as const;

/** Centres of the anchors of MediaPipe's short-range detector, in its outputs' order. */
export const ANCHORS: readonly (readonly [x: number, y: number])[] = GRIDS.flatMap(([side, each]) =>
  Array.from({ length: side * side * each }, (_, i) => {
    const cell = Math.floor(i / each);
    return [((cell % side) + 0.5) / side, (Math.floor(cell / side) + 0.5) / side] as const;
  }));

/** Which of a model's outputs are that detector's regressors and scores. */
export function faceOutputs(outputs: readonly TensorType[]): readonly [regressors: number, scores: number] | undefined {
  const find = (last: number) => outputs.findIndex(({ shape }) => shape.join() === `1,${ANCHORS.length},${last}`);
  const [regressors, scores] = [find(VALUES), find(1)];
  return outputs.length === 2 && regressors >= 0 && scores >= 0 ? [regressors, scores] : undefined;
}

function decode(i: number, raw: ArrayLike<number>, logit: number): Face {
  const [ax, ay] = ANCHORS[i]!;
  const value = (k: number) => raw[i * VALUES + k]! / INPUT;
  const [width, height] = [value(2), value(3)];
  const points = Array.from({ length: 6 }, (_, k) => ({ x: value(4 + 2 * k) + ax, y: value(5 + 2 * k) + ay }));
  return { score: 1 / (1 + Math.exp(-logit)), left: value(0) + ax - width / 2, top: value(1) + ay - height / 2, width, height, points };
}

/** Shared area by joined area. */
export function overlap(a: Face, b: Face): number {
  const along = (p: number, n: number, q: number, m: number) => Math.max(0, Math.min(p + n, q + m) - Math.max(p, q));
  const shared = along(a.left, a.width, b.left, b.width) * along(a.top, a.height, b.top, b.height);
  const joined = a.width * a.height + b.width * b.height - shared;
  return joined > 0 ? shared / joined : 0;
}

/** The best one's score, and a mean of places by score. */
function mean(group: readonly Face[]): Face {
  const total = group.reduce((sum, f) => sum + f.score, 0);
  const of = (value: (f: Face) => number) => group.reduce((sum, f) => sum + f.score * value(f), 0) / total;
  const points = group[0]!.points.map((_, k) => ({ x: of((f) => f.points[k]!.x), y: of((f) => f.points[k]!.y) }));
  return { score: group[0]!.score, left: of((f) => f.left), top: of((f) => f.top), width: of((f) => f.width), height: of((f) => f.height), points };
}

/**
 * Faces by falling score, from the detector's outputs as real numbers; boxes that overlap by more than `same` are one
 * face. Floating point: the outputs are exact, what is drawn of them need not be.
 */
export function findFaces(regressors: ArrayLike<number>, logits: ArrayLike<number>, least = 0.5, same = 0.3): Face[] {
  let left = ANCHORS.map((_, i) => decode(i, regressors, logits[i]!)).filter((f) => f.score >= least).sort((a, b) => b.score - a.score);
  const faces = [];
  while (left[0]) {
    const best = left[0];
    const isBest = (f: Face) => f === best || overlap(f, best) > same;
    faces.push(mean(left.filter(isBest)));
    left = left.filter((f) => !isBest(f));
  }
  return faces;
}
