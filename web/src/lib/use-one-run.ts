import { useEffect, useRef, useState } from 'preact/hooks';
import { message } from './files.ts';

interface Run {
  dispose(): Promise<void>;
}

/** Computes something; `report` is called after each of its steps. */
export type Start<R extends Run, S> = (signal: AbortSignal, report: (step: S, total: number) => void) => Promise<R>;

export interface OneRun<R extends Run, S> {
  /** Absent while a newer one is being computed. */
  readonly run?: R;
  readonly steps: readonly S[];
  readonly total: number;
  readonly busy: boolean;
  readonly error?: string;
  /** How long a finished run took. */
  readonly milliseconds?: number;
  readonly cancelled?: boolean;
  /** Of a busy one that can be cancelled already. */
  readonly cancel?: () => void;
}

export const idle = { steps: [], total: 0, busy: true } as const;

/**
 * The run that `start` makes, under a `name` that errors begin with. A newer one aborts the older, and one run at most is
 * alive: its tensors are the bulk of all memory, and with 24 megapixels two of them would not fit everywhere.
 */
export function useOneRun<R extends Run, S>(start: Start<R, S> | undefined, name: string): OneRun<R, S> {
  const [state, setState] = useState<OneRun<R, S> & { readonly start?: Start<R, S> }>(idle);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const alive = useRef<R>();

  useEffect(() => {
    if (!start) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    const update = (change: (s: OneRun<R, S>) => Partial<OneRun<R, S>>) => signal.aborted || setState((s) => ({ ...s, ...change(s) }));
    const compute = async () => {
      if (signal.aborted) return;
      await alive.current?.dispose();
      alive.current = undefined;
      const begun = performance.now();
      const run = await start(signal, (step, total) => update(({ steps }) => ({ steps: [...steps, step], total })));
      alive.current = run;
      update(() => ({ run, busy: false, milliseconds: performance.now() - begun }));
    };
    const cancel = () => {
      update(() => ({ busy: false, cancelled: true }));
      aborter.abort();
    };
    setState({ ...idle, start, cancel });
    queue.current = queue.current.then(compute).catch((e: unknown) => update(() => ({ busy: false, error: `${name}: ${message(e)}` })));
    return () => aborter.abort();
  }, [start]);

  // What was computed for something older is no answer to this.
  if (!start) return { ...idle, busy: false };
  return state.start === start ? state : idle;
}
