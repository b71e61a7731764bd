import { expect, test } from 'vitest';
import { agrees, readParity, tally, type Platform } from './parity.ts';

const platform: Platform = { name: 's390x', architecture: 's390x', simd: 'none', compiler: 'gcc', kernels: 'reference', outputs: ['aa', 'bb'], receipts: ['r1', 'r2'] };
const pipelines = [{ name: 'one' }, { name: 'two' }];
const file = (change: object) => JSON.stringify({ schema: 'bitexact-parity/1', engine: '0', contract: 1, pipelines, platforms: [platform], ...change });

test('a platform agrees when every digest is equal', () => {
  const here = [{ output: 'aa', receipt: 'r1' }, { output: 'bb', receipt: 'r2' }];
  expect(tally(platform, here)).toEqual({ equal: 2, done: 2, total: 2, verdict: true });
});

test('nothing is said before all is computed', () => {
  expect(tally(platform, [{ output: 'aa', receipt: 'r1' }, undefined])).toEqual({ equal: 1, done: 1, total: 2 });
  expect(agrees(platform, 1, [])).toBeUndefined();
});

test('one difference in output or receipt is a difference', () => {
  expect(tally(platform, [{ output: 'xx', receipt: 'r1' }]).verdict).toBe(false);
  expect(tally(platform, [{ output: 'aa', receipt: 'xx' }]).verdict).toBe(false);
});

test('a file that cannot be compared is refused', () => {
  expect(readParity(file({})).platforms).toHaveLength(1);
  expect(() => readParity(file({ schema: 'x' }))).toThrow('schema');
  expect(() => readParity(file({ platforms: [] }))).toThrow('no platforms');
  expect(() => readParity(file({ platforms: [{ ...platform, outputs: ['aa'] }] }))).toThrow('s390x');
});
