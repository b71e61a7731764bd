import { expect, test } from 'vitest';
import { mosaicOf, placeOf, type Mosaic } from './mosaic.ts';

const rows = ({ width, height, element }: Mosaic) => Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => element(x, y)));
const _ = undefined;

test('maps side by side, one pixel apart: channels first', () => {
  expect(rows(mosaicOf([1, 3, 2, 2], 'NCHW'))).toEqual([
    [0, 1, _, 4, 5, _, 8, 9],
    [2, 3, _, 6, 7, _, 10, 11],
  ]);
});

test('channels last, and a second row that is not full', () => {
  expect(rows(mosaicOf([1, 1, 2, 5], 'NHWC'))).toEqual([
    [0, 5, _, 1, 6],
    [_, _, _, _, _],
    [2, 7, _, 3, 8],
    [_, _, _, _, _],
    [4, 9, _, _, _],
  ]);
});

test('a batch has the maps of each of its members', () => {
  const { maps, element } = mosaicOf([2, 1, 2, 2], 'NHWC');
  expect(maps).toBe(4);
  expect([element(0, 0), element(1, 0), element(0, 2), element(3, 2)]).toEqual([0, 2, 4, 5]);
});

test('lists are strips, long ones in rows', () => {
  expect(rows(mosaicOf([1, 10], 'NCHW'))).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  expect(mosaicOf([1, 84, 1, 1], 'NCHW')).toMatchObject({ width: 19, height: 5 });
  expect(mosaicOf([1, 84, 1, 1], 'NCHW').element(18, 4)).toBeUndefined();
  expect(mosaicOf([0], 'NCHW')).toMatchObject({ width: 0, height: 0 });
  expect(mosaicOf([], 'NCHW')).toMatchObject({ width: 1, height: 1 });
});

test('large tensors: maps are thinned and as many are shown as have room', () => {
  const { width, height, shown, maps, element } = mosaicOf([1, 512, 400, 400], 'NCHW');
  expect(maps).toBe(512);
  expect(shown).toBeLessThan(512);
  expect(width * height).toBeLessThan(1.2 * 2 ** 20);
  expect([element(1, 0), element(0, 1)]).toEqual([3, 1200]);
});

test('places', () => {
  expect(placeOf(23, [2, 3, 4])).toBe('[1, 2, 3]');
  expect(placeOf(0, [])).toBe('[]');
});
