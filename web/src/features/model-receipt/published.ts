import type { ImageChoice } from '../../lib/image-choice.ts';
import type { ModelInputFile } from '../../lib/model-input.ts';
import type { ModelFile } from '../../lib/models.ts';
import type { Parity } from '../parity/parity.ts';

/** A native build, and the digest of its receipt. */
export interface Published {
  readonly platform: string;
  readonly architecture: string;
  readonly receipt: string;
}

interface Shown {
  readonly model: ModelFile;
  readonly input: ModelInputFile;
  readonly image: ImageChoice;
  readonly requant: string;
}

/** What native builds made of one of our models and samples; nothing when it is another, or was asked otherwise. */
export function publishedFor({ models, platforms }: Parity, { model, input, image, requant }: Shown): readonly Published[] | undefined {
  if (model.model === undefined || input.sample === undefined) return undefined;
  const at = (models ?? []).findIndex((m) =>
    m.model === model.name && m.inputs[0] === input.name && m.image === image && m.requant === requant);
  if (at < 0) return undefined;
  return platforms.flatMap(({ name, architecture, models: receipts }) =>
    receipts ? [{ platform: name, architecture, receipt: receipts[at]! }] : []);
}

export function verdictOn(made: readonly Published[], sha256: string): { readonly equal: boolean; readonly text: string } {
  const others = made.filter(({ receipt }) => receipt !== sha256);
  if (others.length > 0) return { equal: false, text: `Differs from what these made: ${others.map((o) => o.platform).join(', ')}.` };
  const architectures = [...new Set(made.map((m) => m.architecture))];
  return { equal: true, text: `${made.length} native builds made the same receipt: ${architectures.join(', ')}.` };
}
