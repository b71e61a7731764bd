import { useEffect, useState } from 'preact/hooks';
import type { Image } from 'bitexact';
import type { ModelInputFile } from '../../lib/model-input.ts';
import { PhotoView } from '../faces/photo-view.tsx';
import { DigitSamples } from './digit-samples.tsx';
import { centred, emptyDrawing, isEmptyDrawing, SIDE, type Drawing } from './drawing.ts';
import { Pad } from './pad.tsx';
import { toPgm } from './pgm.ts';

interface Props {
  input: ModelInputFile | undefined;
  /** The input's pixels. */
  image: Image | undefined;
  onInput: (input: ModelInputFile | undefined) => void;
  onSample: (digit: string) => void;
}

const isDigit = ({ width, height, channels, bits }: Image) => width === SIDE && height === SIDE && channels === 1 && bits === 8;

const fileOf = (drawing: Drawing, centre: boolean): ModelInputFile | undefined =>
  isEmptyDrawing(drawing) ? undefined : { name: 'digit.pgm', bytes: toPgm(SIDE, SIDE, centre ? centred(drawing) : drawing), drawn: true };

/** A digit to draw, or one of the samples to begin with. */
export function DigitInput({ input, image, onInput, onSample }: Props) {
  const [drawing, setDrawing] = useState(emptyDrawing);
  const [centre, setCentre] = useState(true);
  const foreign = input && !input.drawn && image && !isDigit(image) ? image : undefined;
  useEffect(() => {
    // A drawing comes from here already, unless it was made for another model.
    if (image && (!input?.drawn || isEmptyDrawing(drawing))) setDrawing(isDigit(image) ? Uint8Array.from(image.data) : emptyDrawing());
  }, [image]);
  const draw = (d: Drawing, how = centre) => {
    setDrawing(d);
    onInput(fileOf(d, how));
  };
  const onCentre = (how: boolean) => {
    setCentre(how);
    if (input?.drawn) draw(drawing, how);
  };
  return (
    <>
      {foreign ? <PhotoView image={foreign} name={input!.name} /> : <Pad drawing={drawing} onDraw={draw} />}
      <div class="row">
        <button type="button" data-testid="clear" onClick={() => draw(emptyDrawing())}>{foreign ? 'Draw instead' : 'Clear'}</button>
        <label class="check" title="As the digits were that the network learned from: the centre of mass in the middle. It changes what is drawn, not the samples.">
          <input type="checkbox" checked={centre} onChange={(e) => onCentre(e.currentTarget.checked)} />
          centre what I draw
        </label>
      </div>
      <DigitSamples chosen={input?.sample} onSample={onSample} />
    </>
  );
}
