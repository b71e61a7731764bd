import type { Requant } from 'bitexact';
import { wayOf, type ImageChoice } from '../../lib/image-choice.ts';
import { fileArgument } from '../../lib/shell.ts';

/** The commands that print the same digests natively, and that run the receipt again. */
export function commands(model: string, input: string, image: ImageChoice, requant: Requant): string {
  const rounding = requant === 'tflm' ? '' : `--requant ${requant}`;
  const run = ['bitexact run', fileArgument(model), fileArgument(input), wayOf(image).options, rounding, '--receipt receipt.json'];
  const verify = ['bitexact verify receipt.json --model', fileArgument(model), '--input', fileArgument(input)];
  return [run, verify].map((words) => words.filter(Boolean).join(' ')).join('\n');
}
