import { useRef, useState } from 'preact/hooks';
import type { Stage } from 'bitexact';
import { marksOf, type Cursor } from '../../lib/cursor.ts';
import type { Photo } from '../../lib/photo.ts';
import type { Kernels, Task } from '../../lib/task.ts';
import type { RunState } from '../../lib/use-run.ts';
import { KernelControl } from '../kernel/kernel-control.tsx';
import { ActivationControl, AlphaControl, ChannelsControl, PoolControl, PoolSizes, ResizeMethod, ResizeSize, ResizeSwitch, type ControlProps } from '../options/controls.tsx';
import type { ProbeActions } from './probe.tsx';
import { StageCard } from './stage-card.tsx';

interface Props extends ControlProps {
  photo: Photo | undefined;
  state: RunState;
  kernels: Kernels;
  magnitude: boolean;
  cursor: Cursor | undefined;
  pinned: boolean;
  actions: ProbeActions;
}

const UNCHANGED = 'passes on unchanged';

interface Shown {
  readonly photo: Photo | undefined;
  readonly stages: readonly Stage[];
}

/** The stages of the last finished run; none once another photo has taken its place. */
function useShown(state: RunState, photo: Photo | undefined): readonly Stage[] {
  const shown = useRef<Shown>({ photo, stages: [] });
  if (state.run) shown.current = { photo, stages: state.stages };
  return shown.current.photo === photo ? shown.current.stages : [];
}

export function Stages({ photo, state, task, kernels, magnitude, cursor, pinned, actions, onChange }: Props) {
  const shown = useShown(state, photo);
  const find = (stages: readonly Stage[], name: string) => stages.find((s) => s.name === name);
  const marks = cursor && state.run ? marksOf(cursor, task, state.stages) : {};
  const card = (name: string, title: string) => ({
    name, title, stage: find(state.stages, name), shown: find(shown, name), index: shown.findIndex((s) => s.name === name),
    run: state.run, busy: state.busy, magnitude, mark: marks[name], cursor, pinned, actions,
  });
  const [own, setOwn] = useState<Task['pool']>();
  const controls = { task, onChange };
  return (
    <div class={`stages ${state.busy ? 'busy' : ''}`}>
      <StageCard {...card('pixels', 'Photo')} control={<ResizeSwitch {...controls} size={find(shown, 'pixels')?.shape} />} />
      {task.resize && <StageCard {...card('resized', 'Resized')} control={<ResizeSize {...controls} />}><ResizeMethod {...controls} /></StageCard>}
      <StageCard {...card('input', 'Input, Q16.16')} control={<ChannelsControl {...controls} />} />
      <StageCard {...card('conv', 'Convolution')} control={<KernelControl {...controls} kernels={kernels} />} />
      <StageCard {...card('activation', 'Activation')} absent={task.activation.kind === 'none' ? UNCHANGED : undefined} control={<ActivationControl {...controls} />}><AlphaControl {...controls} /></StageCard>
      <StageCard {...card('pool', 'Pooling')} absent={task.pool.kind === 'none' ? UNCHANGED : undefined} control={<PoolControl {...controls} own={own} onOwn={setOwn} />}><PoolSizes {...controls} own={own} onOwn={setOwn} /></StageCard>
    </div>
  );
}
