import { useLayoutEffect, useRef } from 'preact/hooks';
import { exactDecimal } from '../../lib/q16.ts';

export interface NumberGridProps {
  caption: string;
  /** Stands before the grid. */
  operator?: string;
  cols: number;
  values: ArrayLike<number | bigint>;
  show: (value: number | bigint) => string;
  /** Shades the cells by their size, in 0..1. */
  weight: (i: number) => number;
  picked?: number;
  onPick?: (i: number) => void;
}

/** The largest kernel has 121 numbers; pooling windows may have far more than anyone reads. */
const MOST = 256;

const title = (v: number | bigint) => (typeof v === 'number' ? `${v} / 65536 = ${exactDecimal(v)}` : `${v} / 2^32`);

/** What scrolls can be reached by the keyboard; what does not is no stop on its way. */
function useScroller() {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  });
  return scroller;
}

interface CellProps {
  text: string;
  title: string;
  minus: boolean;
  weight: number;
  picked: boolean;
  onPick: (() => void) | undefined;
}

function Cell({ text, title: hint, minus, weight, picked, onPick }: CellProps) {
  const shared = { class: `cell ${minus ? 'minus' : 'plus'} ${picked ? 'picked' : ''}`, style: { '--weight': weight }, title: hint };
  if (!onPick) return <span {...shared}>{text}</span>;
  return <button type="button" {...shared} aria-pressed={picked} onClick={onPick}>{text}</button>;
}

export function NumberGrid({ caption, operator, cols, values, show, weight, picked, onPick }: NumberGridProps) {
  const scroller = useScroller();
  return (
    <figure class="numbers">
      <figcaption>{caption}</figcaption>
      {operator && <span class="operator" aria-hidden="true">{operator}</span>}
      {values.length > MOST ? <span class="note">{values.length} numbers, too many to list</span> : (
        <div class="scroll" ref={scroller} role="group" aria-label={caption}>
          <div class="number-grid mono" style={{ '--cols': cols }}>
            {Array.from(values, (v, i) => <Cell key={i} text={show(v)} title={title(v)} minus={v < 0} weight={weight(i)} picked={picked === i} onPick={onPick && (() => onPick(i))} />)}
          </div>
        </div>
      )}
    </figure>
  );
}
