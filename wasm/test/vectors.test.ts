import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';

import { builds, onBothSides, read } from './support.js';
import { parseSuite, runVectors } from './vectors.js';

const folder = '../tests/vectors/';

/** How many cases there are, at least. */
const counts = {
  fx: 133, image: 104, conv2d: 126, conv_more: 496, dense: 446, max_pool2d: 243, avg_pool2d: 177, pool_more: 697,
  infer_pool_shape: 7, infer_shape: 73, functions: 76, elementwise: 683, move: 706, quantized: 94, quantized_more: 476,
  quantized_elementwise: 602, models: 456, integer: 355, quantize: 409, reduce: 478,
};

test('every suite is run', () => {
  const suites = readdirSync(folder).filter((file) => file.endsWith('.json'));
  assert.deepEqual(Object.keys(counts).map((suite) => `${suite}.json`).sort(), suites.sort());
});

for (const [suite, count] of Object.entries(counts)) {
  const vectors = parseSuite(new TextDecoder().decode(read(`${folder}${suite}.json`)));
  for (const { simd, name } of builds) {
    test(`${suite}, ${name} build`, () =>
      onBothSides({ simd }, async (engine, where) => {
        for (const reference of simd ? [false, true] : [false]) {
          const { passed, failures } = await runVectors(engine, vectors, reference);
          assert.deepEqual(failures, [], where);
          assert.equal(passed, vectors.cases.length, where);
          assert.ok(passed >= count, `${passed} cases`);
        }
      }));
  }
}

test('long integers are read exactly, and digits within texts are left alone', () => {
  const { cases } = parseSuite('{"cases":[{"name":"9223372036854775807 \\"-9223372036854775808","data":[9223372036854775807,-9223372036854775808,7,1234567890123456]}]}');
  assert.deepEqual(cases, [{ name: '9223372036854775807 "-9223372036854775808', data: [2n ** 63n - 1n, -(2n ** 63n), 7, 1234567890123456n] }]);
});

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
