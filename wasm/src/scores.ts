import * as check from './checks.js';
import type { ModelOutput, Score } from './model_types.js';

/** The largest elements of a list, the largest first and of equal ones the first; none of what is no list of integers. */
export function topScores(output: ModelOutput | undefined, count?: unknown, labels?: unknown): readonly Score[] {
  const most = check.integer(count ?? 5, 'count', 0, check.int32.max), names = labelsOf(labels);
  if (!output || output.shape.filter((n) => n > 1).length > 1 || output.dtype === 'f32' || output.dtype === 'f16') return [];
  const values = Array.from(output.data as ArrayLike<number | bigint>, Number);
  const order = values.map((_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b).slice(0, most);
  return order.map((index) => {
    const score = { index, value: values[index]!, real: meaning(output, values[index]!) }, label = names[index];
    return label === undefined ? score : { ...score, label };
  });
}

function labelsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw check.bad('labels', 'an array of texts', value);
  return Array.from(value as unknown[], (name, i) => {
    if (typeof name === 'string') return name;
    throw check.bad(`labels[${i}]`, 'a text', name);
  });
}

function meaning({ dtype, quantization }: ModelOutput, value: number): number {
  if (dtype === 'q16') return value / 65536;
  return quantization ? quantization.scale * (value - quantization.zero) : value;
}
