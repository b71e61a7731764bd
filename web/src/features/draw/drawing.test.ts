import { expect, test } from 'vitest';
import { centred, emptyDrawing, isEmptyDrawing, SIDE, withStroke } from './drawing.ts';

const at = (y: number, x: number) => y * SIDE + x;
const lit = (d: Uint8Array) => [...d.keys()].filter((i) => d[i]);

test('a dot is full where it stands, soft around, and leaves the drawing before it alone', () => {
  const before = emptyDrawing();
  const dot = withStroke(before, { x: 10.5, y: 5.5 }, { x: 10.5, y: 5.5 });
  expect(isEmptyDrawing(before)).toBe(true);
  expect([dot[at(5, 10)], dot[at(4, 10)], dot[at(5, 11)]]).toEqual([255, 255, 255]);
  expect(dot[at(4, 9)]).toBeGreaterThan(0);
  expect(dot[at(4, 9)]).toBeLessThan(255);
  expect([dot[at(5, 8)], dot[at(2, 10)], dot[at(20, 20)]]).toEqual([0, 0, 0]);
});

test('a stroke has no gaps, however fast the pointer was', () => {
  const line = withStroke(emptyDrawing(), { x: 2.5, y: 3.5 }, { x: 25.5, y: 3.5 });
  for (let x = 2; x <= 25; ++x) expect(line[at(3, x)]).toBe(255);
});

test('centred: the mass comes to the middle, and what is there stays', () => {
  const corner = emptyDrawing();
  corner.fill(255, at(0, 0), at(0, 2));
  corner.fill(255, at(1, 0), at(1, 2));
  expect(lit(centred(corner))).toEqual([at(13, 13), at(13, 14), at(14, 13), at(14, 14)]);
  expect(centred(centred(corner))).toEqual(centred(corner));
  expect(isEmptyDrawing(centred(emptyDrawing()))).toBe(true);
});
