import type { KernelName, Matrix, Padding, PhotoTask } from 'bitexact';

export type Task = Required<PhotoTask>;
export type Kernels = Readonly<Record<KernelName, Matrix>>;
export type Activation = Task['activation'];
export type Pool = Task['pool'];
export type Resize = NonNullable<Task['resize']>;

export const MAX_KERNEL = 11;
/** The engine refuses larger pooling windows. */
export const MAX_WINDOW = 64;

export function namedKernel(kernels: Kernels, name: KernelName): Task['kernel'] {
  const { rows, cols, data } = kernels[name];
  return { name, shape: [rows, cols], q16: [...data] };
}

/** What `bitexact conv FILE --kernel NAME` does when nothing else is asked. */
export function plainTask(kernel: Task['kernel']): Task {
  return {
    kernel, channels: 'luma', resize: null, background: null, mean: [], std: [],
    pad: 'VALID', stride: [1, 1], activation: { kind: 'none' }, pool: { kind: 'none' },
  };
}

export function firstTask(kernels: Kernels): Task {
  return {
    ...plainTask(namedKernel(kernels, 'sobel-x')),
    activation: { kind: 'relu' },
    pool: { kind: 'max', kernel: [2, 2], stride: [2, 2] },
  };
}

export const isNamed = (kernels: Kernels, name: string | undefined): name is KernelName => !!name && Object.hasOwn(kernels, name);

const equalNumbers = (a: ArrayLike<number>, b: ArrayLike<number>) => a.length === b.length && Array.prototype.every.call(a, (v, i) => v === b[i]);

/** The name under which these numbers are known, if any. */
export function nameOf(kernels: Kernels, kernel: Task['kernel']): KernelName | undefined {
  const names = Object.keys(kernels) as KernelName[];
  return names.find((n) => {
    const { rows, cols, data } = kernels[n];
    return rows === kernel.shape[0] && cols === kernel.shape[1] && equalNumbers(data, kernel.q16);
  });
}

/** Kernels whose numbers sum to 0 answer with both signs, so they are better seen as |x|. */
export const isSigned = (kernel: Task['kernel']) => kernel.q16.reduce((a, b) => a + b, 0) === 0;

export const sameTask = (a: PhotoTask, b: PhotoTask) => taskToText(a as Task) === taskToText(b as Task);

// The spelling of a task's parts is that of the command line, so that a link can be read.

const PADS = { VALID: 'valid', SAME_UPPER: 'same', SAME_LOWER: 'same-lower', FULL: 'full' } as const;

export const padText = (pad: Padding): string => (typeof pad === 'string' ? PADS[pad] : pad.join(','));
export const pairText = ([h, w]: readonly [number, number]): string => `${h}x${w}`;
export const activationText = (a: Activation, alpha: (q16: number) => string): string =>
  a.kind === 'leaky_relu' ? `leaky-relu:${alpha(a.alpha)}` : a.kind;

export function poolText(pool: Pool): string {
  if (pool.kind === 'none') return 'none';
  const window = pairText(pool.kernel);
  const stride = pairText(pool.stride);
  return window === '2x2' && stride === '2x2' ? `${pool.kind}2x2` : `${pool.kind}:${window}/${stride}`;
}

/** A task as the query part of a link; custom numbers are q16 integers. */
export function taskToText(task: Task): string {
  const { kernel, resize, background } = task;
  const parts: Record<string, string> = {
    kernel: kernel.name && kernel.name !== 'custom' ? kernel.name : `${pairText(kernel.shape)}:${kernel.q16.join(',')}`,
    activation: activationText(task.activation, String),
    pool: poolText(task.pool),
  };
  if (task.channels !== 'luma') parts.channels = task.channels;
  if (task.pad !== 'VALID') parts.pad = padText(task.pad);
  if (pairText(task.stride) !== '1x1') parts.stride = pairText(task.stride);
  if (resize) parts.resize = `${resize.width}x${resize.height}:${resize.method ?? 'bilinear'}`;
  if (background) parts.background = background.join(',');
  if (task.mean.length) parts.mean = task.mean.join(',');
  if (task.std.length) parts.std = task.std.join(',');
  return Object.entries(parts).map(([k, v]) => `${k}=${v}`).join('&');
}

