import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';

import { builds, edge, init, initWorker, onBothSides, pnm, sobel } from './support.js';
import type { Engine, Remote, Stage } from './support.js';

const noise = pnm(300, 200, 3, (i) => (i * 7919) & 255);
const dispose = (engine: Remote<Engine>) => (engine as AsyncDisposable)[Symbol.asyncDispose]();

test('onStage tells of every stage, on the side of the caller', () =>
  onBothSides({}, async (engine) => {
    const seen: [string, number, number][] = [];
    const onStage = (stage: Stage, done: number, total: number) => seen.push([stage.name, done, total]);
    await engine.photo(edge, sobel(engine), { onStage });
    assert.deepEqual(seen, [['pixels', 1, 3], ['input', 2, 3], ['conv', 3, 3]]);
  }));

test('a signal stops the run between stages, with its own reason', () =>
  onBothSides({}, async (engine) => {
    const reason = { any: () => 'thing' };
    const before = AbortSignal.abort(reason);
    await assert.rejects(async () => engine.photo(noise, sobel(engine), { signal: before }), (e) => e === reason);
    const during = new AbortController();
    const seen: string[] = [];
    const onStage = ({ name }: Stage) => {
      seen.push(name);
      if (name === 'input') during.abort(reason);
    };
    const stopped = async () => engine.photo(noise, sobel(engine), { onStage, signal: during.signal });
    await assert.rejects(stopped, (e) => e === reason);
    assert.deepEqual(seen, ['pixels', 'input']);
    await assert.rejects(async () => engine.verify((await engine.photo(edge, sobel(engine))).receipt, edge, { signal: before }), (e) => e === reason);
  }));

test('a worker hears a signal that is given while a stage is computed', async () => {
  const engine = await initWorker();
  const abort = new AbortController();
  const run = engine.photo(noise, sobel(engine, { channels: 'rgb' }), { signal: abort.signal });
  queueMicrotask(() => abort.abort());
  await assert.rejects(run, { name: 'AbortError' });
  await dispose(engine);
});

test('what onStage throws comes back as it is', () =>
  onBothSides({}, async (engine) => {
    const mine = new TypeError('mine');
    const onStage = () => { throw mine; };
    await assert.rejects(async () => engine.photo(edge, sobel(engine), { onStage }), (e) => e === mine);
  }));

test('a worker gives what the main thread gives, for calls made at once, and leaves the caller his bytes', async () => {
  for (const { simd } of builds) {
    const here = await init({ simd }), there = await initWorker({ simd });
    const task = sobel(here, { channels: 'rgb', pad: 'SAME_UPPER', pool: { kind: 'avg', kernel: [2, 2], stride: [2, 2] } });
    const expected = here.photo(noise, task);
    const runs = await Promise.all(Array.from({ length: 4 }, () => there.photo(noise, task)));
    for (const run of runs) assert.deepEqual(run.receipt, expected.receipt);
    assert.deepEqual(await runs[3]!.dump(3), expected.dump(3));
    assert.equal(noise.length, 300 * 200 * 3 + 15);
    const part = new Uint8Array(noise.length + 8).subarray(4, -4);
    part.set(noise);
    assert.deepEqual((await there.photo(part, task)).receipt, expected.receipt);
    await dispose(there);
  }
});

test('arguments that cannot be sent are an argument error', async () => {
  const engine = await initWorker();
  await assert.rejects(engine.decode((() => 1) as never), { name: 'BitexactError', code: 'argument' });
  await dispose(engine);
});

test('a disposed engine refuses calls, also those that wait', async () => {
  const engine = await initWorker();
  const waiting = engine.photo(noise, sobel(engine));
  const refused = assert.rejects(waiting, { name: 'BitexactError', code: 'argument' });
  await dispose(engine);
  await refused;
  await assert.rejects(engine.sha256(noise), { name: 'BitexactError', code: 'argument' });
});

test('a run goes with its engine, and may be disposed after it', async () => {
  const engine = await initWorker();
  const run = await engine.photo(noise, sobel(engine));
  await dispose(engine);
  await run.dispose();
  await assert.rejects(run.dump(0), { name: 'BitexactError', code: 'argument' });
});

test('an engine in a worker has the methods of one in this thread, and no others', async () => {
  const here = await init(), there = await initWorker();
  assert.deepEqual(Object.keys(there).sort(), Object.keys(here).sort());
  assert.deepEqual(Object.keys(there.fx).sort(), Object.keys(here.fx).sort());
  await dispose(there);
});

/** What a process of its own prints, and that it ends by itself, before its worker's garbage is collected for being idle. */
function printed(script: string): string {
  const start = `import { initWorker } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}; const engine = await initWorker();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', start + script], { timeout: 6000, encoding: 'utf8' });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  return stdout;
}

test('an idle worker does not keep the process alive, and a busy one does', () => {
  assert.equal(printed('engine.sha256(new Uint8Array(3e6)).then((digest) => console.log(digest.length));'), '64\n');
});

test('work that failed before its first step does not keep the process alive', () => {
  assert.equal(printed('engine.photo(new Uint8Array(3), {}, { onStage() {} }).catch((e) => console.log(e.code));'), 'argument\n');
});

test('an answer that comes while its worker is ended does not end the process', () => {
  const whileAnswered = 'engine.sha256(new Uint8Array(3)).catch(() => 0); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);';
  assert.equal(printed(`${whileAnswered} await engine[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')](); console.log('ended');`), 'ended\n');
});
