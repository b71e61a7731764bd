// The native program's word on models, and models made here rather than kept.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const LENET = `${root}models/lenet5-int8.onnx`;
export const FACE = `${root}web/node_modules/@mediapipe/face_detection/face_detection_short_range.tflite`;
// The detector reads samples as -1 to 1.
export const SIGNED = ['--values', 'unit', '--mean', '0.5', '--std', '0.5'];

const program = (...words) => JSON.parse(execFileSync(`${root}build/release/bitexact`, [...words, '--json'], { stdio: 'pipe', maxBuffer: 1 << 26 }));
export const run = (words) => program('run', ...words);
export const facts = (model) => program('inspect', model);

function varint(n) {
  return n < 128 ? [n] : [(n & 127) | 128, ...varint(n >> 7)];
}
const number = (field, n) => Buffer.from([...varint(field << 3), ...varint(n)]);
const bytes = (field, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(body.length)]), body]);
};

// A value of type float32 [1, 4].
const value = (name) => Buffer.concat([bytes(1, name),
  bytes(2, bytes(1, number(1, 1), bytes(2, bytes(1, number(1, 1)), bytes(1, number(1, 4)))))]);

// An ONNX file of nodes one after the other, whose operators nobody has.
export function unsupportedModel(operators) {
  const nodes = operators.map((op, i) => bytes(1, bytes(1, `t${i}`), bytes(2, `t${i + 1}`), bytes(3, `node ${i}`), bytes(4, op)));
  const graph = bytes(7, ...nodes, bytes(2, 'strange'), bytes(11, value('t0')), bytes(12, value(`t${operators.length}`)));
  return Buffer.concat([number(1, 8), graph, bytes(8, bytes(1, ''), number(2, 13))]);
}
