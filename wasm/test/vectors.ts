// Runs a `bitexact-vectors/1` file (tests/vectors/SCHEMA.md) through the public SDK: in Node, in workers and on browsers' pages.
import type { Engine, Fx, Image, Matrix, Remote, Tensor } from '../src/types.js';

export interface VectorTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data?: readonly number[];
  readonly fill?: { readonly seed: number; readonly lo: number; readonly hi: number };
  readonly range?: number;
}

export interface VectorCase {
  readonly name: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, VectorTensor>>;
  readonly output?: { readonly dtype: string; readonly shape: readonly number[]; readonly data?: readonly number[]; readonly sha256?: string; readonly head?: readonly number[] };
  readonly error?: string;
}

export interface VectorSuite {
  readonly schema: string;
  readonly suite: string;
  readonly cases: readonly VectorCase[];
}

export interface VectorResult {
  passed: number;
  failed: number;
  failures: string[];
  /** The SHA-256 of all results' digests (or classes of error), a line each: as `bitexact vectors --json` has it. */
  all: string;
}

type AnyEngine = Engine | Remote<Engine>;
type Params = Readonly<Record<string, unknown>>;
type Inputs = Readonly<Record<string, Tensor>>;
type FxOp = (fx: Fx | Remote<Fx>, inputs: Readonly<Record<string, Matrix>>, params: Readonly<Record<string, number>>) => Matrix | Promise<Matrix>;
type ImageOp = (engine: AnyEngine, image: Image, params: Params) => Image | Tensor | Promise<Image | Tensor>;

const fxOps: Readonly<Record<string, FxOp>> = {
  fx_conv2d: (fx, { in: x, kernel }) => fx.conv2d(x!, kernel!),
  fx_maxpool_2x2: (fx, { in: x }) => fx.maxpool2x2(x!),
  fx_avgpool_2x2: (fx, { in: x }) => fx.avgpool2x2(x!),
  fx_maxpool_generic: (fx, { in: x }, p) => fx.maxpoolGeneric(x!, p['pool_h']!, p['pool_w']!),
  fx_maxpool_stride: (fx, { in: x }, p) => fx.maxpoolStride(x!, p['pool_size']!, p['stride']!),
  fx_pad_zeros: (fx, { in: x }, p) => fx.padZeros(x!, p['rows']!, p['cols']!),
  fx_relu: (fx, { in: x }) => fx.relu(x!),
  fx_leaky_relu: (fx, { in: x }, p) => fx.leakyRelu(x!, p['alpha']!),
  fx_matrix_add_bias: (fx, { in: x, bias }) => fx.addBias(x!, bias!),
  fx_matrix_mul: (fx, { in: x, b }) => fx.mul(x!, b!),
  fx_matrix_add: (fx, { in: x, b }) => fx.add(x!, b!),
};

const imageOps: Readonly<Record<string, ImageOp>> = {
  image_luma: (engine, image) => engine.luma(image),
  image_resize: (engine, image, p) => engine.resize(image, p as unknown as Parameters<Engine['resize']>[1]),
  image_to_q16: (engine, image, p) => engine.imageToQ16(image, p),
};

const kinds = { q16: Int32Array, u8: Uint8Array, u16: Uint16Array };

const mask = (1n << 64n) - 1n;

function* splitMix64(seed: bigint): Generator<bigint, never> {
  for (let state = seed; ; ) {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    yield z ^ (z >> 31n);
  }
}

function values({ data, range, fill }: VectorTensor, count: number): Iterable<number> {
  if (data) return data;
  if (range !== undefined) return Array.from({ length: count }, (_, i) => range + i);
  if (!fill) throw new Error('an input without data, fill or range');
  const random = splitMix64(BigInt(fill.seed)), span = BigInt(fill.hi - fill.lo + 1);
  return Array.from({ length: count }, () => fill.lo + Number(random.next().value % span));
}

