import { canonical, type Engine, type Receipt, type Remote } from 'bitexact';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Digest } from '../../ui/digest.tsx';
import { Panel } from '../../ui/fields.tsx';
import { download } from '../../lib/clipboard.ts';
import { isEmpty } from '../../lib/cursor.ts';
import type { Kernels, Task } from '../../lib/task.ts';
import type { RunState } from '../../lib/use-run.ts';
import type { Photo } from '../../lib/photo.ts';
import { command } from './command.ts';
import { ComparePanel } from './compare-panel.tsx';

interface Props {
  engine: Remote<Engine>;
  kernels: Kernels;
  photo: Photo | undefined;
  task: Task;
  state: RunState;
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
  const receipt = state.run?.receipt;
  const last = state.run && state.stages.at(-1);
  return (
    <div class="receipts">
      <Native command={command(photo?.name ?? 'photo.png', task, kernels, last && isEmpty(last))} state={state} receipt={receipt} />
      <ComparePanel engine={engine} ours={receipt} note="Paste one made elsewhere with this photo and these settings. The first stage that differs is named." />
    </div>
  );
}
