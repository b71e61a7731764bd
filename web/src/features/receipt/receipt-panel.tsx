import { useEffect, useState } from 'preact/hooks';
import { canonical, type Engine, type Receipt, type Remote, type Verdict } from 'bitexact';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Digest } from '../../ui/digest.tsx';
import { Panel } from '../../ui/fields.tsx';
import { download } from '../../lib/clipboard.ts';
import { isEmpty } from '../../lib/cursor.ts';
import type { Kernels, Task } from '../../lib/task.ts';
import type { RunState } from '../../lib/use-run.ts';
import type { Photo } from '../../lib/photo.ts';
import { command } from './command.ts';

interface Props {
  engine: Remote<Engine>;
  kernels: Kernels;
  photo: Photo | undefined;
  task: Task;
  state: RunState;
}

/** The verdict on a pasted receipt, against the newest run. */
function useVerdict(engine: Remote<Engine>, pasted: string, ours: Receipt | undefined): Verdict | undefined {
  const [verdict, setVerdict] = useState<Verdict>();
  useEffect(() => {
    let latest = true;
    setVerdict(undefined);
    if (!pasted.trim() || !ours) return;
    const set = (v: Verdict) => latest && setVerdict(v);
    engine.compare(pasted, ours).then(set, (e: unknown) => set({ same: false, text: `This is no receipt of ours: ${e instanceof Error ? e.message : e}` }));
    return () => { latest = false; };
  }, [engine, pasted, ours]);
  return verdict;
}

function Difference({ stage, expected, got }: { stage: string; expected: string | undefined; got: string | undefined }) {
  return (
    <>
      <strong>Differs first at {stage}.</strong>
      <span class="mono">receipt {expected}</span>
      <span class="mono">here {'   '}{got}</span>
    </>
  );
}

function VerdictLine({ verdict }: { verdict: Verdict | undefined }) {
  const name = !verdict ? '' : verdict.same ? 'equal' : 'differs';
  return (
    <div class={`verdict-line ${name}`} aria-live="polite" data-testid="receipt-verdict" data-same={verdict && String(verdict.same)} data-stage={verdict?.stage}>
      {verdict?.same && <strong>✓ The same: every digest is equal.</strong>}
      {verdict?.stage && <Difference stage={verdict.stage} expected={verdict.expected} got={verdict.got} />}
      {verdict && !verdict.same && !verdict.stage && <span>{verdict.text}</span>}
    </div>
  );
}

function Native({ command: text, state, receipt }: { command: string; state: RunState; receipt: Receipt | undefined }) {
  const last = state.busy ? undefined : state.stages.at(-1);
  return (
    <Panel title="Check it yourself" class="native" note="The command line prints the same digest for the same file.">
      <pre class="command mono" tabIndex={0} aria-label="Command" data-testid="command">{text}</pre>
      <div class="row">
        <CopyButton text={text} label="Copy command" />
        <button type="button" disabled={!receipt} data-testid="receipt-download" onClick={() => receipt && download('receipt.json', canonical(receipt), 'application/json')}>Download receipt</button>
        <span class="right">{last && <Digest sha256={last.sha256} of={last.name} />}</span>
      </div>
    </Panel>
  );
}

export function ReceiptPanels({ engine, kernels, photo, task, state }: Props) {
  const [pasted, setPasted] = useState('');
  const receipt = state.run?.receipt;
  const last = state.run && state.stages.at(-1);
  const verdict = useVerdict(engine, pasted, receipt);
  return (
    <div class="receipts">
      <Native command={command(photo?.name ?? 'photo.png', task, kernels, last && isEmpty(last))} state={state} receipt={receipt} />
      <Panel title="Compare a receipt" class="paste" note="Paste one made elsewhere with this photo and these settings. The first stage that differs is named.">
        <textarea
          class="mono" rows={4} spellcheck={false} aria-label="Receipt to compare" placeholder='{"bitexact":1,…}' data-testid="receipt-paste"
          value={pasted} onInput={(e) => setPasted(e.currentTarget.value)}
        />
        <VerdictLine verdict={verdict} />
      </Panel>
    </div>
  );
}
