import { exactDecimal } from '../../lib/q16.ts';

export interface NumberGridProps {
  caption: string;
  /** Stands before the grid. */
  operator?: string;
  cols: number;
  values: ArrayLike<number | bigint>;
  show: (value: number | bigint, i: number) => string;
  /** Shades the cells by their size, in 0..1. */
  weight: (i: number) => number;
  picked?: number;
  onPick?: (i: number) => void;
}

const title = (v: number | bigint) => (typeof v === 'number' ? `${v} / 65536 = ${exactDecimal(v)}` : `${v} / 2^32`);

export function NumberGrid({ caption, operator, cols, values, show, weight, picked, onPick }: NumberGridProps) {
  return (
    <figure class="numbers">
      <figcaption>{caption}</figcaption>
      {operator && <span class="operator" aria-hidden="true">{operator}</span>}
      <div class="scroll" tabIndex={values.length > 25 ? 0 : undefined}>
        <div class="number-grid mono" style={{ '--cols': cols }}>
          {Array.from(values, (v, i) => {
            const props = { key: i, class: `cell ${v < 0 ? 'minus' : 'plus'} ${picked === i ? 'picked' : ''}`, style: { '--weight': weight(i) }, title: title(v) };
            return onPick ? <button type="button" {...props} key={i} onClick={() => onPick(i)}>{show(v, i)}</button> : <span {...props} key={i}>{show(v, i)}</span>;
          })}
        </div>
      </div>
    </figure>
  );
}
