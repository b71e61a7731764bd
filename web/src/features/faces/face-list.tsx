import type { Face } from './faces.ts';

const countText = (n: number) => (n === 0 ? 'No face' : n === 1 ? 'One face' : `${n} faces`);

/** What was found, in words. */
export function FaceList({ faces }: { faces: readonly Face[] }) {
  return (
    <div class="faces">
      <p class="answer words" data-testid="answer" data-faces={faces.length} aria-live="polite">{countText(faces.length)}</p>
      <ul>
        {faces.map(({ score, left, top }, i) => (
          <li key={i}><span class="mono">{score.toFixed(4)}</span> at {Math.round(100 * left)} % from the left, {Math.round(100 * top)} % from the top</li>
        ))}
      </ul>
      <p class="note">The outputs are exact; anchors, logistic and the merging of boxes are worked out of them by this page in floating point. Photos are stretched to 128×128.</p>
    </div>
  );
}
