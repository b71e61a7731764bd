import { useEffect, useState } from 'preact/hooks';
import { Panel } from '../../ui/fields.tsx';
import { ONE, shortDecimal } from '../../lib/q16.ts';
import { planesOf, type Cursor } from '../../lib/cursor.ts';
import type { Task } from '../../lib/task.ts';
import type { RunState } from '../../lib/use-run.ts';
import type { Explanation } from './explanation.ts';
import { Loupe } from './loupe.tsx';
import { NumberGrid } from './number-grid.tsx';
import { grouped, Steps } from './steps.tsx';
import { useExplanation } from './use-explanation.ts';

const NAMES: Readonly<Record<string, string>> = { conv: 'Convolution', activation: 'Activation', pool: 'Pooling' };
const PLANES = ['R', 'G', 'B'] as const;

interface Props {
  state: RunState;
  task: Task;
  cursor: Cursor | undefined;
  pinned: boolean;
  /** Moves made by keyboard are read out; those of a pointer would be too many. */
  spoken: boolean;
  onMove: (cursor: Cursor, by: 'keyboard') => void;
}

const NUDGES = [['←', 'left', 0, -1], ['↑', 'up', -1, 0], ['↓', 'down', 1, 0], ['→', 'right', 0, 1]] as const;

/** For fingers, which cannot point at one pixel of many. */
function Nudge({ cursor, onMove }: { cursor: Cursor; onMove: Props['onMove'] }) {
  return (
    <span class="choice" role="group" aria-label="Move by one pixel">
      {NUDGES.map(([arrow, name, dy, dx]) => (
        <button key={name} type="button" aria-label={name} onClick={() => onMove({ ...cursor, y: cursor.y + dy, x: cursor.x + dx }, 'keyboard')}>{arrow}</button>
      ))}
    </span>
  );
}

function Toggle({ decimals, onChange }: { decimals: boolean; onChange: (decimals: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={decimals} onChange={(e) => onChange(e.currentTarget.checked)} />
      decimals
    </label>
  );
}

function PlaneChoice({ plane, onChange }: { plane: number; onChange: (plane: number) => void }) {
  return (
    <span class="choice" role="group" aria-label="Plane">
      {PLANES.map((name, i) => (
        <button key={name} type="button" aria-pressed={plane === i} onClick={() => onChange(i)}>{name}</button>
      ))}
    </span>
  );
}

const asNumber = (decimals: boolean) => (v: number | bigint) => (decimals ? shortDecimal(Number(v), 4) : grouped(v));
const asProduct = (decimals: boolean) => (v: number | bigint) => (decimals ? (Number(v) / ONE / ONE).toFixed(4).replace('-', '−') : grouped(v));

function Arithmetic({ e, decimals, onPick }: { e: Explanation; decimals: boolean; onPick: (i: number) => void }) {
  const { kernel } = e.task;
  const cols = kernel.shape[1];
  const size = (v: number | bigint) => Math.abs(Number(v));
  const weigh = (values: ArrayLike<number | bigint>) => {
    const largest = Math.max(1, ...Array.from(values, size));
    return (i: number) => size(values[i]!) / largest;
  };
  return (
    <div class="arithmetic">
      <Loupe explanation={e} />
      <div class="equation">
        <NumberGrid caption="window" cols={cols} values={e.window.values} show={asNumber(decimals)} weight={(i) => size(e.window.values[i]!) / ONE} />
        <NumberGrid caption="kernel" operator="×" cols={cols} values={kernel.q16} show={asNumber(decimals)} weight={weigh(kernel.q16)} />
        <NumberGrid caption="products" operator="=" cols={cols} values={e.conv.products} show={asProduct(decimals)} weight={weigh(e.conv.products)} />
        {e.pool && (
          <NumberGrid caption="pooling window, marked: explained here" cols={e.pool.cut.rect.width} values={e.pool.cut.values} show={asNumber(decimals)} weight={weigh(e.pool.cut.values)} picked={e.pool.pick} onPick={onPick} />
        )}
      </div>
    </div>
  );
}

const position = ({ cursor, plane }: Explanation, planes: number) =>
  `${NAMES[cursor.stage]}, row ${cursor.y}, column ${cursor.x}${planes > 1 ? `, plane ${PLANES[plane]}` : ''}`;

export function Explain({ state, task, cursor, pinned, spoken, onMove }: Props) {
  const [plane, setPlane] = useState(0);
  const [decimals, setDecimals] = useState(false);
  const [pick, setPick] = useState<number>();
  useEffect(() => setPick(undefined), [cursor, state.run]);
  const input = state.stages.find((s) => s.name === 'input');
  const planes = input ? planesOf(input) : 1;
  const shownPlane = Math.min(plane, planes - 1);
  const e = useExplanation(state.run && cursor && { run: state.run, task, cursor, plane: shownPlane, pick });
  // Numbers of an older run are no answer to what is on show.
  if (!e || e.run !== state.run) return <Panel title="One output, step by step" class="explain"><p class="note">Point at a pixel of the convolution, the activation or the pooling.</p></Panel>;
  return (
    <Panel title="One output, step by step" class="explain" data-testid="explain" data-result={e.result} data-stored={e.stored}>
      <div class="row">
        <p class="position" aria-live={spoken ? 'polite' : 'off'}>{position(e, planes)}: {grouped(e.result)}</p>
        <span class="note">{pinned ? 'Held. Click again or press Esc to let go.' : 'Click a pixel or press Enter on it to hold it.'}</span>
        <span class="right"><Nudge cursor={e.cursor} onMove={onMove} />{planes > 1 && <PlaneChoice plane={shownPlane} onChange={setPlane} />}<Toggle decimals={decimals} onChange={setDecimals} /></span>
      </div>
      <div class="explained">
        <Arithmetic e={e} decimals={decimals} onPick={setPick} />
        <Steps explanation={e} />
      </div>
    </Panel>
  );
}
