/** Work that is done a step at a time, so that others can watch it, and stop it in between. */
export interface Stepping<Event> {
  readonly taken: number;
  readonly total: number;
  step(): Event;
  dispose(): void;
}

/** Who looks on. */
export interface Watcher<Event> {
  readonly onStep: ((event: Event, done: number, total: number) => void) | null;
  readonly signal: AbortSignal | null;
}

/** Only the signal of a watcher whose events are others. */
export const signalOf = ({ signal }: Watcher<never>): Watcher<unknown> => ({ onStep: null, signal });

/** Tells the watcher of a step; throws when he wants to stop. */
export function report<Event>({ onStep, signal }: Watcher<Event>, event: Event, done: number, total: number): void {
  onStep?.(event, done, total);
  signal?.throwIfAborted();
}

/** The work, done; disposed of when it fails or is stopped. */
export function finish<Event, Work extends Stepping<Event>>(begin: () => Work, watcher: Watcher<Event>): Work {
  watcher.signal?.throwIfAborted();
  const work = begin();
  try {
    while (work.taken < work.total) report(watcher, work.step(), work.taken, work.total);
    return work;
  } catch (cause) {
    work.dispose();
    throw cause;
  }
}

/** Told of each step; the answer says whether to go on. */
export type Progress<Event> = (event: Event, done: number, total: number) => boolean | Promise<boolean>;

/** The same for a watcher on another thread: null when he said to stop. His answer can come at any moment of a step. */
export async function finishFor<Event, Work extends Stepping<Event>>(work: Work, progress?: Progress<Event>): Promise<Work | null> {
  try {
    while (work.taken < work.total) {
      const event = work.step();
      if (progress && !(await progress(event, work.taken, work.total))) {
        work.dispose();
        return null;
      }
    }
    return work;
  } catch (cause) {
    work.dispose();
    throw cause;
  }
}
