import type { ModelFacts, TensorFacts } from 'bitexact';
import { download } from '../../lib/clipboard.ts';
import { grouped, shortNumber, typeText } from '../../lib/elements.ts';
import { fileArgument } from '../../lib/shell.ts';
import { Digest } from '../../ui/digest.tsx';
import { Panel } from '../../ui/fields.tsx';
import { formatText } from '../model/model-line.tsx';

export const scaleText = ({ quantization: q }: TensorFacts) => q && `scale ${shortNumber(q.scale)}, zero ${q.zero}`;

function Ends({ title, tensors }: { title: string; tensors: readonly TensorFacts[] }) {
  return (
    <>
      {tensors.map((t, i) => (
        <div key={i} class="fact">
          <dt>{title}{tensors.length > 1 ? ` ${i}` : ''}</dt>
          <dd><span class="mono">{t.name}</span> <small class="mono">{typeText(t.dtype, t.shape)}</small> {scaleText(t) && <small>{scaleText(t)}</small>}</dd>
        </div>
      ))}
    </>
  );
}

const Fact = ({ title, value, note }: { title: string; value: string; note?: string }) => (
  <div class="fact"><dt>{title}</dt><dd><strong>{value}</strong> {note && <small>{note}</small>}</dd></div>
);

export function Facts({ facts, name }: { facts: ModelFacts; name: string }) {
  const { fileNodes, steps, parameters, macs, arenaBytes, inputs, outputs, operators, file } = facts;
  const save = () => download(`${name}.json`, `${JSON.stringify(facts, null, 1)}\n`, 'application/json');
  return (
    <Panel title={name} class="facts" data-testid="facts">
      <dl>
        <Fact title="Format" value={formatText(facts)} />
        <Fact title="Steps" value={grouped(steps.length)} note={`made of ${grouped(fileNodes)} operators in the file`} />
        <Fact title="Parameters" value={grouped(parameters)} />
        <Fact title="Multiply-accumulates" value={grouped(macs)} />
        <Fact title="Memory between steps" value={`${grouped(arenaBytes)} bytes`} />
        <div class="fact"><dt>SHA-256 of the file</dt><dd><Digest sha256={file} of={name} /></dd></div>
        <Ends title="Input" tensors={inputs} />
        <Ends title="Output" tensors={outputs} />
      </dl>
      <ul class="chips" aria-label="Operators">
        {Object.entries(operators).map(([op, count]) => <li key={op} class="mono">{op} <b>{count}</b></li>)}
      </ul>
      <div class="row">
        <code class="command mono">bitexact inspect {fileArgument(name)}</code>
        <span class="right"><button type="button" data-testid="facts-download" onClick={save}>Save as JSON</button></span>
      </div>
    </Panel>
  );
}
