import { useMemo } from 'preact/hooks';
import type { Engine, PhotoRun, Remote, Stage } from 'bitexact';
import type { Photo } from './photo.ts';
import type { Task } from './task.ts';
import { idle as idleRun, useOneRun, type OneRun, type Start } from './use-one-run.ts';

export interface RunState extends Omit<OneRun<Remote<PhotoRun>, Stage>, 'steps'> {
  readonly stages: readonly Stage[];
}

const stagesOf = ({ steps, ...rest }: OneRun<Remote<PhotoRun>, Stage>): RunState => ({ ...rest, stages: steps });

export const idle = stagesOf(idleRun);

/** The run of a task on a photo. */
export function useRun(engine: Remote<Engine>, photo: Photo | undefined, task: Task): RunState {
  const start = useMemo((): Start<Remote<PhotoRun>, Stage> | undefined => photo && ((signal, report) =>
    engine.photo(photo.bytes, task, { signal, onStage: (stage, _done, total) => report(stage, total) })), [engine, photo, task]);
  return stagesOf(useOneRun(start, photo?.name ?? ''));
}
