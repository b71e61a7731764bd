import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';

import { builds, canonical, edge, onBothSides, pnm, png, sobel } from './support.js';
import type { Receipt } from './support.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const one = 65536;

for (const { simd, name } of builds) {
  test(`a step edge through Sobel, ReLU and a maximum, ${name} build`, () =>
    onBothSides({ simd }, async (engine) => {
      assert.equal(engine.simd, simd);
      const pool = { kind: 'max', kernel: [2, 2], stride: [2, 2] } as const;
      const run = await engine.photo(edge, sobel(engine, { activation: { kind: 'relu' }, pool }));
      assert.deepEqual(run.stages.map((s) => s.name), ['pixels', 'input', 'conv', 'activation', 'pool']);
      // Columns 0..3 are 0 and 4..7 are 1: the two columns astride the edge see 1 + 2 + 1.
      assert.deepEqual([...(await run.window(2, 0, 0, 0, 1, 6))], [0, 0, 4 * one, 4 * one, 0, 0]);
      assert.deepEqual([...(await run.window(4, 0, 0, 0, 2, 3))], [0, 4 * one, 0, 0, 4 * one, 0]);
      await run.dispose();
    }));
}

test('every digest is the SHA-256 of the dump, and the receipt repeats them', () =>
  onBothSides({}, async (engine) => {
    const run = await engine.photo(edge, sobel(engine, { resize: { width: 12, height: 9 } }));
    for (const [i, stage] of run.stages.entries()) assert.equal(sha256(await run.dump(i)), stage.sha256);
    const digest = Object.fromEntries(run.stages.map((s) => [s.name, s.sha256]));
    const { input, outputs } = run.receipt;
    assert.deepEqual(
      [input.file, input.pixels, input.resized, input.tensor, outputs[0]!.sha256],
      [sha256(edge), digest['pixels'], digest['resized'], digest['input'], digest['conv']]);
    await run.dispose();
  }));

test('what a run tells cannot be changed', () =>
  onBothSides({}, async (engine) => {
    const seen: unknown[] = [];
    const run = await engine.photo(edge, sobel(engine), { onStage: (stage) => void seen.push(stage) });
    for (const record of [run.stages, run.stages[0]!, run.stages[0]!.shape, run.receipt, run.receipt.layers[0]!]) {
      assert.ok(Object.isFrozen(record));
    }
    assert.deepEqual(seen, run.stages);
    await run.dispose();
  }));

test('negative sums: what SIMD does with signs', () =>
  onBothSides({}, async (engine) => {
    // Falling edges give -4; the same by the readable kernels.
    const falling = png(40, 5, 0, (i) => (i % 40 < 20 ? 255 : 0));
    for (const reference of [false, true]) {
      const run = await engine.photo(falling, sobel(engine), { reference });
      const row = [...(await run.window(2, 0, 0, 0, 1, 38))];
      assert.deepEqual(row, row.map((_, x) => (x === 18 || x === 19 ? -4 * one : 0)));
      await run.dispose();
    }
  }));

test('windows are zero outside of the tensor', () =>
  onBothSides({}, async (engine) => {
    const run = await engine.photo(png(2, 2, 0, () => 255), { kernel: { shape: [1, 1], q16: [one] } });
    assert.deepEqual([...(await run.window(1, 0, -1, -1, 3, 3))], [0, 0, 0, 0, one, one, 0, one, one]);
    assert.deepEqual([...(await run.window(1, 0, 5, 5, 1, 2))], [0, 0]);
    await run.dispose();
  }));

test('previews fit their box and pictures decode again', () =>
  onBothSides({}, async (engine) => {
    const colour = pnm(40, 20, 3, (i) => [255, 128, 0][i % 3]!);
    const run = await engine.photo(colour, { kernel: { shape: [1, 1], q16: [-one] }, channels: 'rgb' });
    const small = await run.preview(0, 10, 10);
    assert.deepEqual([small.width, small.height, [...small.rgba.slice(0, 4)]], [10, 5, [255, 128, 0, 255]]);
    assert.deepEqual([...(await run.preview(2, 10, 10)).rgba.slice(0, 4)], [0, 0, 0, 255]);
    assert.deepEqual([...(await run.preview(2, 1, 1, { magnitude: true })).rgba], [255, 128, 0, 255]);
    const again = await engine.decode(await run.png(2, { magnitude: true }));
    assert.deepEqual([again.width, again.height, again.channels, [...again.data.slice(0, 3)]], [40, 20, 3, [255, 128, 0]]);
    await run.dispose();
  }));

test('images: decode, drop alpha, luma, resize, encode', () =>
  onBothSides({}, async (engine) => {
    const image = await engine.decode(png(2, 1, 6, (i) => [255, 0, 0, 0, 10, 20, 30, 255][i]!));
    assert.deepEqual([image.channels, image.bits, image.format], [4, 8, 'png']);
    const over = await engine.dropAlpha(image, [1, 2, 3]);
    assert.deepEqual([...over.data], [1, 2, 3, 10, 20, 30]);
    // ARITHMETIC 10: R(19595 r + 38470 g + 7471 b, 16).
    const grey = [[1, 2, 3], [10, 20, 30]].map(([r, g, b]) => (19595 * r! + 38470 * g! + 7471 * b! + 32768) >> 16);
    assert.deepEqual([...(await engine.luma(over)).data], grey);
    const half = await engine.resize(over, { width: 1, height: 1, method: 'area' });
    assert.deepEqual([...half.data], [6, 11, 17]);
    assert.deepEqual((await engine.decode(await engine.encode(over, 'png'))).data, over.data);
    assert.deepEqual((await engine.decode(await engine.encode(over, 'pnm'))).data, over.data);
    assert.deepEqual([...(await engine.imageToQ16(half)).data], [6, 11, 17].map((p) => Math.floor((p * one * 2 + 255) / 510)));
  }));

test('a receipt has one spelling', async () => {
  const seen: string[] = [];
  for (const { simd } of builds) {
    await onBothSides({ simd }, async (engine) => {
      const run = await engine.photo(edge, sobel(engine));
      seen.push(canonical(run.receipt));
      assert.deepEqual(await engine.verify(canonical(run.receipt), edge), { same: true, text: 'same' });
      await run.dispose();
    });
  }
  assert.equal(new Set(seen).size, 1);
});

test('verify names the first difference', () =>
  onBothSides({}, async (engine) => {
    const run = await engine.photo(edge, sobel(engine));
    const receipt = run.receipt as Receipt;
    const wrong = { ...receipt, layers: [{ ...receipt.layers[0]!, sha256: '0'.repeat(64) }] };
    const { same, stage, expected, got } = await engine.verify(wrong, edge);
    assert.deepEqual({ same, stage, expected, got }, { same: false, stage: 'conv', expected: '0'.repeat(64), got: receipt.layers[0]!.sha256 });
    assert.equal((await engine.verify(receipt, png(8, 6, 0, () => 7))).stage, 'file');
    assert.equal((await engine.verify({ ...receipt, made_by: { architecture: 'x', simd: 'y' } }, edge)).same, true);
    await assert.rejects(async () => engine.verify({ ...receipt, contract: 2 }, edge), { code: 'unsupported' });
    await assert.rejects(async () => engine.verify('{"bitexact":1', edge), { code: 'malformed' });
    await run.dispose();
  }));
