import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine, PhotoRun, Remote, Stage } from 'bitexact';
import type { Photo } from './photo.ts';
import type { Task } from './task.ts';

export interface RunState {
  /** Absent while a newer one is being computed. */
  readonly run?: Remote<PhotoRun>;
  readonly stages: readonly Stage[];
  readonly total: number;
  readonly busy: boolean;
  readonly error?: string;
  /** How long a finished run took. */
  readonly milliseconds?: number;
}

interface Answer extends RunState {
  readonly photo?: Photo;
  readonly task?: Task;
}

export const idle: RunState = { stages: [], total: 0, busy: true };
const message = (e: unknown) => (e instanceof Error ? e.message : String(e));

/**
 * The run of a task on a photo. A newer request aborts the older one, and one run at most is alive: its tensors
 * are the bulk of all memory, and with 24 megapixels two of them would not fit everywhere.
 */
export function useRun(engine: Remote<Engine>, photo: Photo | undefined, task: Task): RunState {
  const [state, setState] = useState<Answer>(idle);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const alive = useRef<Remote<PhotoRun>>();

  useEffect(() => {
    if (!photo) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    const update = (next: Partial<RunState>) => signal.aborted || setState((s) => ({ ...s, ...next }));
    const start = async () => {
      if (signal.aborted) return;
      await alive.current?.dispose();
      alive.current = undefined;
      const onStage = (stage: Stage, _done: number, total: number) => {
        if (!signal.aborted) setState((s) => ({ ...s, stages: [...s.stages, stage], total }));
      };
      const started = performance.now();
      const run = await engine.photo(photo.bytes, task, { signal, onStage });
      alive.current = run;
      update({ run, stages: run.stages, busy: false, milliseconds: performance.now() - started });
    };
    setState({ ...idle, photo, task });
    queue.current = queue.current.then(start).catch((e: unknown) => update({ busy: false, error: `${photo.name}: ${message(e)}` }));
    return () => aborter.abort();
  }, [engine, photo, task]);

  // What was computed for an older photo or task is no answer to this one.
  if (!photo) return { ...idle, busy: false };
  return state.photo === photo && state.task === task ? state : idle;
}
