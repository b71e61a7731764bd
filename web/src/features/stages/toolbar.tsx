import { CopyButton } from '../../ui/copy-button.tsx';
import type { RunState } from '../../lib/use-run.ts';

interface Props {
  state: RunState;
  magnitude: boolean;
  onMagnitude: (magnitude: boolean) => void;
}

function progressText({ stages, total, busy, error, milliseconds }: RunState): string {
  if (error) return 'stopped';
  if (!busy) return `${stages.length} stages in ${Math.round(milliseconds ?? 0)} ms`;
  return total ? `computing stage ${Math.min(stages.length + 1, total)} of ${total}` : 'starting…';
}

/** How far the run is, and how its pictures are drawn. */
export function Toolbar({ state, magnitude, onMagnitude }: Props) {
  const { busy, stages, total } = state;
  return (
    <div class="toolbar">
      <p class="progress" role="status">
        <span data-testid={busy ? 'busy' : undefined}>{progressText(state)}</span>
        {busy && <progress max={total || 1} value={stages.length} aria-label="Stages done" />}
      </p>
      <label class="check" title="Edge kernels answer with both signs; a picture of the size shows both. Digests do not change.">
        <input type="checkbox" checked={magnitude} onChange={(e) => onMagnitude(e.currentTarget.checked)} />
        draw |x|
      </label>
      <CopyButton text={() => location.href} label="Copy link" />
    </div>
  );
}
