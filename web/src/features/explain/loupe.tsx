import { useEffect, useRef } from 'preact/hooks';
import { ONE } from '../../lib/q16.ts';
import type { Rect } from '../../lib/geometry.ts';
import type { Explanation } from './explanation.ts';

/** Grey levels; what lies outside the input (padding) stays transparent. */
function toImage({ surroundings: { rect, values }, input }: Explanation): ImageData {
  const image = new ImageData(rect.width, rect.height);
  values.forEach((v, i) => {
    const y = rect.y + Math.floor(i / rect.width);
    const x = rect.x + (i % rect.width);
    const inside = y >= 0 && x >= 0 && y < input.height && x < input.width;
    const grey = (v * 255) / ONE;
    image.data.set([grey, grey, grey, inside ? 255 : 0], 4 * i);
  });
  return image;
}

function frame(window: Rect, around: Rect) {
  const percent = (v: number, n: number) => `${(100 * v) / n}%`;
  return {
    left: percent(window.x - around.x, around.width), top: percent(window.y - around.y, around.height),
    width: percent(window.width, around.width), height: percent(window.height, around.height),
  };
}

/** The input around the window, enlarged. */
export function Loupe({ explanation }: { explanation: Explanation }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { rect } = explanation.surroundings;
  useEffect(() => {
    if (!canvas.current) return;
    canvas.current.width = rect.width;
    canvas.current.height = rect.height;
    canvas.current.getContext('2d')?.putImageData(toImage(explanation), 0, 0);
  }, [explanation]);
  return (
    <figure class="numbers">
      <figcaption>in the input</figcaption>
      <span class="loupe" style={{ '--ratio': rect.width / rect.height }}>
        <canvas ref={canvas} role="img" aria-label={`The input around row ${explanation.window.rect.y}, column ${explanation.window.rect.x}`} />
        <span class="frame-mark" style={frame(explanation.window.rect, rect)} />
      </span>
    </figure>
  );
}
