import { useEffect, useRef, useState } from 'preact/hooks';
import { SAMPLES, type Photo } from '../../lib/photo.ts';

const ACCEPT = 'image/png,image/jpeg,image/bmp,.pgm,.ppm,.pnm';

interface Props {
  photo: Photo | undefined;
  onFile: (file: File) => void;
  onSample: (name: string) => void;
}

/** Files dropped anywhere on the page, or pasted; tells whether something hovers. */
function useDroppedFiles(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const aborter = new AbortController();
    const on = (type: string, listener: (e: Event) => void) => document.addEventListener(type, listener, { signal: aborter.signal });
    const take = (files: FileList | undefined) => files?.[0] && latest.current(files[0]);
    const drag = (e: Event) => {
      const { dataTransfer } = e as DragEvent;
      if (!dataTransfer?.types.includes('Files')) return;
      e.preventDefault();
      setOver(e.type === 'dragover');
      if (e.type === 'drop') take(dataTransfer.files);
    };
    for (const type of ['dragover', 'dragleave', 'drop']) on(type, drag);
    on('paste', (e) => take((e as ClipboardEvent).clipboardData?.files));
    return () => aborter.abort();
  }, []);
  return over;
}

function Sample({ name, chosen, onChoose }: { name: string; chosen: boolean; onChoose: () => void }) {
  const { text } = SAMPLES[name]!;
  return (
    <button type="button" class="sample" aria-pressed={chosen} title={text} data-testid={`sample-${name}`} onClick={onChoose}>
      <img src={`samples/thumbs/${name}.jpg`} alt={text} width="72" height="72" />
    </button>
  );
}

export function Pick({ photo, onFile, onSample }: Props) {
  const over = useDroppedFiles(onFile);
  return (
    <section class="pick" aria-label="Photo">
      <label class={`drop ${over ? 'over' : ''}`}>
        <input
          type="file" class="hidden" accept={ACCEPT} data-testid="file"
          onChange={(e) => {
            const file = e.currentTarget.files?.[0];
            if (file) onFile(file);
            e.currentTarget.value = '';
          }}
        />
        <strong>{photo && !photo.sample ? photo.name : 'Drop, paste or choose a photo'}</strong>
        <span>PNG, JPEG, BMP or PNM. It stays on this machine.</span>
      </label>
      <div class="samples" role="group" aria-label="Sample photos">
        {Object.keys(SAMPLES).map((name) => (
          <Sample key={name} name={name} chosen={photo?.sample === name} onChoose={() => onSample(name)} />
        ))}
      </div>
    </section>
  );
}