const integers = (text: string, lo: number, hi: number): number[] | undefined => {
  if (!/^-?\d+(,-?\d+)*$/.test(text)) return undefined;
  const all = text.split(',').map(Number);
  return all.every((n) => n >= lo && n <= hi) ? all : undefined;
};

function pair(text: string | undefined, hi: number): [number, number] | undefined {
  const m = /^(\d{1,5})x(\d{1,5})$/.exec(text ?? '');
  const [a, b] = m ? [Number(m[1]), Number(m[2])] : [0, 0];
  return a >= 1 && b >= 1 && a <= hi && b <= hi ? [a, b] : undefined;
}

function readKernel(text: string, kernels: Kernels): Task['kernel'] | undefined {
  if (isNamed(kernels, text)) return namedKernel(kernels, text);
  const [size, list = ''] = text.split(':');
  const shape = pair(size, MAX_KERNEL);
  const q16 = integers(list, -2147483648, 2147483647);
  if (!shape || q16?.length !== shape[0] * shape[1]) return undefined;
  return { name: nameOf(kernels, { shape, q16 }) ?? 'custom', shape, q16 };
}

export function readPad(text: string, shape: readonly [number, number]): Padding | undefined {
  const named = (Object.keys(PADS) as (keyof typeof PADS)[]).find((k) => PADS[k] === text);
  const sides = named ? undefined : integers(text, 0, MAX_KERNEL);
  const fits = sides?.length === 4 && sides.every((n, i) => n < shape[i % 2 ? 1 : 0]);
  return named ?? (fits ? (sides as unknown as Padding) : undefined);
}

function readActivation(text: string): Activation | undefined {
  if (text === 'none' || text === 'relu') return { kind: text };
  const alpha = integers(/^leaky-relu:(-?\d+)$/.exec(text)?.[1] ?? '', -2147483648, 2147483647);
  return alpha && { kind: 'leaky_relu', alpha: alpha[0]! };
}

function readPool(text: string): Pool | undefined {
  if (text === 'none') return { kind: 'none' };
  const m = /^(max|avg)(?:2x2|:([^/]+)\/(.+))$/.exec(text);
  if (!m) return undefined;
  const kernel = pair(m[2] ?? '2x2', MAX_WINDOW);
  const stride = pair(m[3] ?? '2x2', MAX_WINDOW);
  return kernel && stride && { kind: m[1] as 'max' | 'avg', kernel, stride };
}

function readResize(text: string): Resize | undefined {
  const [size, method] = text.split(':');
  const wh = pair(size, 65535);
  return wh && (method === 'bilinear' || method === 'area') ? { width: wh[0], height: wh[1], method } : undefined;
}

/** One number per plane each, no std of 0; or none at all. */
function readNormalisation(mean: string | null, std: string | null): Pick<Task, 'mean' | 'std'> {
  const [m, s] = [mean, std].map((text) => integers(text ?? '', -2147483648, 2147483647) ?? []) as [number[], number[]];
  const fits = m.length === s.length && (m.length === 1 || m.length === 3) && !s.includes(0);
  return fits ? { mean: m, std: s } : { mean: [], std: [] };
}

function readBackground(text: string): Task['background'] | undefined {
  const rgb = integers(text, 0, 255);
  return rgb?.length === 3 ? (rgb as unknown as Task['background']) : undefined;
}

/** Reads a link's task; whatever is missing or makes no sense keeps the value of `start`. */
export function textToTask(text: string, kernels: Kernels, start: Task): Task {
  const get = new URLSearchParams(text.replaceAll('+', '%2B'));
  const read = <T>(key: string, from: (value: string) => T | undefined, otherwise: T): T => {
    const value = get.get(key);
    return (value === null ? undefined : from(value)) ?? otherwise;
  };
  if (!get.has('kernel')) return start;
  const kernel = read('kernel', (t) => readKernel(t, kernels), start.kernel);
  const plain = plainTask(kernel);
  return {
    kernel,
    channels: read('channels', (t) => (t === 'rgb' || t === 'luma' ? t : undefined), plain.channels),
    resize: read('resize', readResize, plain.resize),
    background: read('background', readBackground, plain.background),
    ...readNormalisation(get.get('mean'), get.get('std')),
    pad: read('pad', (t) => readPad(t, kernel.shape), plain.pad),
    stride: read('stride', (t) => pair(t, MAX_WINDOW), plain.stride),
    activation: read('activation', readActivation, plain.activation),
    pool: read('pool', readPool, plain.pool),
  };
}
