import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';

import { builds, onBothSides, read, rejectsEach } from './support.js';
import type { Layer, ModelReceipt, Tensor } from './support.js';
import { constant, node, onnx } from './onnx.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = ({ data }: Tensor) => new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
const int8 = read('../models/lenet5-int8.onnx'), float = read('../models/lenet5.onnx');
const digit = (label: number) => read(`../models/samples/${label}.png`);

/** What PyTorch, and the quantizer's own integers, say of the ten samples. */
const golden = JSON.parse(new TextDecoder().decode(read('../models/golden.json'))) as {
  samples: { label: number; scores: number[]; scores_q: number[] }[];
};

const doubled = onnx([1, 3], constant('two', [1], [2]), node('Mul', ['x', 'two'], 'y'));
const x: Tensor = { dtype: 'f32', shape: [1, 3], data: Float32Array.of(0.5, -1, 3) };

for (const { simd, name } of builds) {
  test(`LeNet-5 knows the ten samples, in 8 bits and as floats, ${name} build`, () =>
    onBothSides({ simd }, async (engine) => {
      const [byBytes, byReals] = [await engine.load(int8, { requant: 'xnnpack', keepLayers: true }), await engine.load(float)];
      for (const { label, scores, scores_q: codes } of golden.samples) {
        const a = await byBytes.run(digit(label), { image: 'mnist' }), b = await byReals.run([digit(label)], { image: 'mnist' });
        assert.deepEqual([(await a.top(1))[0]!.index, (await b.top(1))[0]!.index], [label, label]);
        const at = a.layers.findIndex((layer) => layer.name === 'scores_q');
        assert.deepEqual([...(await a.layer(at)).data], codes);
        (await b.top(10)).forEach(({ index, real }) => assert.ok(Math.abs(real - scores[index]!) < 0.01, `${label}: ${real}, ${scores[index]}`));
        await a.dispose();
        await b.dispose();
      }
      await byBytes.dispose();
      await byReals.dispose();
    }));
}

test('every digest is the SHA-256 of the tensor, and the receipt repeats them', () =>
  onBothSides({}, async (engine) => {
    const model = await engine.load(int8, { keepLayers: true }), run = await model.run(digit(3), { image: 'mnist' });
    for (const [i, layer] of run.layers.entries()) assert.equal(sha256(bytesOf(await run.layer(i))), layer.sha256, layer.name);
    assert.deepEqual(run.receipt.layers, run.layers.map(({ saturated: _, ...layer }) => layer));
    assert.deepEqual(run.outputs.map((o) => sha256(bytesOf(o))), run.receipt.outputs.map((o) => o.sha256));
    const [input] = run.receipt.inputs;
    assert.deepEqual([input!.file, input!.tensor], [sha256(digit(3)), sha256(bytesOf(await run.input(0)))]);
    assert.deepEqual([run.receipt.model.file, run.receipt.task.image!.resize], [sha256(int8), 'area']);
    for (const record of [model.facts, model.facts.steps[0]!, run.layers, run.layers[0]!, run.receipt]) assert.ok(Object.isFrozen(record));
  }));

test('a layer has one name, in runs, receipts and facts, whatever bytes the file has for it', () =>
  onBothSides({}, async (engine) => {
    // A mark of byte order, a lone continuation, a surrogate, a truncated character; long, as decoders take short ones apart.
    const odd = Uint8Array.from([0xef, 0xbb, 0xbf, ...Array<number>(60).fill(97), 0xbf, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x92]);
    const model = await engine.load(onnx([1, 3], node('Relu', ['x'], odd), node('Neg', [odd], 'y')));
    const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
    const { layers, receipt } = await model.run(x);
    assert.equal(layers[0]!.name.slice(0, 61), `\ufeff${'a'.repeat(60)}`);
    assert.deepEqual([names(layers), names(model.facts.steps)], [names(receipt.layers), names(receipt.layers)]);
  }));

test('a model that is disposed of leaves its runs alone, and its other runs are the same', () =>
  onBothSides({}, async (engine) => {
    const model = await engine.load(int8, { reference: true, keepLayers: true }), fast = await engine.load(int8);
    const run = await model.run(digit(8), { image: 'mnist' });
    await model.dispose();
    assert.equal((await run.layer(0)).shape.length, 4);
    const again = await fast.run(digit(8), { image: 'mnist', layers: false });
    assert.deepEqual([again.layers, again.receipt.layers, again.receipt.outputs], [[], [], run.receipt.outputs]);
    await rejectsEach(engine, 'disposed', [['argument', /this model has been disposed/, () => model.run(digit(8))]]);
    await run.dispose();
    await rejectsEach(engine, 'disposed', [['argument', /this run has been disposed/, () => run.layer(0)]]);
    await run.dispose();
  }));

