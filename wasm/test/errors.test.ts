import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import test from 'node:test';

import { BitexactError, edge, init, initWorker, onBothSides, png, pnm, rejectsEach, sobel } from './support.js';
import type { Engine, Image, Matrix, Wrong } from './support.js';

const m = (rows: number, cols: number, data = new Int32Array(rows * cols)): Matrix => ({ rows, cols, data });
const image: Image = {
  width: 2, height: 1, channels: 1, bits: 8, format: 'png', orientation: 1, colorProfileIgnored: false, data: new Uint8Array(2),
};
/** What is left of an array whose buffer was handed over. */
function detached<T extends ArrayBufferView>(array: T): T {
  structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

const lone = '\ud800';
const kernel = { shape: [1, 1], q16: [65536] } as const;


const wrong: readonly Wrong[] = [
  ['argument', /^file: expected a Uint8Array or an ArrayBuffer, got "x"$/, (e) => e.decode('x')],
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
  ['argument', /^image\.data: expected a Uint16Array, got a Uint8Array/, (e) => e.luma({ ...image, bits: 16 })],
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
  ['argument', /^file: expected .*, got null/, (e) => e.photo(null, { kernel })],
  ['argument', /^file: expected .*, got undefined/, (e) => e.photo(undefined, { kernel })],
  ['argument', /^file: expected .*, got "x"/, (e) => e.photo('x', { kernel })],
  ['argument', /^file: expected .*, got 5/, (e) => e.photo(5, { kernel })],
  ['argument', /^file: expected .*, got a SharedArrayBuffer/, (e) => e.photo(new SharedArrayBuffer(8), { kernel })],
  ['argument', /^file: expected .*, got a Uint8Array/, (e) => e.photo(new Proxy(edge, {}), { kernel })],
  ['argument', /^file: its buffer is detached/, (e) => e.photo(detached(edge.slice()), { kernel })],
  ['argument', /^file: its buffer is detached/, (e) => e.photo(detached(edge.slice()).buffer, { kernel })],
  ['argument', /detached/, (e) => e.sha256(detached(edge.slice()))],
  ['argument', /detached/, (e) => e.decode(detached(edge.slice()).buffer)],
  ['argument', /detached/, (e) => e.luma({ ...image, data: detached(new Uint8Array(2)) })],
  ['argument', /detached/, (e) => e.fx.relu({ ...m(1, 1), data: detached(new Int32Array(1)) })],
  ['argument', /detached/, (e) => e.fx.add(m(1, 1), { ...m(1, 1), data: detached(new Int32Array(1)) })],
  ['argument', /^task: expected plain JSON/, (e) => e.photo(edge, { kernel, toJSON: () => undefined })],
  ['argument', /^task: expected plain JSON/, (e) => e.photo(edge, { get kernel() { throw new Error('no'); } })],
  ['argument', /^task: name: .*lone surrogate/, (e) => e.photo(edge, { kernel: { ...kernel, name: lone } })],
  ['argument', /^options: expected an object, got 5/, (e) => e.photo(edge, { kernel }, 5)],
  ['argument', /^options: /, (e) => e.photo(edge, { kernel }, [])],
  ['argument', /^onStage: expected a function, got 5/, (e) => e.photo(edge, { kernel }, { onStage: 5 })],
  ['argument', /^signal: expected an AbortSignal/, (e) => e.photo(edge, { kernel }, { signal: {} })],
  ['argument', /^reference: expected a boolean, got "no"/, (e) => e.photo(edge, { kernel }, { reference: 'no' })],
  ['argument', /^limits: /, (e) => e.photo(edge, { kernel }, { limits: 5 })],
  ['argument', /^options: /, (e) => e.imageToQ16(image, 5)],
  ['argument', /^background: /, (e) => e.dropAlpha(image, false)],
  ['argument', /^receipt: /, (e) => e.verify(5, edge)],
  ['argument', /lone surrogate/, (e) => e.verify({ bitexact: lone }, edge)],
  ['malformed', /./, (e) => e.compare('{}', '[]')],
];

test('what is wrong is named, on both sides, and the engine goes on', () =>
  onBothSides({}, async (engine, where) => {
    await rejectsEach(engine, where, wrong);
    assert.deepEqual([...(await engine.fx.relu(m(1, 2, Int32Array.of(-5, 5)))).data], [0, 5]);
  }));

test('options and their members may be undefined or null', () =>
  onBothSides({ ...{ wasm: null, simd: null } as {} }, async (engine: any) => {
    for (const none of [undefined, null]) {
      const { receipt } = await engine.photo(edge, { kernel }, none);
      const options = { limits: none, reference: none, onStage: none, signal: none };
      const run = await engine.photo(edge.slice().buffer, { kernel }, options);
      assert.deepEqual(run.receipt, receipt);
      assert.equal((await run.preview(2, 5, 5, none)).width, 5);
      assert.ok((await run.png(2, { magnitude: none })).length > 0);
      assert.equal((await engine.verify(receipt, edge, none)).same, true);
      assert.equal((await engine.decode(edge, { pixels: none, bytes: none })).width, 8);
      assert.equal((await engine.imageToQ16(image, none)).data.length, 2);
      assert.equal((await engine.dropAlpha(image, none)).channels, 1);
    }
  }));

test('wrong arguments leave the open runs alone', () =>
  onBothSides({}, async (engine) => {
    const run = await engine.photo(edge, sobel(engine));
    const dump = await run.dump(2);
    for (const [, , call] of wrong) await assert.rejects(async () => call(engine));
    assert.deepEqual(await run.dump(2), dump);
    await run.dispose();
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
    await assert.rejects(async () => run.preview(0, 5, 5, 5 as never), argument);
    await assert.rejects(async () => run.png(0, { magnitude: 'yes' as never }), argument);
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

test('a relative path to the wasm may hold any character', async (t) => {
  const folder = mkdtempSync('build/odd #%41?-');
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync('dist/bitexact.wasm', `${folder}/bitexact.wasm`);
  for (const path of [`${folder}/bitexact.wasm`, `./${folder}/bitexact.wasm`]) {
    assert.equal((await init({ wasm: path })).simd, false);
  }
});

test('what is not the wasm of bitexact is refused', async () => {
  const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  for (const start of [init, initWorker]) {
    await assert.rejects(start({ wasm: Uint8Array.of(1, 2, 3) }), { name: 'BitexactError', code: 'malformed' });
    await assert.rejects(start({ wasm: empty }), { name: 'BitexactError', code: 'malformed' });
    await assert.rejects(start({ wasm: './no/such.wasm' }), { name: 'BitexactError', code: 'internal' });
    for (const wrong of [{ wasm: 5 }, { wasm: detached(empty.slice()) }, { simd: 'yes' }, 5, 'x']) {
      await assert.rejects(start(wrong as never), { name: 'BitexactError', code: 'argument' });
    }
    await start(null as never);
  }
});
