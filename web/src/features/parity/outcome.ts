import { canonical, type Engine, type Receipt, type Remote } from 'bitexact';
import { fetchSampleFile } from '../../lib/photo.ts';
import type { Outcome, Pipeline } from './parity.ts';

/** The bytes that a receipt's digest covers: all but where it was made. */
export function receiptBytes(receipt: Receipt): Uint8Array {
  const { made_by: _, ...covered } = receipt;
  return new TextEncoder().encode(canonical(covered));
}

/** `engine` may stand in this thread or in a worker. */
export async function computeOutcome(engine: Pick<Engine | Remote<Engine>, 'photo' | 'sha256'>, { image, task }: Pipeline): Promise<Outcome> {
  const run = await engine.photo(await fetchSampleFile(image), task);
  const outcome = { output: run.stages.at(-1)!.sha256, receipt: await engine.sha256(receiptBytes(run.receipt)) };
  await run.dispose();
  return outcome;
}
