import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { BitexactError, canonical, edge, init, onBothSides, pnm, read, sobel } from './support.js';
import type { Engine, Remote } from './support.js';

const lenet = read('../models/lenet5-int8.onnx');
const noise = pnm(300, 200, 3, (i) => (i * 7919) & 255);

/** The memories of the engines that `use` starts: seen from outside, as the SDK hands out none. */
async function watchMemories<T>(use: (memories: WebAssembly.Memory[]) => Promise<T>): Promise<T> {
  const memories: WebAssembly.Memory[] = [];
  const { Instance, instantiate } = WebAssembly;
  const note = (instance: WebAssembly.Instance) => {
    memories.push(...Object.values(instance.exports).filter((e): e is WebAssembly.Memory => e instanceof WebAssembly.Memory));
    return instance;
  };
  const later = async (...args: [WebAssembly.Module]) => note(await instantiate(...args));
  const now = new Proxy(Instance, { construct: (target, args) => note(Reflect.construct(target, args) as WebAssembly.Instance) });
  Object.assign(WebAssembly, { instantiate: later, Instance: now });
  try {
    return await use(memories);
  } finally {
    Object.assign(WebAssembly, { instantiate, Instance });
  }
}

/** The wasm with a memory that cannot grow beyond `pages` of 64 KiB: rewrites the limit in its memory section. */
function withMemoryLimit(wasm: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer> {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const id = wasm[at++], size = number(), body = at;
    if (id !== 5) {
      at = body + size;
      continue;
    }
    at += 2;
    const minimum = number();
    assert.ok(pages >= minimum);
    // The same length as before, so that nothing else moves.
    const length = body + size - at;
    for (let i = 0; i < length; i++) wasm[at + i] = ((pages >> (7 * i)) & 127) | (i < length - 1 ? 128 : 0);
    return wasm;
  }
}

const repeat = (n: number, use: () => void) => { for (let i = 0; i < n; i++) use(); };

test('repeated work does not make memory grow', () =>
  watchMemories(async (memories) => {
    const engine = await init();
    const work = () => {
      const run = engine.photo(noise, sobel(engine, { channels: 'rgb', activation: { kind: 'relu' } }));
      run.preview(3, 50, 50);
      run.dispose();
      engine.resize(engine.decode(noise), { width: 100, height: 100 });
      engine.fx.mul(engine.kernels.box, engine.kernels.box);
      engine.verify(run.receipt, noise);
      classify(engine);
      assert.throws(() => engine.decode(noise.subarray(0, 1000)), BitexactError);
      assert.throws(() => engine.photo(noise, { kernel: { shape: [0, 0], q16: [] } }), BitexactError);
    };
    repeat(5, work);
    const before = memories[0]!.buffer.byteLength;
    repeat(60, work);
    assert.equal(memories.length, 1);
    assert.equal(memories[0]!.buffer.byteLength, before);
  }));

/** What `using` does at the end of a block. */
function classify(engine: Engine): void {
  const model = engine.load(lenet), run = model.run(noise, { image: 'mnist' });
  assert.equal(run.layers.length, model.facts.steps.filter((step) => step.name).length);
  run[Symbol.dispose]!();
  model[Symbol.dispose]!();
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Time for the garbage, and for what is done about it. */
async function collect(): Promise<void> {
  await setImmediate();
  gc();
  await setImmediate();
}

test('what nobody knows any more is freed', () => {
  const wasm = withMemoryLimit(read('dist/bitexact.wasm'), 300);
  return onBothSides({ wasm }, async (engine) => {
    for (let i = 0; i < 60; i++) {
      await forget(engine);
      await collect();
    }
  });
});

async function forget(engine: Engine | Remote<Engine>): Promise<void> {
  await engine.photo(noise, sobel(engine));
  await (await engine.load(lenet, { keepLayers: true })).run(noise, { image: 'mnist', onProgress: () => undefined });
}

test('methods keep what they are of', () =>
  onBothSides({}, async (engine, where) => {
    if (where === 'main thread') return;
    const { run } = await engine.load(lenet, { keepLayers: true }), { layer } = await run(noise), { dump } = await engine.photo(edge, sobel(engine));
    await collect();
    assert.deepEqual([(await layer(0)).shape.length, (await run(noise)).outputs.length, (await dump(0)).length], [4, 1, 48]);
  }));

test('files are kept by nobody', async () => {
  const engine = await init(), files: WeakRef<ArrayBuffer>[] = [];
  const file = (bytes: Uint8Array<ArrayBuffer>) => {
    const copy = bytes.slice();
    files.push(new WeakRef(copy.buffer));
    return copy;
  };
  const open = () => [engine.load(file(lenet)), engine.photo(file(noise), sobel(engine)), engine.load(lenet).run(file(noise))];
  const held = [open(), open(), open()];
  await collect();
  // The loader remembers the last.
  assert.deepEqual(files.slice(0, -1).map((ref) => ref.deref()?.byteLength), files.slice(1).map(() => undefined));
  held.flat().forEach((object) => object.dispose());
});

test('when memory runs out the error says so and the engine goes on', async () => {
  const wasm = withMemoryLimit(read('dist/bitexact.wasm'), 300);
  const engine = await init({ wasm });
  const works = () => assert.equal(engine.decode(edge).width, 8);
  const noMemory = { name: 'BitexactError', code: 'no_memory' };
  const large = pnm(1500, 1500, 1, (i) => i & 255);
  repeat(20, () => {
    assert.throws(() => engine.photo(large, sobel(engine)), noMemory);
    works();
    assert.throws(() => engine.sha256(new Uint8Array(30e6)), noMemory);
    works();
  });
  const kernel = { shape: [1, 1], q16: [65536], name: 'x'.repeat(30e6) } as const;
  assert.throws(() => engine.photo(edge, { kernel }), BitexactError);
  works();
  const q16 = Array<number>(2e6).fill(1);
  assert.throws(() => engine.photo(edge, { kernel: { shape: [1000, 2000], q16 } }), noMemory);
  works();
});

test('after a trap the engine starts afresh and says so', () =>
  watchMemories(async (memories) => {
    const engine = await init();
    const receipt = canonical(engine.photo(edge, sobel(engine)).receipt);
    const lost = engine.photo(edge, sobel(engine));
    new Uint8Array(memories[0]!.buffer).fill(0xff);
    const internal = { name: 'BitexactError', code: 'internal' };
    assert.throws(() => trap(engine), internal);
    assert.equal(canonical(engine.photo(edge, sobel(engine)).receipt), receipt);
    assert.equal(memories.length, 2);
    assert.throws(() => lost.dump(0), { ...internal, message: /lost/ });
    lost.dispose();
  }));

function trap(engine: Engine): void {
  engine.photo(edge, sobel(engine));
}

test('a photo of 24 megapixels in colour fits, with every stage kept', () =>
  watchMemories(async (memories) => {
    const engine = await init();
    const file = pnm(6000, 4000, 3, (i) => (i >> 3) & 255);
    const started = performance.now();
    const run = engine.photo(file, sobel(engine, { channels: 'rgb', activation: { kind: 'relu' }, pool: { kind: 'max', kernel: [2, 2], stride: [2, 2] } }));
    assert.deepEqual(run.stages.at(-1)!.shape, [3, 1999, 2999]);
    assert.equal(run.window(4, 2, 1998, 2998, 1, 1).length, 1);
    assert.equal(run.preview(4, 600, 400).width, 600);
    console.log(`24 megapixels: ${Math.round(performance.now() - started)} ms, ${memories[0]!.buffer.byteLength >> 20} MiB`);
  }));
