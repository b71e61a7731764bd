import type { ModelFacts, ModelStep } from 'bitexact';
import { grouped, typeText } from '../../lib/elements.ts';
import { Panel } from '../../ui/fields.tsx';

interface Props {
  facts: ModelFacts;
  chosen: number | undefined;
  onChoose: (step: number | undefined) => void;
}

const WIDTH = 1000;
const HEIGHT = 360;

const readingText = ({ name, op, dtype, shape, arena: { bytes, offset } }: ModelStep, i: number) =>
  `${i + 1} ${name || op}: ${typeText(dtype, shape)}, ${grouped(bytes)} bytes at ${grouped(offset)}`;

/** Which bytes hold which step's output, and how long: time to the right, addresses upwards. */
export function Arena({ facts: { steps, arenaBytes }, chosen, onChoose }: Props) {
  // What leaves the model is read once more, after the last step.
  const x = (time: number) => (WIDTH * time) / (steps.length + 1);
  const y = (bytes: number) => (HEIGHT * bytes) / (arenaBytes || 1);
  const summary = `Memory: ${grouped(arenaBytes)} bytes for ${steps.length} steps. The table of steps has each one's bytes, place and time.`;
  return (
    <Panel title="Memory over time" class="arena" note="Each block is a step’s output: how many bytes, where, and from the step that writes it to the last that reads it.">
      <svg
        viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`} preserveAspectRatio="none" role="img" aria-label={summary} data-testid="arena"
        onPointerLeave={() => onChoose(undefined)}
      >
        {steps.map(({ arena: { offset, bytes, first, last } }, i) => (
          <rect
            key={i} class={i === chosen ? 'chosen' : ''} x={x(first)} width={x(last - first + 1)} y={HEIGHT - y(offset + bytes)} height={y(bytes)}
            onPointerEnter={() => onChoose(i)} onClick={() => document.getElementById(`step-${i}`)?.scrollIntoView({ block: 'center' })}
          />
        ))}
      </svg>
      <p class="reading mono">{chosen === undefined ? `0 to ${grouped(arenaBytes)} bytes · step 1 to ${steps.length}` : readingText(steps[chosen]!, chosen)}</p>
    </Panel>
  );
}
