import { canonical, type Engine, type ModelRun, type Remote, type Requant } from 'bitexact';
import { download } from '../../lib/clipboard.ts';
import type { NamedFile } from '../../lib/files.ts';
import type { ImageChoice } from '../../lib/image-choice.ts';
import type { ModelInputFile } from '../../lib/model-input.ts';
import type { ModelFile } from '../../lib/models.ts';
import { useLater } from '../../lib/use-later.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Digest } from '../../ui/digest.tsx';
import { Panel } from '../../ui/fields.tsx';
import { ComparePanel } from '../receipt/compare-panel.tsx';
import { loadParity } from '../parity/parity.ts';
import { commands } from './commands.ts';
import { publishedFor, verdictOn } from './published.ts';

interface Props {
  engine: Remote<Engine>;
  model: ModelFile;
  input: ModelInputFile;
  image: ImageChoice;
  requant: Requant;
  run: Remote<ModelRun>;
}

const useReceiptDigest = ({ engine, run }: Pick<Props, 'engine' | 'run'>) =>
  useLater(() => engine.sha256(new TextEncoder().encode(canonical(run.receipt))), [engine, run]);

/** The digest of the receipt's bytes, as `bitexact run --json` has it: one number for everything. */
export function ReceiptDigest(props: Pick<Props, 'engine' | 'run'>) {
  const sha256 = useReceiptDigest(props);
  return <span data-testid="receipt-digest" data-sha256={sha256}>{sha256 && <Digest sha256={sha256} of="the receipt" />}</span>;
}

const save = ({ name, bytes }: NamedFile) => download(name, bytes, 'application/octet-stream');

/** What native builds made of the same model and sample, when this is one of ours. */
function Published(props: Props) {
  const parity = useLater(loadParity, []), sha256 = useReceiptDigest(props);
  const made = parity && publishedFor(parity, props);
  if (!made || !sha256) return null;
  const { equal, text } = verdictOn(made, sha256);
  return <p class={`verdict-line ${equal ? 'equal' : 'differs'}`} data-testid="published" data-equal={equal}>{text}</p>;
}

function Native(props: Props) {
  const { model, input, image, requant, run } = props;
  const text = commands(model.name, input.name, image, requant);
  return (
    <Panel title="Check it yourself" class="native" note="These files and commands give the same receipt on any other machine.">
      <Published {...props} />
      <pre class="command mono" tabIndex={0} aria-label="Commands" data-testid="command">{text}</pre>
      <div class="row">
        <CopyButton text={text} label="Copy commands" />
        <button type="button" data-testid="input-download" onClick={() => save(input)}>Save {input.name}</button>
        {'model' in model && <button type="button" onClick={() => save(model)}>Save {model.name}</button>}
        <button type="button" data-testid="receipt-download" onClick={() => download('receipt.json', canonical(run.receipt), 'application/json')}>Save receipt.json</button>
      </div>
    </Panel>
  );
}

export function ModelReceiptPanels(props: Props) {
  return (
    <div class="checks model-checks">
      <Native {...props} />
      <ComparePanel engine={props.engine} ours={props.run.receipt} note="Paste one made elsewhere with this model and this input. The first layer that differs is named." />
    </div>
  );
}
