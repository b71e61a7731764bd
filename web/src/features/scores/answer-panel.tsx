import { useState } from 'preact/hooks';
import type { Engine, Remote } from 'bitexact';
import type { ModelRunState } from '../../lib/use-model-run.ts';
import { FileField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/fields.tsx';
import { FaceList } from '../faces/face-list.tsx';
import type { DataLayout } from '../layers/mosaic.ts';
import { TensorPicture } from '../layers/tensor-picture.tsx';
import { ReceiptDigest } from '../model-receipt/model-receipt.tsx';
import { RunStatus } from '../model/run-status.tsx';
import { Scores } from './scores.tsx';
import type { Answer } from './use-answer.ts';

interface Props {
  engine: Remote<Engine>;
  state: ModelRunState;
  /** Of the last finished run. */
  answer: Answer | undefined;
  layout: DataLayout;
  /** The page knows no names for the classes. */
  nameless: boolean;
  onLabels: (labels: readonly string[]) => void;
}

function Labels({ onLabels }: Pick<Props, 'onLabels'>) {
  const [said, setSaid] = useState('');
  const take = (file: File) => void file.text().then((text) => {
    const labels = text.split(/\r?\n/).filter((line, i, all) => line || i < all.length - 1);
    onLabels(labels);
    setSaid(`${labels.length} names`);
  });
  return (
    <p class="row">
      <label class="file-button"><FileField accept=".txt,text/plain" testid="labels" onFile={take} />Names of the classes…</label>
      <span class="note">{said || 'a text file, one a line'}</span>
    </p>
  );
}

function Said({ answer: { run, faces, scores, all }, layout }: { answer: Answer; layout: DataLayout }) {
  if (faces) return <FaceList faces={faces} />;
  if (scores.length) return <Scores scores={scores} all={all} />;
  const output = run.outputs[0];
  return output && (
    <div class="output" data-testid="answer">
      <p class="note">The first output is no list of scores; this is its picture.</p>
      <TensorPicture name={output.name} shape={output.shape} layout={layout} tensor={output} />
    </div>
  );
}

export function AnswerPanel({ engine, state, answer, layout, nameless, onLabels }: Props) {
  return (
    <Panel title="Answer" class={`answer-panel ${state.busy ? 'busy' : ''}`} data-testid="answer-panel" data-busy={state.busy || undefined}>
      <RunStatus state={state} />
      {answer && <Said answer={answer} layout={layout} />}
      {answer && nameless && answer.scores.length > 0 && <Labels onLabels={onLabels} />}
      {answer && (
        <p class="row receipt-line">
          <span class="note">Receipt: one digest of file, model, arithmetic and every layer</span>
          <ReceiptDigest engine={engine} run={answer.run} />
        </p>
      )}
    </Panel>
  );
}
