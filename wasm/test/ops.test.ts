import assert from 'node:assert/strict';
import test from 'node:test';

import { init, onBothSides, rejectsEach } from './support.js';
import type { Tensor, Wrong } from './support.js';

const q16 = (shape: readonly number[], ...data: number[]): Tensor => ({ dtype: 'q16', shape, data: Int32Array.from(data) });
const one = 65536;

test('every operator that the core has kernels for is a method, and max_pool_ext2', async () => {
  const engine = await init();
  assert.deepEqual(Object.keys(engine.ops).sort(), [...new Set([...engine.kernelList.map(({ op }) => op), 'max_pool_ext2'])].sort());
});

test('operators compute from typed arrays, which stay the caller\'s', () =>
  onBothSides({}, async ({ ops }) => {
    const x = q16([1, 2, 2, 1], 1, 2, 3, 4), weights = q16([1, 2, 2, 1], one, one, one, one), bias = q16([1], 5);
    assert.deepEqual(await ops.conv2d({ in: x, weights, bias }), q16([1, 1, 1, 1], 15));
    assert.deepEqual(await ops.conv2d({ in: x, weights }, { act_max: 9 }, { reference: true }), q16([1, 1, 1, 1], 9));
    assert.deepEqual(await ops.max_pool2d({ in: x }, { kernel: [2, 2], layout: 'NHWC' }), q16([1, 1, 1, 1], 4));
    assert.deepEqual(await ops.concat({ in0: x, in1: x }, { axis: 1 }), q16([1, 4, 2, 1], 1, 2, 3, 4, 1, 2, 3, 4));
    assert.deepEqual(await ops.reshape({ in: x }, { shape: [4] }), q16([4], 1, 2, 3, 4));
    assert.deepEqual([...x.data, ...weights.data, ...bias.data], [1, 2, 3, 4, one, one, one, one, 5]);
    const view = { ...x, data: Int32Array.of(9, 1, 2, 3, 4, 9).subarray(1, 5) };
    assert.deepEqual(await ops.relu({ in: view }), x);
    assert.equal(view.data.length, 4);
    assert.deepEqual(await ops.relu({ in: q16([], -7) }), q16([], 0));
    assert.deepEqual(await ops.relu({ in: q16([0, 3]) }), q16([0, 3]));
  }));

test('each dtype comes in its own array, and the bits of a NaN stay', () =>
  onBothSides({}, async ({ ops }) => {
    const bits = Uint32Array.of(0x7fa00001, 0xffc12345, 0x80000000), shape = [3];
    const arrays = {
      q16: Int32Array.of(1, -2, 3), i32: Int32Array.of(1, -2, 3), f16: Uint16Array.of(0x7e01, 0x8000, 1), u16: Uint16Array.of(1, 2, 65535),
      i8: Int8Array.of(1, -128, 3), u8: Uint8Array.of(1, 2, 255), i16: Int16Array.of(1, -2, 3), i64: BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n), 1n),
    } as const;
    for (const [dtype, data] of Object.entries(arrays)) {
      const tensor = { dtype, shape, data } as Tensor;
      assert.deepEqual(await ops.reshape({ in: tensor }, { shape: [-1] }), tensor);
    }
    for (const data of [bits, new Float32Array(bits.buffer)]) {
      const { data: got } = await ops.reshape({ in: { dtype: 'f32', shape, data } }, { shape: [-1] });
      assert.ok(got instanceof Float32Array);
      assert.deepEqual(new Uint32Array(got.buffer), bits);
    }
  }));

test('attributes may be bigints, and none at all', () =>
  onBothSides({}, async ({ ops }) => {
    const i64 = (...data: bigint[]): Tensor => ({ dtype: 'i64', shape: [data.length], data: BigInt64Array.from(data) });
    const least = -(2n ** 63n);
    assert.deepEqual(await ops.pad({ in: i64(1n) }, { pads: [1, 0], value: least }), i64(least, 1n));
    assert.deepEqual(await ops.slice({ in: i64(1n, 2n, 3n) }, { starts: [-1], ends: [least], steps: [-1] }), i64(3n, 2n, 1n));
    const x = q16([1], 1);
    for (const none of [undefined, null] as const) {
      const optional = { act_min: none, act_max: 0 } as unknown as { act_max: number };
      assert.deepEqual(await ops.add({ in: x, b: x }, optional, none as undefined), q16([1], 0));
      assert.deepEqual(await ops.add({ in: x, b: x, ...{ bias: none } }, none as undefined), q16([1], 2));
    }
  }));

test('shapes are inferred without data', () =>
  onBothSides({}, async (engine) => {
    const types = { in: { dtype: 'q16', shape: [-1, 9, 9, 3] }, weights: { dtype: 'q16', shape: [8, 3, 3, 3] } } as const;
    assert.deepEqual(await engine.inferShape('conv2d', types, { stride: [2, 2] }), { dtype: 'q16', shape: [-1, 4, 4, 8] });
    assert.deepEqual(await engine.inferShape('argmax', { in: { dtype: 'i8', shape: [2, 2 ** 53 - 1] } }), { dtype: 'i64', shape: [1, 2 ** 53 - 1] });
    const ext2 = { ksize: [1, 2, 2, 1], strides: [1, 2, 2, 1], padding: 'SAME' } as const;
    assert.deepEqual(await engine.inferShape('max_pool_ext2', { in: { dtype: 'f32', shape: [-2] } }, ext2), { dtype: 'f32', shape: [-1, -1, -1, -1] });
  }));

const x = q16([1, 2], 1, 2);
const lone = '\ud800';
const detached = (array: Int32Array) => (structuredClone(array, { transfer: [array.buffer as ArrayBuffer] }), array);

