import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Tensor } from 'bitexact';
import { drawOn, greyPicture } from '../../lib/canvas.ts';
import { numberAt, rangeOf, shortNumber } from '../../lib/elements.ts';
import { mosaicOf, placeOf, type DataLayout, type Mosaic } from './mosaic.ts';

type Range = readonly [least: number, most: number];

/** Grey from the least to the most; between maps there is nothing. */
function pictureOf(tensor: Tensor, { width, height, element }: Mosaic, [least, most]: Range) {
  const scale = most > least ? 255 / (most - least) : 0;
  return greyPicture(width, height, (x, y) => {
    const i = element(x, y);
    return i === undefined ? undefined : (numberAt(tensor, i) - least) * scale;
  });
}

interface Props {
  name: string;
  shape: readonly number[];
  layout: DataLayout;
  /** Its room is kept until it comes. */
  tensor: Tensor | undefined;
}

/** A tensor's maps or elements; the one under the pointer is read out. */
export function TensorPicture({ name, shape, layout, tensor }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [under, setUnder] = useState<number>();
  const mosaic = useMemo(() => mosaicOf(shape, layout), [shape, layout]);
  const range = useMemo(() => tensor && rangeOf(tensor), [tensor]);
  useEffect(() => { if (tensor && range) drawOn(canvas.current, pictureOf(tensor, mosaic, range)); }, [tensor, mosaic]);
  const onPointerMove = ({ offsetX, offsetY }: PointerEvent) => {
    const { clientWidth, clientHeight } = canvas.current!;
    setUnder(mosaic.element(Math.floor((offsetX * mosaic.width) / clientWidth), Math.floor((offsetY * mosaic.height) / clientHeight)));
  };
  const reading = !tensor || !range ? '' : under === undefined ? rangeText(mosaic, range) : readingText(tensor, under);
  return (
    <>
      <div class="maps" style={{ '--ratio': mosaic.width / (mosaic.height || 1) }}>
        <canvas
          ref={canvas} width="1" height="1" role="img" aria-label={`Picture of ${name}`} class={tensor ? '' : 'undrawn'} data-testid={tensor && 'drawn'}
          onPointerMove={onPointerMove} onPointerLeave={() => setUnder(undefined)}
        />
      </div>
      <p class="reading mono">{reading}</p>
    </>
  );
}

function rangeText({ maps, shown }: Mosaic, [least, most]: Range): string {
  const range = least === most ? `all ${shortNumber(least)}` : `black ${shortNumber(least)} · white ${shortNumber(most)}`;
  return shown < maps ? `${range} · ${shown} of ${maps} maps` : range;
}

const readingText = (tensor: Tensor, i: number) =>
  `${placeOf(i, tensor.shape)} = ${shortNumber(numberAt(tensor, i))}${tensor.dtype === 'q16' ? ` · integer ${tensor.data[i]}` : ''}`;
