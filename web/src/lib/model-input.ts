import { fetchBytes, type NamedFile } from './files.ts';
import { DIGIT_URLS } from './models.ts';
import { loadSample, SAMPLES } from './photo.ts';

export interface ModelInputFile extends NamedFile {
  /** Set for the page's own digits and photos. */
  readonly sample?: string;
  /** Its bytes are a drawing's. */
  readonly drawn?: boolean;
}

const isDigit = (sample: string) => /^\d$/.test(sample);

export const FIRST_DIGIT = '7';
export const FIRST_PHOTO = 'astronaut';

/** The sample if there is one of that name that suits, else the first. */
export function suitable(sample: string | undefined, digits: boolean): string {
  const first = digits ? FIRST_DIGIT : FIRST_PHOTO;
  const known = sample !== undefined && (digits ? isDigit(sample) : Object.hasOwn(SAMPLES, sample));
  return known ? sample : first;
}

export async function loadInput(sample: string): Promise<ModelInputFile> {
  if (!isDigit(sample)) return loadSample(sample);
  const name = `${sample}.png`;
  return { name, bytes: await fetchBytes(DIGIT_URLS[Number(sample)]!, name), sample };
}

/** Drawings and digits are for models of digits, sample photos for the others; files of one's own for any. */
export const suits = ({ sample, drawn }: ModelInputFile, digits: boolean) =>
  (sample === undefined && !drawn) || digits === (drawn || isDigit(sample ?? ''));
