import type { ModelFacts, ModelStep } from 'bitexact';
import { grouped, typeText } from '../../lib/elements.ts';
import { Panel } from '../../ui/fields.tsx';
import { scaleText } from './facts.tsx';

interface Props {
  facts: ModelFacts;
  chosen: number | undefined;
  onChoose: (step: number | undefined) => void;
}

function Sums({ accumulator }: ModelStep) {
  if (!accumulator) return <span class="note">no sums</span>;
  const { bits, headroomBits, bound } = accumulator;
  return <span title={bound}><b>{bits}</b> bits <small>{headroomBits} to spare</small></span>;
}

const timeText = ({ arena: { first, last } }: ModelStep, count: number) => `steps ${first + 1} to ${last < count ? last + 1 : 'the end'}`;

function Row({ step, index, count, most, chosen, onChoose }: Omit<Props, 'facts'> & { step: ModelStep; index: number; count: number; most: number }) {
  const { op, name, dtype, shape, macs, parameters, kernel, arena } = step;
  const share = most ? macs / most : 0;
  return (
    <tr id={`step-${index}`} class={index === chosen ? 'chosen' : ''} data-testid="step" onPointerEnter={() => onChoose(index)}>
      <td class="index">{index + 1}</td>
      <th scope="row"><span class="mono">{op}</span><small class="mono">{name}</small></th>
      <td data-name="Output"><span class="mono">{typeText(dtype, shape)}</span><small>{scaleText(step)}</small></td>
      <td data-name="MACs" class="number">{grouped(macs)}<i class="share" aria-hidden="true" style={{ width: `${100 * share}%` }} /></td>
      <td data-name="Parameters" class="number">{grouped(parameters)}</td>
      <td data-name="Kernel" class="mono">{kernel}</td>
      <td data-name="Widest sum"><Sums {...step} /></td>
      <td data-name="Memory" class="number">{grouped(arena.bytes)}<small>at {grouped(arena.offset)}, {timeText(step, count)}</small></td>
    </tr>
  );
}

export function StepsTable({ facts: { steps }, chosen, onChoose }: Props) {
  const most = Math.max(0, ...steps.map((s) => s.macs));
  return (
    <Panel title="Steps" note="In the order in which they run. The widest sum was proved before anything ran: no input can make it wider.">
      <table class="steps-table" onPointerLeave={() => onChoose(undefined)}>
        <thead>
          <tr>
            <th>#</th><th>Operator</th><th>Output</th><th class="number">MACs</th><th class="number">Parameters</th>
            <th>Kernel</th><th>Widest sum</th><th class="number">Bytes</th>
          </tr>
        </thead>
        <tbody>{steps.map((step, i) => <Row key={i} step={step} index={i} count={steps.length} most={most} chosen={chosen} onChoose={onChoose} />)}</tbody>
      </table>
    </Panel>
  );
}
