import assert from 'node:assert/strict';
import test from 'node:test';

import { canonical, onBothSides } from './support.js';

test('toQ16 is floor(x * 65536 + 1/2), saturated', () =>
  onBothSides({}, async (engine) => {
    const ulp = 2 ** -17;
    const cases = [
      [0, 0], [-0, 0], [1, 65536], [-1, -65536], [1 / 9, 7282], [ulp, 1], [-ulp, 0], [3 * ulp, 2], [-3 * ulp, -1],
      [ulp - 2 ** -60, 0], [-ulp - 2 ** -60, -1], [Number.MIN_VALUE, 0], [-Number.MIN_VALUE, 0],
      [32768, 2147483647], [-32768, -2147483648], [1e300, 2147483647], [-Infinity, -2147483648],
    ] as const;
    for (const [x, q] of cases) assert.equal(await engine.toQ16(x), q, String(x));
    await assert.rejects(async () => engine.toQ16(NaN), { name: 'BitexactError', code: 'argument' });
  }));

test('sha256 gives the digests of FIPS 180-4', () =>
  onBothSides({}, async (engine) => {
    const text = (s: string) => new TextEncoder().encode(s);
    assert.equal(await engine.sha256(text('')), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    assert.equal(await engine.sha256(text('abc')), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(await engine.sha256(new Uint8Array(1e6).fill(97)), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
    const within = new Uint8Array(5).fill(120);
    within.set(text('abc'), 1);
    assert.equal(await engine.sha256(within.subarray(1, 4)), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  }));

test('named kernels', () =>
  onBothSides({}, async (engine) => {
    assert.equal(Object.keys(engine.kernels).length, 10);
    assert.deepEqual([...engine.kernels['sobel-x'].data], [-1, 0, 1, -2, 0, 2, -1, 0, 1].map((x) => x * 65536));
    assert.deepEqual([...engine.kernels.box.data], Array(9).fill(7282));
  }));

test('canonical JSON', () => {
  assert.equal(canonical({ b: [1, -2, true, null], a: { z: 'ü"\n', y: undefined } }), '{"a":{"z":"ü\\"\\n"},"b":[1,-2,true,null]}');
  assert.equal(canonical({ '\u{1f600}': 1, '\uffee': 2, aa: 3, a: 4 }), '{"a":4,"aa":3,"\uffee":2,"\u{1f600}":1}');
  assert.equal(canonical(-0), '0');
  const endless: unknown[] = [];
  endless.push(endless);
  for (const wrong of [1.5, NaN, Infinity, 2 ** 53, 1n, () => 1, Symbol(), undefined, '\ud800', endless]) {
    assert.throws(() => canonical([wrong]), { name: 'BitexactError', code: 'argument' }, String(typeof wrong));
  }
});
