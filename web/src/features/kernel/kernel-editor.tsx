import { useRef, useState } from 'preact/hooks';
import { Entry, Pair, Panel } from '../../ui/fields.tsx';
import { ARROW_STEPS } from '../../lib/arrows.ts';
import { exactDecimal, parseQ16, Q16_EXPECTED, shortDecimal } from '../../lib/q16.ts';
import { MAX_KERNEL, nameOf, type Kernels, type Task } from '../../lib/task.ts';
import type { ControlProps } from '../options/controls.tsx';
import { GeometryControls } from './kernel-control.tsx';
import { fitPad, resizeKernel } from './resize.ts';

/** Sideways arrows belong to the text until its end is reached. */
function leavesText(input: HTMLInputElement, dx: number): boolean {
  const { selectionStart: from, selectionEnd: to, value } = input;
  return dx === 0 || (from === 0 && to === value.length) || (from === to && from === (dx < 0 ? 0 : value.length));
}

/** One cell is in the tab order; arrows move among all. */
function useRoving(rows: number, cols: number) {
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const cell = (i: number) => grid.current?.querySelectorAll('input')[i];
  const onKeyDown = (e: KeyboardEvent) => {
    const step = ARROW_STEPS[e.key];
    if (!step || !leavesText(e.target as HTMLInputElement, step[1])) return;
    const y = Math.floor(active / cols) + step[0];
    const x = (active % cols) + step[1];
    if (y < 0 || x < 0 || y >= rows || x >= cols) return;
    e.preventDefault();
    cell(y * cols + x)?.focus();
  };
  return { grid, active: Math.min(active, rows * cols - 1), setActive, onKeyDown };
}

interface CellProps {
  label: string;
  value: number;
  weight: number;
  tabIndex: number;
  onFocus: () => void;
  onChange: (q16: number) => void;
}

function Cell({ label, value, weight, tabIndex, onFocus, onChange }: CellProps) {
  const [focused, setFocused] = useState(false);
  return (
    <span class={`cell ${value < 0 ? 'minus' : 'plus'}`} style={{ '--weight': weight }} title={exactDecimal(value)} onFocusIn={() => { setFocused(true); onFocus(); }} onFocusOut={() => setFocused(false)}>
      <Entry label={label} value={value} show={focused ? exactDecimal : (n) => shortDecimal(n, 4)} read={parseQ16} expects={Q16_EXPECTED} onChange={onChange} tabIndex={tabIndex} />
    </span>
  );
}

function Grid({ kernel, onCell }: { kernel: Task['kernel']; onCell: (i: number, q16: number) => void }) {
  const [rows, cols] = kernel.shape;
  const { grid, active, setActive, onKeyDown } = useRoving(rows, cols);
  const largest = Math.max(1, ...kernel.q16.map(Math.abs));
  return (
    <div class="scroll">
      <div class="kernel-grid mono" role="group" aria-label="Kernel numbers; arrow keys move" ref={grid} style={{ '--cols': cols }} onKeyDown={onKeyDown}>
        {kernel.q16.map((v, i) => (
          <Cell
            key={`${rows}x${cols}:${i}`} label={`row ${Math.floor(i / cols) + 1}, column ${(i % cols) + 1}`} value={v} weight={Math.abs(v) / largest}
            tabIndex={i === active ? 0 : -1} onFocus={() => setActive(i)} onChange={(q16) => onCell(i, q16)}
          />
        ))}
      </div>
    </div>
  );
}

export function KernelEditor({ task, kernels, onChange }: ControlProps & { kernels: Kernels }) {
  const { kernel } = task;
  const set = (next: Task['kernel']) => onChange({ kernel: { ...next, name: nameOf(kernels, next) ?? 'custom' }, pad: fitPad(task.pad, next.shape) });
  const sum = kernel.q16.reduce((a, b) => a + b, 0);
  return (
    <Panel title="Kernel" class="kernel">
      <div class="row">
        <Pair label="size" names={['rows', 'columns']} value={kernel.shape} max={MAX_KERNEL} onChange={(shape) => set(resizeKernel(kernel, shape))} />
        <span class="note mono">Σ {shortDecimal(sum)}</span>
      </div>
      <Grid kernel={kernel} onCell={(i, q16) => set({ ...kernel, q16: kernel.q16.map((v, j) => (j === i ? q16 : v)) })} />
      <GeometryControls task={task} onChange={onChange} />
      <p class="note">Decimals or fractions such as 1/9, kept as the nearest multiple of 1/65536.</p>
    </Panel>
  );
}
