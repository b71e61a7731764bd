import { expect, test } from 'vitest';
import { exactDecimal, floorDiv, parseQ16, shortDecimal } from './q16.ts';

test('a q16 value is written as its exact decimal', () => {
  expect(exactDecimal(0)).toBe('0');
  expect(exactDecimal(-65536)).toBe('-1');
  expect(exactDecimal(32768)).toBe('0.5');
  expect(exactDecimal(1)).toBe('0.0000152587890625');
  expect(exactDecimal(2147483647)).toBe('32767.9999847412109375');
  expect(exactDecimal(-2147483648)).toBe('-32768');
});

test('every exact decimal reads back as itself', () => {
  for (const n of [1, -1, 7282, -7282, 65535, 2147483647, -2147483648, 123456789]) expect(parseQ16(exactDecimal(n))).toBe(n);
});

test('text is rounded once, ties towards plus infinity', () => {
  expect(parseQ16('1/9')).toBe(7282);
  expect(parseQ16('0.00000762939453125')).toBe(1);
  expect(parseQ16('-0.00000762939453125')).toBe(0);
  expect(parseQ16(' .5 ')).toBe(32768);
  expect(parseQ16('-1/4')).toBe(-16384);
});

test('what does not fit is refused', () => {
  expect(parseQ16('-32768')).toBe(-2147483648);
  for (const text of ['32768', '-32768.1', '1e6', '-1e6', '32767.99999999']) expect(parseQ16(text)).toBeUndefined();
});

test('a comma may mean two things and is refused', () => {
  for (const text of ['1,000', '0,5', '1,', ',5']) expect(parseQ16(text)).toBeUndefined();
});

test('what is no number is refused', () => {
  for (const text of ['', 'x', '.', '1/0', '1/2/3', '1e999', '--1', 'NaN', '1/']) expect(parseQ16(text)).toBeUndefined();
});

test('division rounds to minus infinity', () => {
  expect(floorDiv(-1n, 2n)).toBe(-1n);
  expect(floorDiv(7n, 2n)).toBe(3n);
  expect(floorDiv(-4n, 2n)).toBe(-2n);
});

test('a shortened decimal says so', () => {
  expect(shortDecimal(1)).toBe('0.0000…');
  expect(shortDecimal(32768)).toBe('0.5');
});
