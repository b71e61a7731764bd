import assert from 'node:assert/strict';
import test from 'node:test';

import { builds, onBothSides, read } from './support.js';
import { runVectors } from './vectors.js';
import type { VectorSuite } from './vectors.js';

const folder = '../tests/vectors/';

for (const [suite, count] of [['fx.json', 133], ['image.json', 104]] as const) {
  const vectors = JSON.parse(new TextDecoder().decode(read(folder + suite))) as VectorSuite;
  for (const { simd, name } of builds) {
    test(`${suite}, ${name} build`, () =>
      onBothSides({ simd }, async (engine, where) => {
        const { passed, failures } = await runVectors(engine, vectors);
        assert.deepEqual(failures, [], where);
        assert.equal(passed, count, where);
      }));
  }
}

test('a wrong element, a wrong digest, a missing error and an unknown op are failures', async () => {
  const input = { in: { dtype: 'q16', shape: [1, 2], data: [-1, 7] } };
  const relu = { op: 'fx_relu', params: {}, inputs: input };
  const cases = [
    { ...relu, name: 'element', output: { dtype: 'q16', shape: [1, 2], data: [0, 8] } },
    { ...relu, name: 'digest', output: { dtype: 'q16', shape: [1, 2], sha256: '00', head: [0, 7] } },
    { ...relu, name: 'shape', output: { dtype: 'q16', shape: [2, 1], data: [0, 7] } },
    { ...relu, name: 'error', error: 'shape' },
    { ...relu, name: 'op', op: 'fx_unheard_of', output: { dtype: 'q16', shape: [1, 2], data: [0, 7] } },
    { ...relu, name: 'right', output: { dtype: 'q16', shape: [1, 2], data: [0, 7] } },
  ];
  await onBothSides({}, async (engine) => {
    const { passed, failed } = await runVectors(engine, { schema: 'bitexact-vectors/1', suite: 'own', cases });
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 5 });
  });
});
