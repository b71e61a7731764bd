import { countOf } from '../../lib/elements.ts';

export type DataLayout = 'NCHW' | 'NHWC';

/** A tensor as one picture: its maps side by side, or its elements row by row. */
export interface Mosaic {
  readonly width: number;
  readonly height: number;
  /** Of `maps` so many are in the picture. */
  readonly shown: number;
  readonly maps: number;
  /** The element that a pixel shows, or undefined between maps. */
  element(x: number, y: number): number | undefined;
}

const PIXELS = 1 << 20;
/** Larger maps are drawn with every second, third... row and column. */
const SIDE = 192;
const STRIP = 64;
const GAP = 1;

/** Elements without places in a plane: one row, or rows in the shape of a banner. */
function strip(n: number): Mosaic {
  const width = n <= STRIP ? n : Math.ceil(Math.sqrt(4 * Math.min(n, PIXELS)));
  const height = width && Math.ceil(Math.min(n, PIXELS) / width);
  const element = (x: number, y: number) => (y * width + x < n ? y * width + x : undefined);
  return { width, height, shown: 1, maps: 1, element };
}

interface Planes {
  readonly maps: number;
  readonly rows: number;
  readonly columns: number;
  index(map: number, y: number, x: number): number;
}

function planesOf([n = 1, a = 1, b = 1, c = 1]: readonly number[], layout: DataLayout): Planes {
  if (layout === 'NCHW') return { maps: n * a, rows: b, columns: c, index: (map, y, x) => (map * b + y) * c + x };
  return { maps: n * c, rows: a, columns: b, index: (map, y, x) => ((Math.floor(map / c) * a + y) * b + x) * c + (map % c) };
}

function tiles({ maps, rows, columns, index }: Planes): Mosaic {
  const step = Math.ceil(Math.max(rows, columns) / SIDE);
  const h = Math.ceil(rows / step), w = Math.ceil(columns / step);
  const shown = Math.min(maps, Math.max(1, Math.floor(PIXELS / (h * w))));
  const across = Math.min(shown, Math.ceil(Math.sqrt((1.6 * shown * h) / w)));
  const down = Math.ceil(shown / across);
  const element = (x: number, y: number) => {
    const map = Math.floor(y / (h + GAP)) * across + Math.floor(x / (w + GAP));
    const inY = y % (h + GAP), inX = x % (w + GAP);
    return inY < h && inX < w && map < shown ? index(map, inY * step, inX * step) : undefined;
  };
  return { width: across * (w + GAP) - GAP, height: down * (h + GAP) - GAP, shown, maps, element };
}

/** Tensors of four dimensions have maps, unless these are single elements. */
export function mosaicOf(shape: readonly number[], layout: DataLayout): Mosaic {
  const planes = planesOf(shape, layout);
  return shape.length === 4 && planes.rows * planes.columns > 1 ? tiles(planes) : strip(countOf(shape));
}

/** Where an element is, for people. */
export function placeOf(i: number, shape: readonly number[]): string {
  const position = [];
  for (let rest = i, d = shape.length - 1; d >= 0; --d) {
    position.unshift(rest % shape[d]!);
    rest = Math.floor(rest / shape[d]!);
  }
  return `[${position.join(', ')}]`;
}
