import type { ModelRun, Remote, Score, Tensor } from 'bitexact';
import { countOf, numberAt } from '../../lib/elements.ts';
import { useLater } from '../../lib/use-later.ts';
import { faceOutputs, findFaces, type Face } from '../faces/faces.ts';

/** What a run says: faces, scores, or neither when its output is no list. */
export interface Answer {
  readonly run: Remote<ModelRun>;
  readonly faces?: readonly Face[];
  readonly scores: readonly Score[];
  /** Every class is among the scores. */
  readonly all: boolean;
}

const MOST = 10;

const reals = (tensor: Tensor) => Float64Array.from({ length: tensor.data.length }, (_, i) => numberAt(tensor, i));

async function answerOf(run: Remote<ModelRun>, labels?: readonly string[]): Promise<Answer> {
  const { outputs } = run;
  const faces = faceOutputs(outputs);
  if (faces) return { run, faces: findFaces(reals(outputs[faces[0]]!), reals(outputs[faces[1]]!)), scores: [], all: false };
  return { run, scores: await run.top(MOST, labels), all: countOf(outputs[0]?.shape ?? []) <= MOST };
}

export const useAnswer = (run: Remote<ModelRun> | undefined, labels?: readonly string[]): Answer | undefined =>
  useLater(() => run && answerOf(run, labels), [run, labels]);
