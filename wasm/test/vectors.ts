// Runs `bitexact-vectors/1` suites through the public SDK: in Node, in workers and on browsers' pages.
import type { Engine, Remote, Tensor, TensorType } from '../src/types.js';
import { elementsOf, toTensor } from './vector_data.js';
import type { VectorCase, VectorSuite } from './vector_data.js';
import { compute } from './vector_ops.js';

export { parseSuite } from './vector_data.js';
export type { VectorSuite } from './vector_data.js';

export interface VectorResult {
  passed: number;
  failed: number;
  failures: string[];
  /** The SHA-256 of all results' digests (or classes of error), a line each: as `bitexact vectors --json` has it. */
  all: string;
}

type AnyEngine = Engine | Remote<Engine>;
type Expected = NonNullable<VectorCase['output']>;

const textOf = (shape: readonly number[]) => `[${shape.join(', ')}]`;

/** In place of elements, what only has a type shows its shape. */
async function digestOf(engine: AnyEngine, got: Tensor | TensorType): Promise<string> {
  if (!('data' in got)) return textOf(got.shape);
  const { buffer, byteOffset, byteLength } = got.data;
  return engine.sha256(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
}

function difference(expected: Expected, got: Tensor | TensorType, digest: string): string | undefined {
  const { dtype = got.dtype } = expected;
  if (got.dtype !== dtype || String(got.shape) !== String(expected.shape)) {
    return `expected ${dtype} ${textOf(expected.shape)}, got ${got.dtype} ${textOf(got.shape)}`;
  }
  if (!('data' in got)) return undefined;
  const values = expected.data ?? expected.head ?? [], elements = elementsOf(got);
  const at = values.findIndex((v, i) => String(v) !== String(elements[i]));
  if (at >= 0) return `element ${at}: expected ${values[at]}, got ${elements[at]}`;
  if (!expected.sha256) return values.length === elements.length ? undefined : `${elements.length} elements instead of ${values.length}`;
  return digest === expected.sha256 ? undefined : `sha256: expected ${expected.sha256}, got ${digest}`;
}

/** What is wrong with a case, or nothing, and the digest of its result or its class of error. */
async function check(engine: AnyEngine, c: VectorCase, reference: boolean): Promise<{ wrong: string | undefined; digest: string }> {
  try {
    const inputs = Object.entries(c.inputs).map(([key, t]) => [key, toTensor(t)] as const);
    const got = await compute(engine, c, Object.fromEntries(inputs), reference);
    const digest = await digestOf(engine, got);
    return { digest, wrong: c.output ? difference(c.output, got, digest) : `expected the error ${c.error}, got ${textOf(got.shape)}` };
  } catch (cause) {
    const { code = 'error', message } = cause as { code?: string; message?: string };
    return { digest: code, wrong: code === c.error ? undefined : `expected ${c.error ?? 'a result'}, got ${code}: ${message}` };
  }
}

/** An op that is not known is a failure. */
export async function runVectors(engine: AnyEngine, suite: VectorSuite, reference = false): Promise<VectorResult> {
  const failures: string[] = [];
  let digests = '';
  for (const c of suite.cases) {
    const { wrong, digest } = await check(engine, c, reference);
    digests += `${digest}\n`;
    if (wrong !== undefined) failures.push(`${c.name}: ${wrong}`);
  }
  const all = await engine.sha256(new TextEncoder().encode(digests));
  return { passed: suite.cases.length - failures.length, failed: failures.length, failures, all };
}
