/** As MNIST has them: light on dark, row-major. */
export const SIDE = 28;
export type Drawing = Uint8Array;

/** Columns and rows, with fractions: 0.5 is the middle of the first pixel. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const BRUSH = 1.1;
const SOFT = 0.9;

export const emptyDrawing = (): Drawing => new Uint8Array(SIDE * SIDE);
export const isEmptyDrawing = (d: Drawing) => d.every((v) => v === 0);

function stamp(d: Drawing, at: Point) {
  for (let y = 0; y < SIDE; ++y) {
    for (let x = 0; x < SIDE; ++x) {
      const distance = Math.hypot(x + 0.5 - at.x, y + 0.5 - at.y);
      const ink = Math.round(255 * Math.max(0, Math.min(1, (BRUSH + SOFT - distance) / SOFT)));
      d[y * SIDE + x] = Math.max(d[y * SIDE + x]!, ink);
    }
  }
}

/** The drawing with a stroke of a soft round brush. */
export function withStroke(d: Drawing, from: Point, to: Point): Drawing {
  const drawn = d.slice();
  const steps = Math.max(1, Math.ceil(2 * Math.hypot(to.x - from.x, to.y - from.y)));
  for (let i = 0; i <= steps; ++i) stamp(drawn, { x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
  return drawn;
}

/** How far the centre of mass is from the middle, in whole pixels, halves towards the bottom right. */
function offCentre(d: Drawing): readonly [dy: number, dx: number] {
  let mass = 0, rows = 0, columns = 0;
  d.forEach((v, i) => {
    mass += v;
    rows += v * Math.floor(i / SIDE);
    columns += v * (i % SIDE);
  });
  const middle = (SIDE - 1) / 2;
  return mass ? [Math.round(rows / mass - middle), Math.round(columns / mass - middle)] : [0, 0];
}

/** Moved so that the centre of mass is in the middle, as MNIST's digits are; what leaves the picture is lost. */
export function centred(d: Drawing): Drawing {
  const [dy, dx] = offCentre(d);
  return d.map((_, i) => {
    const y = Math.floor(i / SIDE) + dy, x = (i % SIDE) + dx;
    return y >= 0 && y < SIDE && x >= 0 && x < SIDE ? d[y * SIDE + x]! : 0;
  });
}