const wrong: readonly Wrong[] = [
  ['argument', /^inputs: expected an object, got undefined/, (e) => e.ops.relu()],
  ['argument', /^inputs\.in: expected an object, got 5/, (e) => e.ops.relu({ in: 5 })],
  ['argument', /input in is missing/, (e) => e.ops.relu({})],
  ['argument', /input b is missing/, (e) => e.ops.add({ in: x })],
  ['argument', /input c is not its own/, (e) => e.ops.relu({ in: x, c: x })],
  ['argument', /^inputs\.weights\.data: expected an Int32Array, got an array of 1/, (e) => e.ops.conv2d({ in: x, weights: { ...x, data: [1] } })],
  ['argument', /^inputs\.in\.data: expected an Int32Array, got a Float32Array/, (e) => e.ops.relu({ in: { ...x, data: new Float32Array(2) } })],
  ['argument', /^inputs\.in\.data: expected a Float32Array, got a Int32Array/, (e) => e.ops.reshape({ in: { ...x, dtype: 'f32' } }, { shape: [2] })],
  ['argument', /^inputs\.in\.data: expected 3 elements \(12 bytes\) for q16 \[3\], got 2/, (e) => e.ops.relu({ in: { ...x, shape: [3] } })],
  ['argument', /^inputs\.in\.data: .*\[9007199254740991, 9007199254740991, 8\], got 2/, (e) => e.ops.relu({ in: { ...x, shape: [2 ** 53 - 1, 2 ** 53 - 1, 8] } })],
  ['argument', /^inputs\.in\.data: .*, got 2/, (e) => e.ops.relu({ in: { ...x, shape: [2 ** 32, 2 ** 32 + 2] } })],
  ['argument', /^inputs\.in\.data: its buffer is detached/, (e) => e.ops.relu({ in: { ...x, data: detached(new Int32Array(2)) } })],
  ['argument', /^inputs\.in\.shape\[0\]: expected an integer from 0/, (e) => e.ops.relu({ in: { ...x, shape: [-1, 2] } })],
  ['argument', /^inputs\.in\.shape\[1\]: expected an integer/, (e) => e.ops.relu({ in: { ...x, shape: [2, 2 ** 53] } })],
  ['argument', /^inputs\.in\.shape\.length: expected an integer from 0 to 6, got 7/, (e) => e.ops.relu({ in: { ...x, shape: [1, 1, 1, 1, 1, 1, 2] } })],
  ['argument', /^inputs\.in\.dtype: expected the name of a dtype, got undefined/, (e) => e.ops.relu({ in: { shape: [2], data: x.data } })],
  ['unsupported', /^inputs\.in\.dtype: there is no dtype "bf16"/, (e) => e.ops.relu({ in: { ...x, dtype: 'bf16' } })],
  ['unsupported', /relu/, (e) => e.ops.relu({ in: { dtype: 'i8', shape: [1], data: new Int8Array(1) } })],
  ['shape', /./, (e) => e.ops.add({ in: x, b: q16([3], 1, 2, 3) })],
  ['argument', /unknown key "alpha"/, (e) => e.ops.relu({ in: x }, { alpha: 1 })],
  ['argument', /alpha: expected an integer/, (e) => e.ops.leaky_relu({ in: x }, { alpha: 0.5 })],
  ['argument', /alpha: expected an integer/, (e) => e.ops.leaky_relu({ in: x }, { alpha: 2n ** 31n })],
  ['argument', /^attributes\.alpha: expected a number, .*got NaN/, (e) => e.ops.leaky_relu({ in: x }, { alpha: NaN })],
  ['argument', /^attributes\.perm\[1\]: expected a number, .*got undefined/, (e) => e.ops.transpose({ in: x }, { perm: [1, undefined] })],
  ['argument', /^attributes\.alpha: .*got a Object/, (e) => e.ops.leaky_relu({ in: x }, { alpha: {} })],
  ['argument', /^attributes\.mode: .*lone surrogate/, (e) => e.ops.pad({ in: x }, { pads: [0, 0, 0, 0], mode: lone })],
  ['argument', /^attributes: expected an object, got an array of 0/, (e) => e.ops.relu({ in: x }, [])],
  ['argument', /^attributes: expected an object, got 5/, (e) => e.ops.relu({ in: x }, 5)],
  ['argument', /mode: expected constant/, (e) => e.ops.pad({ in: x }, { pads: [0, 0, 0, 0], mode: 'wrap' })],
  ['argument', /^options: expected an object, got 5/, (e) => e.ops.relu({ in: x }, {}, 5)],
  ['argument', /^reference: expected a boolean/, (e) => e.ops.relu({ in: x }, {}, { reference: 1 })],
  ['too_large', /./, (e) => e.ops.pad({ in: x }, { pads: [0, 2 ** 30, 0, 0] })],
  ['too_large', /./, (e) => e.ops.pad({ in: x }, { pads: [2 ** 52, 2 ** 52, 0, 0] })],
  ['argument', /^operator: expected its name, got 5/, (e) => e.inferShape(5, {})],
  ['unsupported', /there is no operator blur/, (e) => e.inferShape('blur', { in: x })],
  ['argument', /^inputs\.in\.shape\[0\]: expected an integer from -2/, (e) => e.inferShape('relu', { in: { dtype: 'q16', shape: [-3] } })],
];

test('what is wrong is named, on both sides, and the engine goes on', () =>
  onBothSides({}, async (engine, where) => {
    await rejectsEach(engine, where, wrong);
    assert.deepEqual(await engine.ops.relu({ in: q16([2], -1, 1) }), q16([2], 0, 1));
  }));
