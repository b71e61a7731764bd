import { useState } from 'preact/hooks';
import { Entry, Pair, Select } from '../../ui/fields.tsx';
import { isNamed, MAX_WINDOW, namedKernel, padText, readPad, type Kernels, type Task } from '../../lib/task.ts';
import type { ControlProps } from '../options/controls.tsx';
import { fitPad } from './resize.ts';

const PADDINGS = [['valid', 'valid'], ['same', 'same'], ['same-lower', 'same-lower'], ['full', 'full'], ['own', 'own sides']] as const;
const OWN = [0, 0, 0, 0] as const;

function PadControl({ task, onChange }: ControlProps) {
  const { pad, kernel } = task;
  const own = typeof pad !== 'string';
  const read = (text: string) => readPad(text, kernel.shape);
  return (
    <>
      <Select label="padding" value={own ? 'own' : padText(pad)} options={PADDINGS} onChange={(v) => onChange({ pad: read(v) ?? OWN })} />
      {own && (
        <div class="field">
          <span>sides</span>
          <Entry label="Padding: top, left, bottom, right" value={padText(pad)} show={(t) => t} read={(t) => read(t) && t} expects="four whole numbers below the kernel's size, as 1,1,0,0," onChange={(t) => onChange({ pad: read(t)! })} />
        </div>
      )}
    </>
  );
}

export function KernelControl({ task: { kernel, pad }, kernels, onChange }: ControlProps & { kernels: Kernels }) {
  // A named kernel keeps its name, which stands in receipts, until one of its numbers is changed.
  const [own, setOwn] = useState<Task['kernel']>();
  const name = own !== kernel && isNamed(kernels, kernel.name) ? kernel.name : 'custom';
  const options = [...Object.keys(kernels), 'custom'].map((k) => [k, k] as const);
  const choose = (v: string) => {
    if (!isNamed(kernels, v)) return setOwn(kernel);
    const next = namedKernel(kernels, v);
    onChange({ kernel: next, pad: fitPad(pad, next.shape) });
  };
  return <Select label="kernel" testid="kernel" value={name} options={options} onChange={choose} />;
}

export function GeometryControls({ task, onChange }: ControlProps) {
  return (
    <>
      <PadControl task={task} onChange={onChange} />
      <Pair label="stride" names={['height', 'width']} value={task.stride} max={MAX_WINDOW} onChange={(stride) => onChange({ stride })} />
    </>
  );
}
