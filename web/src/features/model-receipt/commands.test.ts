import { expect, test } from 'vitest';
import { commands } from './commands.ts';

test('the commands of a run', () => {
  expect(commands('lenet5-int8.onnx', 'digit.pgm', 'mnist', 'tflm').split('\n')).toEqual([
    'bitexact run lenet5-int8.onnx digit.pgm --preset mnist --receipt receipt.json',
    'bitexact verify receipt.json --model lenet5-int8.onnx --input digit.pgm',
  ]);
  expect(commands('my net.tflite', '-x.png', 'auto', 'xnnpack').split('\n')).toEqual([
    "bitexact run 'my net.tflite' ./-x.png --requant xnnpack --receipt receipt.json",
    "bitexact verify receipt.json --model 'my net.tflite' --input ./-x.png",
  ]);
});
