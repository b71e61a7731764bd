import type { ComponentChildren } from 'preact';
import type { Stage } from 'bitexact';
import { ARROW_STEPS } from '../../lib/arrows.ts';
import { sizeOf, type Cursor, type CursorStage } from '../../lib/cursor.ts';

export interface ProbeActions {
  onMove: (cursor: Cursor, by: 'pointer' | 'keyboard') => void;
  onPin: (cursor: Cursor | undefined) => void;
}

interface Props extends ProbeActions {
  stage: Stage;
  cursor: Cursor | undefined;
  pinned: boolean;
  children: ComponentChildren;
}

const HOLD = ['Enter', ' '];

function place(e: MouseEvent, stage: Stage): Cursor {
  const box = (e.currentTarget as Element).querySelector('canvas')!.getBoundingClientRect();
  const [height, width] = sizeOf(stage);
  const at = (v: number, from: number, span: number, n: number) => Math.max(0, Math.min(n - 1, Math.floor(((v - from) / span) * n)));
  return { stage: stage.name as CursorStage, y: at(e.clientY, box.top, box.height, height), x: at(e.clientX, box.left, box.width, width) };
}

/** Lets pointer, touch and arrow keys choose an output pixel of the picture inside. */
export function Probe({ stage, cursor, pinned, onMove, onPin, children }: Props) {
  const [height, width] = sizeOf(stage);
  const here = cursor?.stage === stage.name ? cursor : undefined;
  const onKeyDown = (e: KeyboardEvent) => {
    const step = ARROW_STEPS[e.key];
    const from = here ?? { stage: stage.name as CursorStage, y: height >> 1, x: width >> 1 };
    if (e.key === 'Escape') onPin(undefined);
    if (!step && !HOLD.includes(e.key)) return;
    e.preventDefault();
    if (!step) return onPin(pinned ? undefined : from);
    const far = e.shiftKey ? 10 : 1;
    onMove({ ...from, y: from.y + step[0] * far, x: from.x + step[1] * far }, 'keyboard');
  };
  // A finger cannot hover: dragging scrolls, and a tap moves without holding.
  const onClick = (e: MouseEvent) => {
    if ((e as PointerEvent).pointerType === 'touch') onMove(place(e, stage), 'pointer');
    else onPin(pinned ? undefined : place(e, stage));
  };
  return (
    <div
      class={`probe ${here ? 'here' : ''}`} role="application" tabIndex={0}
      aria-label={`${stage.name}, ${height} by ${width} pixels. Arrow keys choose the pixel that is explained below, with shift ten at a time; Enter holds it and lets it go.`}
      onKeyDown={onKeyDown}
      onPointerMove={(e) => !pinned && e.pointerType !== 'touch' && onMove(place(e, stage), 'pointer')}
      onClick={onClick}
    >
      {children}
    </div>
  );
}
