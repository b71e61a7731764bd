import { useCallback, useRef, useState } from 'preact/hooks';
import { message } from './files.ts';

export interface Newest<T> {
  readonly value?: T;
  readonly loading: boolean;
  readonly error?: string;
  load(wanted: Promise<T>): void;
}

/** What the promise given last came to; until then the value before it. Older promises are forgotten. */
export function useNewest<T>(): Newest<T> {
  const [state, setState] = useState<Omit<Newest<T>, 'load'>>({ loading: true });
  const newest = useRef<Promise<T>>();
  const load = useCallback((wanted: Promise<T>) => {
    const update = (change: (s: typeof state) => typeof state) => newest.current === wanted && setState(change);
    newest.current = wanted;
    setState(({ value }) => ({ value, loading: true }));
    wanted.then((value) => update(() => ({ value, loading: false })), (e: unknown) => update(({ value }) => ({ value, loading: false, error: message(e) })));
  }, []);
  return { ...state, load };
}
