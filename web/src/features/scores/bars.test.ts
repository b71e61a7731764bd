import { expect, test } from 'vitest';
import { barsOf } from './bars.ts';

test('bars grow from a common zero, to either side', () => {
  expect(barsOf([6, -2, 0])).toEqual([{ left: 0.25, width: 0.75 }, { left: 0, width: 0.25 }, { left: 0.25, width: 0 }]);
  expect(barsOf([0.5, 0.25])).toEqual([{ left: 0, width: 1 }, { left: 0, width: 0.5 }]);
});

test('nothing but zeros, and nothing', () => {
  expect(barsOf([0, 0])).toEqual([{ left: 0, width: 0 }, { left: 0, width: 0 }]);
  expect(barsOf([])).toEqual([]);
});