test('facts: the classic counts of LeNet-5, and inspect says the same', () =>
  onBothSides({}, async (engine) => {
    const { facts } = await engine.load(float);
    // 61,706 parameters; 28*28*6*25 + 10*10*16*150 + 400*120 + 120*84 + 84*10 products.
    assert.deepEqual([facts.parameters, facts.macs, facts.format, facts.fileNodes], [61706, 416520, 'onnx', 12]);
    assert.deepEqual([facts.file, facts.inputs[0]!.shape, facts.outputs[0]!.shape], [sha256(float), [1, 1, 28, 28], [1, 10]]);
    const conv = facts.steps.find((step) => step.macs === 117600)!;
    assert.ok(conv.accumulator!.bits > 16 && conv.accumulator!.headroomBits >= 0 && conv.accumulator!.bound.length > 0);
    assert.ok(facts.steps.every(({ arena }) => arena.offset + arena.bytes <= facts.arenaBytes));
    assert.deepEqual(await engine.inspect(float), { facts, problems: [] });
  }));

test('tensors in and out, open shapes, external data', () =>
  onBothSides({}, async (engine) => {
    const run = await (await engine.load(doubled)).run(x);
    assert.deepEqual([run.outputs[0]!.name, run.outputs[0]!.dtype, [...run.outputs[0]!.data]], ['y', 'q16', [65536, -131072, 393216]]);
    assert.deepEqual(run.receipt.task, { op: 'model', image: null, shapes: {} });
    assert.deepEqual((await run.top(2, ['a', 'b', 'c'])).map(({ label, real }) => [label, real]), [['c', 6], ['a', 1]]);
    const open = await engine.load(onnx(['batch', 3], constant('two', [1], [2]), node('Mul', ['x', 'two'], 'y')), { shapes: { x: [2, 3] } });
    assert.deepEqual([open.facts.outputs[0]!.shape, (await open.run({ ...x, shape: [2, 3], data: new Float32Array(6) })).receipt.task.shapes], [[2, 3], { x: [2, 3] }]);
    const split = onnx([1, 3], constant('three', [1], [3], 'weights.bin'), node('Mul', ['x', 'three'], 'y'));
    const external = { 'weights.bin': Uint8Array.from([0, 0, 64, 64]) };
    assert.deepEqual([...(await (await engine.load(split, { external })).run([x])).outputs[0]!.data], [98304, -196608, 589824]);
    await rejectsEach(engine, 'external', [['argument', /weights\.bin/, (e) => e.load(split)]]);
  }));

test('verify re-runs a receipt on the model and its inputs', () =>
  onBothSides({}, async (engine) => {
    const { receipt } = await (await engine.load(int8, { requant: 'xnnpack' })).run(digit(5), { image: 'mnist' });
    const files = { model: int8, inputs: [digit(5)] };
    assert.equal((await engine.verify(receipt, files)).same, true);
    assert.equal((await engine.verify(JSON.stringify(receipt), files, { reference: true })).same, true);
    assert.equal((await engine.verify(receipt, { ...files, model: float })).stage, 'model');
    assert.equal((await engine.verify(receipt, { ...files, inputs: [Uint8Array.of(1)] })).stage, 'file');
    const layers = receipt.layers.map((l, i) => (i === 2 ? { ...l, sha256: '0'.repeat(64) } : l));
    const { same, stage, expected, got } = await engine.verify({ ...receipt, layers } as ModelReceipt, files);
    assert.deepEqual([same, stage, expected, got], [false, receipt.layers[2]!.name, '0'.repeat(64), receipt.layers[2]!.sha256]);
    const fromTensor = await (await engine.load(doubled)).run(x);
    assert.equal((await engine.verify(fromTensor.receipt, { model: doubled, inputs: [x] })).same, true);
  }));

test('what cannot be run is listed at once', () =>
  onBothSides({}, async (engine) => {
    const odd = onnx([1, 3], node('Erf', ['x'], 'a'), node('Det', ['a'], 'y'));
    const { facts, problems } = await engine.inspect(odd);
    assert.deepEqual([facts, problems.map(({ node: at, op, version }) => [at, op, version])], [null, [[0, 'Erf', 13], [1, 'Det', 13]]]);
    await rejectsEach(engine, 'load', [['unsupported', /Erf[^]*Det/, (e) => e.load(odd)]]);
  }));

