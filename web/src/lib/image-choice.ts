import type { ImagePreset, ImageTask } from 'bitexact';

const HALF = 32768;
const SIGNED: ImageTask = { values: 'unit', mean: [HALF], std: [HALF] };
const INVERTED: ImageTask = { values: 'unit', channels: 'luma', resize: 'area', invert: true };

interface Way {
  readonly text: string;
  /** Absent: the engine's default for the model. */
  readonly image?: ImagePreset | ImageTask;
  /** The same for the command line. */
  readonly options: string;
}

/** How an image becomes a model's input. */
export const IMAGE_WAYS = {
  auto: { text: 'as the model’s numbers suggest', options: '' },
  unit: { text: '0 to 1', image: 'unit', options: '--preset unit' },
  signed: { text: '−1 to 1', image: SIGNED, options: '--values unit --mean 0.5 --std 0.5' },
  raw: { text: 'bytes', image: 'raw', options: '--preset raw' },
  mnist: { text: 'MNIST, light on dark', image: 'mnist', options: '--preset mnist' },
  'mnist-dark': { text: 'MNIST, dark on light', image: INVERTED, options: '--preset mnist --invert' },
  imagenet: { text: 'ImageNet mean and deviation', image: 'imagenet', options: '--preset imagenet' },
} as const satisfies Readonly<Record<string, Way>>;

export type ImageChoice = keyof typeof IMAGE_WAYS;

/** What `bitexact run` computes for it must be the same: the receipts are. */
export const wayOf = (choice: ImageChoice): Way => IMAGE_WAYS[choice];
