import assert from 'node:assert/strict';
import test from 'node:test';

import { BitexactError, edge, init, initWorker, onBothSides, png, pnm, sobel } from './support.js';
import type { Engine, ErrorCode, Image, Matrix } from './support.js';

const m = (rows: number, cols: number, data = new Int32Array(rows * cols)): Matrix => ({ rows, cols, data });
const image: Image = {
  width: 2, height: 1, channels: 1, bits: 8, format: 'png', orientation: 1, colorProfileIgnored: false, data: new Uint8Array(2),
};
const kernel = { shape: [1, 1], q16: [65536] } as const;

type Wrong = readonly [ErrorCode, RegExp, (e: any) => unknown];

const wrong: readonly Wrong[] = [
  ['argument', /^file: expected a Uint8Array, got "x"$/, (e) => e.decode('x')],
  ['argument', /^file: .*got undefined/, (e) => e.decode()],
  ['argument', /^limits\.pixels: expected an integer/, (e) => e.decode(edge, { pixels: -1 })],
  ['argument', /^input: expected an object, got null/, (e) => e.fx.relu(null)],
  ['argument', /^input\.rows: expected an integer from 0 to 65535, got 65536/, (e) => e.fx.relu({ ...m(1, 1), rows: 65536 })],
  ['argument', /^input\.data: expected an Int32Array, got a Float32Array/, (e) => e.fx.relu({ ...m(1, 1), data: new Float32Array(1) })],
  ['argument', /^input\.data: expected 2x2 elements, got 1/, (e) => e.fx.relu({ ...m(1, 1), rows: 2, cols: 2 })],
  ['argument', /^stride: expected an integer/, (e) => e.fx.maxpoolStride(m(4, 4), 2, 1.5)],
  ['argument', /^alpha: /, (e) => e.fx.leakyRelu(m(1, 1), 2 ** 31)],
  ['argument', /fx_maxpool_generic/, (e) => e.fx.maxpoolGeneric(m(4, 4), 0, 2)],
  ['shape', /fx_conv2d: 2x2, 3x3/, (e) => e.fx.conv2d(m(2, 2), m(3, 3))],
  ['shape', /fx_relu/, (e) => e.fx.relu(m(0, 3))],
  ['argument', /^image\.data: expected a Uint16Array, for 16 bits/, (e) => e.luma({ ...image, bits: 16 })],
  ['argument', /^image\.data: expected 2 samples, got 3/, (e) => e.luma({ ...image, data: new Uint8Array(3) })],
  ['argument', /^image\.bits/, (e) => e.luma({ ...image, bits: 12 })],
  ['argument', /^image\.width/, (e) => e.luma({ ...image, width: -2 })],
  ['argument', /^format: expected one of png, pnm/, (e) => e.encode(image, 'gif')],
  ['argument', /^width: /, (e) => e.resize(image, { width: 0, height: 1 })],
  ['argument', /^method: /, (e) => e.resize(image, { width: 1, height: 1, method: 'lanczos' })],
  ['argument', /^background/, (e) => e.dropAlpha(image, [1, 2])],
  ['argument', /^std\[0\]/, (e) => e.imageToQ16(image, { mean: [1], std: [0.5] })],
  ['too_large', /./, (e) => e.resize(image, { width: 2 ** 31 - 1, height: 2 ** 31 - 1 })],
  ['argument', /^task: expected an object/, (e) => e.photo(edge, 'sobel')],
  ['argument', /^task: expected plain JSON/, (e) => e.photo(edge, { kernel: { shape: [1, 1], q16: [1n] } })],
  ['argument', /blur/, (e) => e.photo(edge, { kernel, blur: 1 })],
  ['argument', /./, (e) => e.photo(edge, {})],
  ['argument', /./, (e) => e.photo(edge, { kernel, stride: [0, 1] })],
  ['shape', /./, (e) => e.photo(edge, { kernel: { shape: [9, 9], q16: Array(81).fill(1) } })],
  ['malformed', /./, (e) => e.photo(new Uint8Array(0), { kernel })],
  ['too_large', /./, (e) => e.photo(edge, { kernel }, { limits: { pixels: 47 } })],
  ['too_large', /./, (e) => e.decode(edge, { bytes: 47 })],
  ['argument', /^receipt: /, (e) => e.verify(null, edge)],
  ['malformed', /./, (e) => e.compare('{}', '[]')],
];

