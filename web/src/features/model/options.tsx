import type { Requant } from 'bitexact';
import { IMAGE_WAYS, type ImageChoice } from '../../lib/image-choice.ts';
import { Select } from '../../ui/fields.tsx';

export interface Settings {
  readonly image: ImageChoice;
  readonly requant: Requant;
}

const IMAGES = Object.entries(IMAGE_WAYS).map(([value, { text }]) => [value, text] as const);
const ROUNDINGS = [['tflm', 'TFLite Micro'], ['xnnpack', 'XNNPACK']] as const;

export interface OptionsProps {
  settings: Settings;
  quantized: boolean;
  onChange: (part: Partial<Settings>) => void;
}

export function Options({ settings, quantized, onChange }: OptionsProps) {
  return (
    <div class="model-options">
      <Select label="Image as" testid="image-choice" value={settings.image} options={IMAGES} onChange={(v) => onChange({ image: v as ImageChoice })} />
      {quantized && <Select label="Rounds like" testid="requant" value={settings.requant} options={ROUNDINGS} onChange={(v) => onChange({ requant: v as Requant })} />}
    </div>
  );
}
