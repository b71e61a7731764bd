import { SAMPLES } from './photo.ts';
import { taskToText, textToTask, type Kernels, type Task } from './task.ts';

export interface View {
  readonly sample: string;
  readonly task: Task;
}

const FIRST_SAMPLE = 'astronaut';

/** What a link's hash asks for. */
export function readLink(hash: string, kernels: Kernels, start: Task): View {
  const text = hash.replace(/^#/, '');
  const sample = new URLSearchParams(text).get('sample') ?? '';
  return { sample: Object.hasOwn(SAMPLES, sample) ? sample : FIRST_SAMPLE, task: textToTask(text, kernels, start) };
}

/** A photo of one's own cannot be linked to, its settings can. */
export const writeLink = (sample: string | undefined, task: Task) => `#${sample ? `sample=${sample}&` : ''}${taskToText(task)}`;
