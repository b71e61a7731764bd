import { SAMPLES, type Photo } from '../../lib/photo.ts';
import { useDroppedFiles } from '../../lib/use-dropped-files.ts';
import { FileDrop } from '../../ui/file-drop.tsx';

export const PHOTOS = 'image/png,image/jpeg,image/bmp,.pgm,.ppm,.pnm';
export const PHOTO_NOTE = 'PNG, JPEG, BMP or PNM. It stays on this machine.';

interface SampleProps {
  chosen: string | undefined;
  onSample: (name: string) => void;
}

function Sample({ name, chosen, onSample }: SampleProps & { name: string }) {
  const { text } = SAMPLES[name]!;
  return (
    <button type="button" class="sample" aria-pressed={chosen === name} title={text} data-testid={`sample-${name}`} onClick={() => onSample(name)}>
      <img src={`samples/thumbs/${name}.jpg`} alt={text} width="72" height="72" />
    </button>
  );
}

export function SamplePhotos(props: SampleProps) {
  return (
    <div class="samples" role="group" aria-label="Sample photos">
      {Object.keys(SAMPLES).map((name) => <Sample key={name} name={name} {...props} />)}
    </div>
  );
}

interface Props {
  photo: Photo | undefined;
  onFile: (file: File) => void;
  onSample: (name: string) => void;
}

export function Pick({ photo, onFile, onSample }: Props) {
  const over = useDroppedFiles(onFile);
  const title = photo && !photo.sample ? photo.name : 'Drop, paste or choose a photo';
  return (
    <section class="pick" aria-label="Photo">
      <FileDrop title={title} note={PHOTO_NOTE} accept={PHOTOS} over={over} testid="file" onFile={onFile} />
      <SamplePhotos chosen={photo?.sample} onSample={onSample} />
    </section>
  );
}