test('what is wrong is named, on both sides, and the engine goes on', () =>
  onBothSides({}, async (engine, where) => {
    for (const [code, message, call] of wrong) {
      await assert.rejects(async () => call(engine), (e) => {
        assert.ok(e instanceof BitexactError, `${where}: ${String(call)} gave ${String(e)}`);
        assert.equal(e.code, code, `${where}: ${String(call)}: ${e.message}`);
        assert.match(e.message, message, `${where}: ${String(call)}`);
        return true;
      });
    }
    assert.deepEqual([...(await engine.fx.relu(m(1, 2, Int32Array.of(-5, 5)))).data], [0, 5]);
  }));

test('a place in the file is told', () =>
  onBothSides({}, async (engine) => {
    const broken = edge.slice();
    broken[20]! ^= 1;
    await assert.rejects(async () => engine.decode(broken), (e: BitexactError) =>
      e.code === 'malformed' && e.where?.place === 'byte' && e.where.at >= 0 && e.where.at < edge.length);
  }));

test('runs say what cannot be asked of them', () =>
  onBothSides({}, async (engine) => {
    const run = await engine.photo(edge, sobel(engine));
    const argument = { name: 'BitexactError', code: 'argument' };
    await assert.rejects(async () => run.window(0, 0, 0, 0, 1, 1), argument);
    await assert.rejects(async () => run.window(2, 1, 0, 0, 1, 1), argument);
    await assert.rejects(async () => run.window(2, 0, 0, 0, -1, 1), argument);
    await assert.rejects(async () => run.window(2, 0, 0, 0, 2 ** 31 - 1, 2 ** 31 - 1), { code: 'too_large' });
    await assert.rejects(async () => run.dump(3), argument);
    await assert.rejects(async () => run.preview(0, 0, 5), argument);
    await run.dispose();
    await run.dispose();
    await assert.rejects(async () => run.dump(0), argument);
  }));

test('every prefix of a PNG and a PNM, and every changed byte, is an error or an image', async () => {
  const engine = await init();
  for (const file of [png(5, 4, 2, (i) => i * 37), pnm(5, 4, 3, (i) => i)]) {
    for (let n = 0; n < file.length; n++) assert.throws(() => engine.decode(file.subarray(0, n)), BitexactError, `${n} bytes`);
    for (let n = 0; n < file.length * 8; n++) decodeOrRefuse(engine, flipped(file, n));
  }
  assert.equal(engine.decode(edge).width, 8);
});

function flipped(file: Uint8Array, bit: number): Uint8Array {
  const copy = file.slice();
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

function decodeOrRefuse(engine: Engine, file: Uint8Array): void {
  try {
    engine.decode(file);
  } catch (e) {
    assert.ok(e instanceof BitexactError && e.code !== 'internal', String(e));
  }
}

test('what is not the wasm of bitexact is refused', async () => {
  const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  for (const start of [init, initWorker]) {
    await assert.rejects(start({ wasm: Uint8Array.of(1, 2, 3) }), { name: 'BitexactError', code: 'malformed' });
    await assert.rejects(start({ wasm: empty }), { name: 'BitexactError', code: 'malformed' });
    await assert.rejects(start({ wasm: './no/such.wasm' }), { name: 'BitexactError', code: 'internal' });
    await assert.rejects(start({ wasm: 5 as never }), { name: 'BitexactError', code: 'argument' });
  }
});
