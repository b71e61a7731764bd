import { expect, test } from 'vitest';
import { readModelLink, writeModelLink } from './model-link.ts';

test('a link leads back to its view', () => {
  expect(readModelLink(writeModelLink('face', 'chelsea'))).toEqual({ model: 'face', sample: 'chelsea' });
  expect(readModelLink(writeModelLink('lenet5'))).toEqual({ model: 'lenet5', sample: undefined });
});

test('no link or an unknown model: the first one', () => {
  expect(readModelLink('')).toEqual({ model: 'lenet5-int8', sample: undefined });
  expect(readModelLink('?model=constructor').model).toBe('lenet5-int8');
});
