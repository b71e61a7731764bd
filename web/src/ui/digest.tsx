import { useCopy } from './copy-button.tsx';

const BLOCKS = 8;

/** Eight colours made of the first eight bytes: equal digests look equal. */
function Blocks({ sha256 }: { sha256: string }) {
  const byte = (i: number) => parseInt(sha256.slice(2 * i, 2 * i + 2), 16);
  return (
    <span class="blocks" aria-hidden="true">
      {Array.from({ length: BLOCKS }, (_, i) => (
        <i key={i} style={{ '--hue': (byte(i) * 360) / 256 }} />
      ))}
    </span>
  );
}

/** Short form; the full digest on focus or hover, and on the clipboard when pressed. */
export function Digest({ sha256, of }: { sha256: string; of: string }) {
  const [said, copy] = useCopy();
  const short = `${sha256.slice(0, 8)}…${sha256.slice(-4)}`;
  return (
    <button type="button" class="digest mono" aria-label={`${short}, SHA-256 of ${of}: copy ${sha256}`} onClick={() => copy(sha256)}>
      <Blocks sha256={sha256} />
      <span class="short">{short}</span>
      <span class="full" aria-hidden="true">{said ?? sha256}</span>
      <span class="hidden" aria-live="polite">{said}</span>
    </button>
  );
}
