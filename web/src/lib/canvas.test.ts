import { expect, test } from 'vitest';
import type { Image } from 'bitexact';
import { greyPicture, thumbnail } from './canvas.ts';

const image = (part: Partial<Image>): Image => ({ width: 1, height: 1, channels: 1, bits: 8, format: 'png', orientation: 1, colorProfileIgnored: false, data: new Uint8Array(), ...part });

test('grey levels, and nothing', () => {
  expect(greyPicture(2, 1, (x) => (x ? undefined : 7))).toEqual({ width: 2, height: 1, rgba: Uint8ClampedArray.of(7, 7, 7, 255, 0, 0, 0, 0) });
});

test('pixels of every kind of image', () => {
  const rgba = (part: Partial<Image>) => [...thumbnail(image(part), 9).rgba];
  expect(rgba({ data: Uint8Array.of(5) })).toEqual([5, 5, 5, 255]);
  expect(rgba({ channels: 2, data: Uint8Array.of(5, 9) })).toEqual([5, 5, 5, 9]);
  expect(rgba({ channels: 3, data: Uint8Array.of(1, 2, 3) })).toEqual([1, 2, 3, 255]);
  expect(rgba({ channels: 4, bits: 16, data: Uint16Array.of(0x1ff, 0x200, 0x3ff, 0x4ff) })).toEqual([1, 2, 3, 4]);
});

test('a large image is thinned', () => {
  const { width, height, rgba } = thumbnail(image({ width: 5, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5) }), 3);
  expect([width, height]).toEqual([3, 1]);
  expect([rgba[0], rgba[4], rgba[8]]).toEqual([1, 3, 5]);
});
