import { useEffect, useRef, useState } from 'preact/hooks';
import type { ModelRunState } from '../../lib/use-model-run.ts';

function statusText({ steps, total, busy, error, cancelled, milliseconds, run }: ModelRunState): string {
  if (cancelled) return 'cancelled';
  if (error) return 'stopped';
  if (busy) return total ? `step ${steps.length} of ${total}` : 'starting…';
  return run ? `${run.layers.length} layers in ${Math.max(1, Math.round(milliseconds ?? 0))} ms` : 'nothing to compute yet';
}

/** The state, but a run that takes no time leaves what the one before it said: drawing a line makes dozens. */
function useCalm(state: ModelRunState): ModelRunState {
  const [late, setLate] = useState(false);
  const calm = useRef(state);
  useEffect(() => {
    const timer = state.busy && setTimeout(() => setLate(true), 300);
    setLate(false);
    return () => { if (timer) clearTimeout(timer); };
  }, [state.busy]);
  if (!state.busy || late) calm.current = state;
  return calm.current;
}

/** How far the run is, and a way to stop it. */
export function RunStatus({ state }: { state: ModelRunState }) {
  const { busy, cancelled, cancel, again } = state;
  const calm = useCalm(state);
  return (
    <div class="toolbar" data-testid={busy ? 'busy' : undefined}>
      <p class="progress" role="status">
        <span>{statusText(calm)}</span>
        {calm.busy && <progress max={calm.total || 1} value={calm.steps.length} aria-label="Steps done" />}
      </p>
      {busy && cancel && <button type="button" class="stop" data-testid="cancel" onClick={cancel}>Cancel</button>}
      {cancelled && <button type="button" data-testid="again" onClick={again}>Run again</button>}
    </div>
  );
}
