import type { PhotoTask } from 'bitexact';

export interface Pipeline {
  readonly name: string;
  readonly image: string;
  readonly task: Required<PhotoTask>;
}

/** A model of ours on a sample, as models/ has them. */
export interface PinnedModel {
  readonly model: string;
  readonly requant: string;
  readonly inputs: readonly string[];
  readonly image?: unknown;
}

export interface Platform {
  readonly name: string;
  readonly architecture: string;
  readonly simd: string;
  readonly compiler: string;
  readonly kernels: string;
  /** The SHA-256 of the last stage, per pipeline. */
  readonly outputs: readonly string[];
  /** The SHA-256 of the canonical receipt without `made_by`, per pipeline. */
  readonly receipts?: readonly string[];
  /** The SHA-256 of the canonical receipt, per model. */
  readonly models?: readonly string[];
}

export interface Parity {
  readonly engine: string;
  readonly contract: number;
  readonly pipelines: readonly Pipeline[];
  readonly models?: readonly PinnedModel[];
  readonly platforms: readonly Platform[];
}

/** What one machine got for one pipeline. */
export interface Outcome {
  readonly output: string;
  readonly receipt: string;
}

/** The file's content, or what is wrong with it. */
export function readParity(text: string): Parity {
  const json: unknown = JSON.parse(text);
  const { schema, pipelines, platforms } = json as { schema?: string } & Partial<Parity>;
  if (schema !== 'bitexact-parity/1') throw new Error(`parity.json: schema bitexact-parity/1 expected, got ${schema}`);
  if (!pipelines?.length || !platforms?.length) throw new Error('parity.json: no pipelines or no platforms');
  const short = platforms.find((p) => p.outputs?.length !== pipelines.length || (p.receipts && p.receipts.length !== pipelines.length));
  if (short) throw new Error(`parity.json: ${short.name} has not one digest for each of the ${pipelines.length} pipelines`);
  return json as Parity;
}

/** The native digests, or nothing when this site was built without them (some servers then answer with a page). */
export async function loadParity(): Promise<Parity | undefined> {
  const answer = await fetch('parity.json');
  const text = answer.ok ? await answer.text() : '';
  return text.trimStart().startsWith('{') ? readParity(text) : undefined;
}

/** Whether a platform got what this browser got; undefined while this browser has not computed it. */
export function agrees(platform: Platform, i: number, here: readonly (Outcome | undefined)[]): boolean | undefined {
  const mine = here[i];
  if (!mine) return undefined;
  return platform.outputs[i] === mine.output && (!platform.receipts || platform.receipts[i] === mine.receipt);
}

export interface Tally {
  readonly equal: number;
  readonly done: number;
  readonly total: number;
  /** Only when every pipeline is done, or one differs. */
  readonly verdict?: boolean;
}

export function tally(platform: Platform, here: readonly (Outcome | undefined)[]): Tally {
  const answers = platform.outputs.map((_, i) => agrees(platform, i, here)).filter((a) => a !== undefined);
  const equal = answers.filter(Boolean).length;
  const total = platform.outputs.length;
  const counts = { equal, done: answers.length, total };
  if (equal < answers.length) return { ...counts, verdict: false };
  return answers.length === total ? { ...counts, verdict: true } : counts;
}
