import { useEffect, useRef } from 'preact/hooks';
import type { Image } from 'bitexact';
import { drawOn, thumbnail } from '../../lib/canvas.ts';
import type { Face } from './faces.ts';

const SIDE = 720;
const percent = (part: number) => `${100 * part}%`;

function Box({ face }: { face: Face }) {
  const { left, top, width, height, points, score } = face;
  const data = JSON.stringify([left, top, width, height].map((v) => Number(v.toFixed(4))));
  return (
    <>
      <span class="face" data-testid="face" data-box={data} style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}>
        <b class="mono">{score.toFixed(2)}</b>
      </span>
      {points.map(({ x, y }, i) => <i key={i} class="point" style={{ left: percent(x), top: percent(y) }} />)}
    </>
  );
}

/** The photo, and the faces that were found on it. */
export function PhotoView({ image, name, faces = [] }: { image: Image | undefined; name: string; faces?: readonly Face[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => { if (image) drawOn(canvas.current, thumbnail(image, SIDE)); }, [image]);
  return (
    <div class="photo-view" style={{ '--ratio': image ? image.width / image.height : 1 }}>
      <canvas ref={canvas} width="1" height="1" role="img" aria-label={`The photo ${name}`} class={image ? '' : 'undrawn'} />
      {faces.map((face, i) => <Box key={i} face={face} />)}
    </div>
  );
}
