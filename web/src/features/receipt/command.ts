import { exactDecimal } from '../../lib/q16.ts';
import { fileArgument, quote } from '../../lib/shell.ts';
import { activationText, nameOf, padText, pairText, poolText, type Kernels, type Task } from '../../lib/task.ts';

function kernelArgument(kernel: Task['kernel'], kernels: Kernels): string {
  const name = nameOf(kernels, kernel);
  if (name) return name;
  const [rows, cols] = kernel.shape;
  const row = (y: number) => `[${kernel.q16.slice(y * cols, (y + 1) * cols).map(exactDecimal).join(',')}]`;
  return quote(`[${Array.from({ length: rows }, (_, y) => row(y)).join(',')}]`);
}

const decimals = (q16: readonly number[]) => (q16.length ? q16.map(exactDecimal).join(',') : undefined);

/**
 * The command that prints the same digests natively. What equals the command's own defaults is left out, and so is
 * the picture of an empty result, of which there is none.
 */
export function command(file: string, task: Task, kernels: Kernels, empty = false): string {
  const { resize, background } = task;
  const options: [string, string | undefined][] = [
    ['--kernel', kernelArgument(task.kernel, kernels)],
    ['--channels', task.channels === 'luma' ? undefined : task.channels],
    ['--resize', resize ? `${resize.width}x${resize.height}` : undefined],
    ['--resize-method', resize?.method === 'area' ? 'area' : undefined],
    ['--pad', task.pad === 'VALID' ? undefined : padText(task.pad)],
    ['--stride', pairText(task.stride) === '1x1' ? undefined : pairText(task.stride)],
    ['--activation', task.activation.kind === 'none' ? undefined : activationText(task.activation, exactDecimal)],
    ['--pool', task.pool.kind === 'none' ? undefined : poolText(task.pool)],
    ['--background', background?.join(',')],
    ['--mean', decimals(task.mean)],
    ['--std', decimals(task.std)],
    ['-o', empty ? undefined : 'out.png'],
  ];
  const words = options.filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${value}`);
  return ['bitexact conv', fileArgument(file), ...words].join(' ');
}
