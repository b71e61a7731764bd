import { useEffect, useState } from 'preact/hooks';
import { initWorker } from 'bitexact';
import { computeOutcome } from './outcome.ts';
import { loadParity, type Outcome, type Parity } from './parity.ts';

export interface ParityState {
  readonly parity?: Parity;
  /** The site was built without native digests. */
  readonly missing?: boolean;
  readonly here: readonly (Outcome | undefined)[];
  readonly error?: string;
}

/** Computes every pinned pipeline once, in a worker of its own so that the page's pictures do not wait. */
async function computeAll(parity: Parity, onOutcome: (i: number, outcome: Outcome) => void, given: () => boolean): Promise<void> {
  const engine = await initWorker();
  for (const [i, pipeline] of parity.pipelines.entries()) {
    if (given()) break;
    onOutcome(i, await computeOutcome(engine, pipeline));
  }
  await engine[Symbol.asyncDispose]();
}

export function useParity(start: boolean): ParityState {
  const [state, setState] = useState<ParityState>({ here: [] });
  useEffect(() => {
    if (!start) return;
    let given = false;
    const update = (change: (s: ParityState) => ParityState) => given || setState(change);
    const set = (i: number, outcome: Outcome) => update((s) => ({ ...s, here: Object.assign([...s.here], { [i]: outcome }) }));
    const work = async () => {
      const parity = await loadParity();
      update((s) => ({ ...s, parity, missing: !parity }));
      if (parity) await computeAll(parity, set, () => given);
    };
    work().catch((e: unknown) => update((s) => ({ ...s, error: e instanceof Error ? e.message : String(e) })));
    return () => { given = true; };
  }, [start]);
  return state;
}
