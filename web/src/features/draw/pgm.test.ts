import { expect, test } from 'vitest';
import { toPgm } from './pgm.ts';

test('a grey PGM as netpbm describes it', () => {
  expect([...toPgm(2, 1, Uint8Array.of(0, 255))]).toEqual([...Buffer.from('P5\n2 1\n255\n'), 0, 255]);
});