test('progress of each step, and an end between two', () =>
  onBothSides({}, async (engine, where) => {
    const model = await engine.load(int8), seen: [number, number, Layer | undefined][] = [];
    const run = await model.run(digit(1), { image: 'mnist', onProgress: (...step) => void seen.push(step as (typeof seen)[0]) });
    assert.deepEqual(seen.map(([done]) => done), Array.from(seen, (_, i) => i + 1), where);
    assert.deepEqual([seen.at(-1)![1], seen.flatMap(([, , layer]) => layer ?? [])], [seen.length, [...run.layers]]);
    const aborter = new AbortController(), reason = new Error('enough');
    let steps = 0;
    const stop = () => { if (++steps === 2) aborter.abort(reason); };
    await assert.rejects(async () => model.run(digit(1), { onProgress: stop, signal: aborter.signal }), reason);
    assert.equal(steps, 2);
    await assert.rejects(async () => model.run(digit(1), { signal: aborter.signal }), reason);
    await assert.rejects(async () => engine.verify(run.receipt, { model: int8, inputs: [digit(1)] }, { signal: aborter.signal }), reason);
    assert.equal((await (await model.run(digit(1), { image: 'mnist' })).top(1))[0]!.index, 1);
  }));

test('wrong files and arguments', () =>
  onBothSides({}, async (engine, where) => {
    const model = (await engine.load(int8)) as any, run = (await model.run(digit(0), { image: 'mnist' })) as any;
    await rejectsEach(engine, where, [
      ['malformed', /ONNX|TFLite/, (e) => e.load(Uint8Array.of(1, 2, 3))],
      ['malformed', /./, (e) => e.load(int8.slice(0, 30000))],
      ['malformed', /./, (e) => e.inspect(new ArrayBuffer(0))],
      ['argument', /model: expected a Uint8Array/, (e) => e.load('lenet5.onnx')],
      ['argument', /requant: expected one of tflm, xnnpack, got "best"/, (e) => e.load(int8, { requant: 'best' })],
      ['argument', /shapes: expected/, (e) => e.load(int8, { shapes: { input: [1, -1] } })],
      ['argument', /shapes: expected text, got a lone surrogate/, (e) => e.load(int8, { shapes: { '\ud800': [1] } })],
      ['argument', /shapes: input: expected plain JSON, got a function/, (e) => e.load(int8, { shapes: { input: () => [1] } })],
      ['argument', /requant: expected one of tflm, xnnpack, got Symbol/, (e) => e.inspect(int8, { requant: Symbol('best') })],
      ['argument', /external\.a: expected a Uint8Array/, (e) => e.load(int8, { external: { a: 'b' } })],
      ['argument', /keepLayers: expected a boolean/, (e) => e.load(int8, { keepLayers: 1 })],
      ['argument', /the model has 1 inputs; 2 are given/, () => model.run([digit(0), digit(1)])],
      ['argument', /inputs\.0: expected the bytes of an image or a tensor, got 5/, () => model.run(5)],
      ['argument', /inputs\.0: expected .*, got undefined/, () => model.run(Array(2 ** 32 - 1))],
      ['argument', /inputs\.0\.data: expected 784 elements/, () => model.run({ dtype: 'f32', shape: [28, 28], data: new Float32Array(3) })],
      ['shape', /\[28, 27\]/, () => model.run({ dtype: 'f32', shape: [28, 27], data: new Float32Array(756) })],
      ['argument', /image: expected one of unit, raw, mnist, imagenet/, () => model.run(digit(0), { image: 'cifar' })],
      ['argument', /image: invert: expected a finite number, got NaN/, () => model.run(digit(0), { image: { invert: NaN } })],
      ['argument', /values/, () => model.run(digit(0), { image: { values: 'all' } })],
      ['argument', /onProgress: expected a function/, () => model.run(digit(0), { onProgress: 1 })],
      ['argument', /signal: expected an AbortSignal/, () => model.run(digit(0), { signal: 1 })],
      ['too_large', /limit/, () => model.run(digit(0), { image: 'mnist', limits: { pixels: 100 } })],
      ['argument', /load the model with keepLayers/, () => run.layer(0)],
      ['argument', /layer 99 of a run with/, () => run.layer(99)],
      ['argument', /index: expected an integer/, () => run.input(-1)],
      ['argument', /count: expected an integer/, () => run.top(-1)],
      ['argument', /labels: expected an array of texts/, () => run.top(1, 'zero')],
      ['argument', /labels\[1\]: expected a text, got 1/, () => run.top(1, ['zero', 1])],
      ['argument', /labels\[0\]: expected a text, got undefined/, () => run.top(1, Array(2 ** 32 - 1))],
      ['argument', /files\.model: expected a Uint8Array/, (e) => e.verify(run.receipt, digit(0))],
    ]);
  }));
