import { useState } from 'preact/hooks';
import type { Engine, Remote } from 'bitexact';
import { Digest } from '../../ui/digest.tsx';
import { ErrorLine } from '../../ui/error-line.tsx';
import { Panel, Select } from '../../ui/fields.tsx';
import { sameTask, type Task } from '../../lib/task.ts';
import type { Photo } from '../../lib/photo.ts';
import { agrees, tally, type Outcome, type Parity, type Pipeline, type Platform, type Tally } from './parity.ts';
import { useParity } from './use-parity.ts';

interface Props {
  engine: Remote<Engine>;
  photo: Photo | undefined;
  task: Task;
  /** Waits for the page's first picture. */
  start: boolean;
  onOpen: (pipeline: Pipeline) => void;
}

type Here = readonly (Outcome | undefined)[];

function verdictText({ equal, done, total, verdict }: Tally): string {
  if (verdict === undefined) return `${done} of ${total}…`;
  return verdict ? `all ${total} equal` : `${done - equal} of ${done} differ`;
}

/** A square for each pipeline; pressing one shows its digests. */
function Squares({ platform, parity, here, chosen, onChoose }: { platform: Platform; parity: Parity; here: Here; chosen: number; onChoose: (i: number) => void }) {
  const word = (i: number) => ({ true: 'equal', false: 'differs', undefined: 'waiting' })[String(agrees(platform, i, here))]!;
  return (
    <span class="squares" aria-hidden="true">
      {parity.pipelines.map((p, i) => (
        <i key={p.name} class={`${word(i)} ${i === chosen ? 'chosen' : ''}`} title={`${p.name}: ${word(i)}`} onClick={() => onChoose(i)} />
      ))}
    </span>
  );
}

function Row({ platform, ...rest }: { platform: Platform; parity: Parity; here: Here; chosen: number; onChoose: (i: number) => void }) {
  const t = tally(platform, rest.here);
  const sha256 = platform.outputs[rest.chosen]!;
  const word = t.verdict === undefined ? 'waiting' : t.verdict ? 'equal' : 'differs';
  return (
    <tr data-testid={`parity-row-${platform.name}`} data-equal={t.verdict === undefined ? undefined : String(t.verdict)} class={word}>
      <th scope="row">{platform.name}</th>
      <td class="made">{platform.architecture} · {platform.simd} · {platform.kernels} kernels<small>{platform.compiler}</small></td>
      <td><Digest sha256={sha256} of={`${platform.name}, ${rest.parity.pipelines[rest.chosen]!.name}`} /></td>
      <td class="verdict"><Squares platform={platform} {...rest} /><span>{verdictText(t)}</span></td>
    </tr>
  );
}

function HereRow({ engine, outcome, done, total }: { engine: Remote<Engine>; outcome: Outcome | undefined; done: number; total: number }) {
  return (
    <tr class="here">
      <th scope="row">this browser</th>
      <td class="made">wasm32 · {engine.simd ? 'SIMD' : 'scalar'}<small>{navigator.userAgent.match(/(Firefox|Edg|Chrome|Version)\/\d+/)?.[0].replace('Version', 'Safari').replace('/', ' ')}</small></td>
      <td>{outcome ? <Digest sha256={outcome.output} of="this browser" /> : <span class="waiting">computing…</span>}</td>
      <td class="verdict"><span aria-live="polite">{done < total ? `computed ${done} of ${total}` : `computed ${total}`}</span></td>
    </tr>
  );
}

function Table({ engine, parity, here, chosen, onChoose }: { engine: Remote<Engine>; parity: Parity; here: Here; chosen: number; onChoose: (i: number) => void }) {
  const done = here.filter(Boolean).length;
  return (
    <table class="parity">
      <thead><tr><th scope="col">platform</th><th scope="col">made by</th><th scope="col">last stage</th><th scope="col">all pipelines</th></tr></thead>
      <tbody>
        <HereRow engine={engine} outcome={here[chosen]} done={done} total={parity.pipelines.length} />
        {parity.platforms.map((p) => <Row key={`${p.name} ${p.simd} ${p.kernels}`} platform={p} parity={parity} here={here} chosen={chosen} onChoose={onChoose} />)}
      </tbody>
    </table>
  );
}

const NOTE = 'When this site was built, native binaries of bitexact computed these pipelines, all on one x86-64 machine: those for other architectures ran there under QEMU. Your browser computes them now.';
const MISSING = 'This copy of the site was built without digests of native binaries (no parity.json), so there is nothing to compare with here. The command below computes one.';

export function ParityPanel({ engine, photo, task, start, onOpen }: Props) {
  const { parity, missing, here, error } = useParity(start);
  const [choice, setChoice] = useState<number>();
  const current = parity?.pipelines.findIndex((p) => photo?.sample && p.image === photo.name && sameTask(p.task, task)) ?? -1;
  const chosen = choice ?? Math.max(0, current);
  const pipeline = parity?.pipelines[chosen];
  return (
    <Panel title="The same everywhere?" note={missing ? MISSING : NOTE} class="parity-panel" data-testid="parity" data-missing={missing}>
      {error && <ErrorLine text={error} />}
      {!parity && !missing && !error && <p class="waiting">…</p>}
      {parity && pipeline && (
        <>
          <div class="row">
            <Select label="pipeline" value={String(chosen)} options={parity.pipelines.map((p, i) => [String(i), p.name] as const)} onChange={(v) => setChoice(Number(v))} />
            <button type="button" disabled={chosen === current} onClick={() => onOpen(pipeline)}>{chosen === current ? 'Shown above' : 'Show above'}</button>
          </div>
          <Table engine={engine} parity={parity} here={here} chosen={chosen} onChoose={setChoice} />
        </>
      )}
    </Panel>
  );
}
