import { useEffect, useState } from 'preact/hooks';
import type { Engine, ModelReceipt, Receipt, Remote, Verdict } from 'bitexact';
import { message } from '../../lib/files.ts';
import { Panel } from '../../ui/fields.tsx';

interface Props {
  engine: Remote<Engine>;
  /** Of the newest run. */
  ours: Receipt | ModelReceipt | undefined;
  note: string;
}

/** The verdict on a pasted receipt, against the newest run. */
function useVerdict({ engine, ours }: Props, pasted: string): Verdict | undefined {
  const [verdict, setVerdict] = useState<Verdict>();
  useEffect(() => {
    let latest = true;
    setVerdict(undefined);
    if (!pasted.trim() || !ours) return;
    const set = (v: Verdict) => latest && setVerdict(v);
    engine.compare(pasted, ours).then(set, (e: unknown) => set({ same: false, text: `This is no receipt of ours: ${message(e)}` }));
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

export function ComparePanel(props: Props) {
  const [pasted, setPasted] = useState('');
  return (
    <Panel title="Compare a receipt" class="paste" note={props.note}>
      <textarea
        class="mono" rows={4} spellcheck={false} aria-label="Receipt to compare" placeholder='{"bitexact":1,…}' data-testid="receipt-paste"
        value={pasted} onInput={(e) => setPasted(e.currentTarget.value)}
      />
      <VerdictLine verdict={useVerdict(props, pasted)} />
    </Panel>
  );
}
