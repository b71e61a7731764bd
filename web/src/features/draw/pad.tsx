import { useEffect, useRef, useState } from 'preact/hooks';
import { ARROW_STEPS } from '../../lib/arrows.ts';
import { drawOn, greyPicture } from '../../lib/canvas.ts';
import { SIDE, emptyDrawing, isEmptyDrawing, withStroke, type Drawing, type Point } from './drawing.ts';

interface Props {
  drawing: Drawing;
  onDraw: (drawing: Drawing) => void;
}

const pictureOf = (drawing: Drawing) => greyPicture(SIDE, SIDE, (x, y) => drawing[y * SIDE + x]);

const HELP = `Drawing, ${SIDE} by ${SIDE} pixels. Arrow keys move the pen, Space sets a dot, with shift the arrows draw; Delete clears.`;
const clamp = (v: number) => Math.max(0.5, Math.min(SIDE - 0.5, v));

/** The pen under the pointer: strokes go from where it was. */
function usePointer({ drawing, onDraw }: Props) {
  const last = useRef<Point>();
  const place = (e: PointerEvent): Point => {
    const { left, top, width, height } = (e.currentTarget as Element).getBoundingClientRect();
    return { x: ((e.clientX - left) * SIDE) / width, y: ((e.clientY - top) * SIDE) / height };
  };
  const stroke = (e: PointerEvent) => {
    const to = place(e);
    onDraw(withStroke(drawing, last.current ?? to, to));
    last.current = to;
  };
  const lift = () => { last.current = undefined; };
  return {
    onPointerDown(e: PointerEvent) {
      if (e.button !== 0) return;
      (e.currentTarget as Element).setPointerCapture(e.pointerId);
      stroke(e);
    },
    onPointerMove: (e: PointerEvent) => last.current && stroke(e),
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}

function useKeys({ drawing, onDraw }: Props) {
  const [pen, setPen] = useState<Point>({ x: SIDE / 2 + 0.5, y: 6.5 });
  const onKeyDown = (e: KeyboardEvent) => {
    const step = ARROW_STEPS[e.key];
    if (!step && ![' ', 'Delete', 'Backspace'].includes(e.key)) return;
    e.preventDefault();
    if (!step) return onDraw(e.key === ' ' ? withStroke(drawing, pen, pen) : emptyDrawing());
    const to = { x: clamp(pen.x + step[1]), y: clamp(pen.y + step[0]) };
    setPen(to);
    if (e.shiftKey) onDraw(withStroke(drawing, pen, to));
  };
  return { pen, onKeyDown };
}

/** A place to draw a digit, light on dark, with pointer, finger or keys. */
export function Pad(props: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = usePointer(props);
  const { pen, onKeyDown } = useKeys(props);
  useEffect(() => drawOn(canvas.current, pictureOf(props.drawing)), [props.drawing]);
  const percent = (v: number) => `${(100 * v) / SIDE}%`;
  return (
    <div class="pad" role="application" tabIndex={0} aria-label={HELP} data-testid="pad" onKeyDown={onKeyDown} {...pointer}>
      <canvas ref={canvas} width={SIDE} height={SIDE} />
      {isEmptyDrawing(props.drawing) && <span class="pad-hint">Draw a digit here</span>}
      <span class="pen" style={{ left: percent(pen.x), top: percent(pen.y) }} />
    </div>
  );
}
