import type { Score } from 'bitexact';
import { shortNumber } from '../../lib/elements.ts';
import { barsOf } from './bars.ts';

const percent = (part: number) => `${100 * part}%`;
const nameOf = ({ label, index }: Score) => label ?? String(index);

interface Props {
  /** The largest first. */
  scores: readonly Score[];
  /** All there are: then they stand in the order of their classes. */
  all: boolean;
}

/** The classes' scores as bars that grow from zero. */
export function Scores({ scores, all }: Props) {
  const best = scores[0];
  const rows = all ? [...scores].sort((a, b) => a.index - b.index) : scores;
  const bars = barsOf(rows.map((s) => s.real));
  return (
    <div class="scores">
      <p class={`answer ${best && nameOf(best).length > 3 ? 'words' : ''}`} data-testid="answer" data-class={best?.index} aria-live="polite">{best && nameOf(best)}</p>
      <ol class="bars">
        {rows.map((score, i) => (
          <li key={score.index} class={score === best ? 'best' : ''} title={`integer ${score.value}`}>
            <span class="name">{nameOf(score)}</span>
            <span class="track" aria-hidden="true"><i class={score.real < 0 ? 'minus' : 'plus'} style={{ left: percent(bars[i]!.left), width: percent(bars[i]!.width) }} /></span>
            <span class="value mono">{shortNumber(score.real)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