function toTensor(t: VectorTensor): Tensor {
  const kind = kinds[t.dtype as keyof typeof kinds];
  if (!kind) throw new Error(`an input of ${t.dtype}`);
  const count = t.shape.reduce((product, n) => product * n, 1);
  return { dtype: t.dtype as keyof typeof kinds, shape: t.shape, data: kind.from(values(t, count)) };
}

function toMatrix({ shape: [rows, cols], data }: Tensor): Matrix {
  return { rows: rows!, cols: cols!, data: data as Int32Array };
}

function toImage({ dtype, shape: [height, width, channels], data }: Tensor): Image {
  const rest = { format: 'png', orientation: 1, colorProfileIgnored: false } as const;
  const bits = dtype === 'u16' ? 16 : 8;
  return { width: width!, height: height!, channels: channels as Image['channels'], bits, data: data as Uint8Array, ...rest };
}

function fromImage({ width, height, channels, bits, data }: Image): Tensor {
  return { dtype: bits === 16 ? 'u16' : 'u8', shape: [height, width, channels], data };
}

function difference(expected: NonNullable<VectorCase['output']>, got: Tensor, digest: string): string | undefined {
  if (got.dtype !== expected.dtype || String(got.shape) !== String(expected.shape)) {
    return `expected ${expected.dtype} [${expected.shape}], got ${got.dtype} [${got.shape}]`;
  }
  const values = expected.data ?? expected.head ?? [];
  const at = values.findIndex((v, i) => v !== Number(got.data[i]));
  if (at >= 0) return `element ${at}: expected ${values[at]}, got ${got.data[at]}`;
  if (!expected.sha256) return values.length === got.data.length ? undefined : `${got.data.length} elements instead of ${values.length}`;
  return digest === expected.sha256 ? undefined : `sha256: expected ${expected.sha256}, got ${digest}`;
}

async function compute(engine: AnyEngine, { op, params }: VectorCase, inputs: Inputs): Promise<Tensor> {
  const fx = fxOps[op], image = imageOps[op];
  if (fx) {
    const matrices = Object.fromEntries(Object.entries(inputs).map(([key, t]) => [key, toMatrix(t)]));
    const { rows, cols, data } = await fx(engine.fx, matrices, params as Record<string, number>);
    return { dtype: 'q16', shape: [rows, cols], data };
  }
  if (!image) throw new Error(`unknown op ${op}`);
  const result = await image(engine, toImage(inputs['in']!), params);
  return 'dtype' in result ? result : fromImage(result);
}

/** What is wrong with a case, or nothing, and the digest of its result or its class of error. */
async function check(engine: AnyEngine, c: VectorCase): Promise<{ wrong: string | undefined; digest: string }> {
  try {
    const inputs = Object.entries(c.inputs).map(([key, t]) => [key, toTensor(t)] as const);
    const got = await compute(engine, c, Object.fromEntries(inputs));
    const { buffer, byteOffset, byteLength } = got.data;
    const digest = await engine.sha256(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
    return { digest, wrong: c.output ? difference(c.output, got, digest) : `expected the error ${c.error}, got [${got.shape}]` };
  } catch (cause) {
    const { code = 'error', message } = cause as { code?: string; message?: string };
    return { digest: code, wrong: code === c.error ? undefined : `expected ${c.error ?? 'a result'}, got ${code}: ${message}` };
  }
}

/** An op that is not known is a failure. */
export async function runVectors(engine: AnyEngine, suite: VectorSuite): Promise<VectorResult> {
  const failures: string[] = [];
  let digests = '';
  for (const c of suite.cases) {
    const { wrong, digest } = await check(engine, c);
    digests += `${digest}\n`;
    if (wrong !== undefined) failures.push(`${c.name}: ${wrong}`);
  }
  const all = await engine.sha256(new TextEncoder().encode(digests));
  return { passed: suite.cases.length - failures.length, failed: failures.length, failures, all };
}
