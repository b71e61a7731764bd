import { expect, test } from 'vitest';
import type { Parity } from '../parity/parity.ts';
import { publishedFor, verdictOn } from './published.ts';

const pinned = { model: 'lenet5.onnx', requant: 'tflm', inputs: ['7.png'], image: 'mnist' };
const platform = { architecture: 'x86_64', simd: 'none', compiler: 'gcc', kernels: 'reference', outputs: [] };
const parity: Parity = {
  engine: '0', contract: 1, pipelines: [], models: [{ ...pinned, inputs: ['6.png'] }, pinned],
  platforms: [{ ...platform, name: 'a', models: ['r6', 'r7'] }, { ...platform, name: 'b', architecture: 's390x', models: ['r6', 'x7'] }],
};
const bytes = new Uint8Array();
const shown = { model: { name: 'lenet5.onnx', bytes, model: 'lenet5' }, input: { name: '7.png', bytes, sample: '7' }, image: 'mnist', requant: 'tflm' } as const;

test('each platform has a digest for a model and a sample of ours', () => {
  expect(publishedFor(parity, shown)?.map((p) => [p.platform, p.receipt])).toEqual([['a', 'r7'], ['b', 'x7']]);
});

test('nothing is published for other files, samples or ways', () => {
  for (const other of [{ image: 'raw' }, { requant: 'xnnpack' }, { input: { name: '8.png', bytes, sample: '8' } }, { input: { name: '7.png', bytes } },
    { model: { name: 'lenet5.onnx', bytes } }]) {
    expect(publishedFor(parity, { ...shown, ...other } as typeof shown)).toBeUndefined();
  }
  expect(publishedFor({ ...parity, models: undefined } as unknown as Parity, shown)).toBeUndefined();
});

test('one that differs is named', () => {
  const made = publishedFor(parity, shown)!;
  expect(verdictOn(made, 'r7')).toEqual({ equal: false, text: 'Differs from what these made: b.' });
  expect(verdictOn(made.slice(0, 1), 'r7')).toEqual({ equal: true, text: '1 native builds made the same receipt: x86_64.' });
});
