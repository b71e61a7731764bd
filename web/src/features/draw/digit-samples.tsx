import { DIGIT_URLS } from '../../lib/models.ts';

interface Props {
  chosen: string | undefined;
  onSample: (digit: string) => void;
}

export function DigitSamples({ chosen, onSample }: Props) {
  return (
    <div class="samples digits" role="group" aria-label="Sample digits">
      {DIGIT_URLS.map((url, digit) => (
        <button key={digit} type="button" class="sample" aria-pressed={chosen === String(digit)} data-testid={`sample-${digit}`} onClick={() => onSample(String(digit))}>
          <img src={url} alt={`Digit ${digit}`} width="28" height="28" />
        </button>
      ))}
    </div>
  );
}
