import type { Engine, Image, Remote } from 'bitexact';
import type { ModelInputFile } from '../../lib/model-input.ts';
import { useLater } from '../../lib/use-later.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { Panel } from '../../ui/fields.tsx';
import { DigitInput } from '../draw/digit-input.tsx';
import type { Face } from '../faces/faces.ts';
import { PhotoView } from '../faces/photo-view.tsx';
import { PHOTO_NOTE, PHOTOS, SamplePhotos } from '../pick/pick.tsx';
import { Options, type OptionsProps } from './options.tsx';

interface Props extends OptionsProps {
  engine: Remote<Engine>;
  input: ModelInputFile | undefined;
  /** The model reads digits. */
  digits: boolean;
  /** Found on this input. */
  faces: readonly Face[] | undefined;
  over: boolean;
  onInput: (input: ModelInputFile | undefined) => void;
  onSample: (sample: string) => void;
  onPhoto: (file: File) => void;
}

/** The input's pixels; a broken file has none, and the run says why. */
function useImage(engine: Remote<Engine>, input: ModelInputFile | undefined): Image | undefined {
  const decoded = useLater(async () => input && { of: input, image: await engine.decode(input.bytes) }, [input]);
  return decoded && decoded.of === input ? decoded.image : undefined;
}

/** Where an input comes from, and how it becomes numbers. */
export function InputPanel({ engine, input, digits, faces, over, onInput, onSample, onPhoto, ...options }: Props) {
  const image = useImage(engine, input);
  const title = digits ? 'Photo of a digit' : 'Drop, paste or choose a photo';
  return (
    <Panel title="Input" class="input-panel">
      {digits && <DigitInput input={input} image={image} onInput={onInput} onSample={onSample} />}
      {!digits && <PhotoView image={image} name={input?.name ?? ''} faces={faces} />}
      {!digits && <SamplePhotos chosen={input?.sample} onSample={onSample} />}
      <FileDrop title={title} note={PHOTO_NOTE} accept={PHOTOS} over={over} testid="file" onFile={onPhoto} />
      <Options {...options} />
    </Panel>
  );
}
