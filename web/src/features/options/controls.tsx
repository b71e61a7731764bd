import { Entry, Pair, Select } from '../../ui/fields.tsx';
import { parseQ16, Q16_EXPECTED, shortDecimal } from '../../lib/q16.ts';
import { MAX_WINDOW, poolText, type Task } from '../../lib/task.ts';

export interface ControlProps {
  task: Task;
  /** Changes some parts of the task. */
  onChange: (part: Partial<Task>) => void;
}

const HEIGHT_WIDTH = ['height', 'width'] as const;
const MAX_SIZE = 16384;

/** `size` is the photo's own [height, width], once known. */
export function ResizeSwitch({ task, size, onChange }: ControlProps & { size: readonly number[] | undefined }) {
  const [height = 480, width = 640] = size ?? [];
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2), method: 'area' as const };
  return (
    <label class="check">
      <input type="checkbox" checked={!!task.resize} onChange={(e) => onChange({ resize: e.currentTarget.checked ? half : null })} />
      resize first
    </label>
  );
}

export function ResizeSize({ task: { resize }, onChange }: ControlProps) {
  const set = ([width, height]: [number, number]) => onChange({ resize: { ...resize, width, height } });
  return resize && <Pair label="size" names={['width', 'height']} value={[resize.width, resize.height]} max={MAX_SIZE} onChange={set} />;
}

const METHODS = [['bilinear', 'bilinear'], ['area', 'area average']] as const;

export function ResizeMethod({ task: { resize }, onChange }: ControlProps) {
  const set = (method: string) => resize && onChange({ resize: { ...resize, method: method as 'bilinear' | 'area' } });
  return resize && <Select label="method" value={resize.method ?? 'bilinear'} options={METHODS} onChange={set} />;
}

export function ChannelsControl({ task, onChange }: ControlProps) {
  // A mean and std, which only a link or a pinned pipeline brings, belong to its planes.
  const set = (channels: string) => onChange({ channels: channels as Task['channels'], mean: [], std: [] });
  const options = [['luma', 'luma'], ['rgb', 'RGB planes']] as const;
  return <Select label="channels" testid="channels" value={task.channels} options={options} onChange={set} />;
}

const ACTIVATIONS = [['none', 'none'], ['relu', 'ReLU'], ['leaky-relu', 'leaky ReLU']] as const;
const TENTH = 6554;

function activationOf(value: string): Task['activation'] {
  return value === 'leaky-relu' ? { kind: 'leaky_relu', alpha: TENTH } : { kind: value as 'none' | 'relu' };
}

export function ActivationControl({ task: { activation }, onChange }: ControlProps) {
  const value = activation.kind.replace('_', '-');
  return <Select label="function" testid="activation" value={value} options={ACTIVATIONS} onChange={(v) => onChange({ activation: activationOf(v) })} />;
}

export function AlphaControl({ task: { activation }, onChange }: ControlProps) {
  if (activation.kind !== 'leaky_relu') return null;
  const set = (alpha: number) => onChange({ activation: { kind: 'leaky_relu', alpha } });
  return (
    <div class="field">
      <span>alpha</span>
      <Entry label="Slope below zero" value={activation.alpha} show={(n) => shortDecimal(n, 8)} read={parseQ16} expects={Q16_EXPECTED} onChange={set} />
    </div>
  );
}

const POOLS = [['none', 'none'], ['max2x2', 'max 2×2'], ['avg2x2', 'average 2×2'], ['max', 'max, own size'], ['avg', 'average, own size']] as const;

function poolOf(value: string): Task['pool'] {
  if (value === 'none') return { kind: 'none' };
  const size: [number, number] = value.endsWith('2x2') ? [2, 2] : [3, 3];
  return { kind: value.slice(0, 3) as 'max' | 'avg', kernel: size, stride: [2, 2] };
}

const hasOwnWindow = (pool: Task['pool']) => poolText(pool).includes(':');

/** `own`: the pooling whose window's size was chosen freely, and happens to be 2×2 at times. */
export interface OwnWindow {
  own: Task['pool'] | undefined;
  onOwn: (own: Task['pool']) => void;
}

export function PoolControl({ task: { pool }, onChange, own, onOwn }: ControlProps & OwnWindow) {
  const value = own === pool || hasOwnWindow(pool) ? pool.kind : poolText(pool);
  const choose = (v: string) => {
    const next = poolOf(v);
    if (hasOwnWindow(next)) onOwn(next);
    onChange({ pool: next });
  };
  return <Select label="window" testid="pool" value={value} options={POOLS} onChange={choose} />;
}

export function PoolSizes({ task: { pool }, onChange, own, onOwn }: ControlProps & OwnWindow) {
  if (pool.kind === 'none' || !(own === pool || hasOwnWindow(pool))) return null;
  const set = (part: Partial<typeof pool>) => {
    const next = { ...pool, ...part };
    onOwn(next);
    onChange({ pool: next });
  };
  return (
    <>
      <Pair label="size" names={HEIGHT_WIDTH} value={pool.kernel} max={MAX_WINDOW} onChange={(kernel) => set({ kernel })} />
      <Pair label="step" names={HEIGHT_WIDTH} value={pool.stride} max={MAX_WINDOW} onChange={(stride) => set({ stride })} />
    </>
  );
}
