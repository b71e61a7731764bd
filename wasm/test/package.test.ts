import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

import { canonical, edge, init, read, sobel } from './support.js';

const here = process.cwd();
const bin = (name: string) => join(here, 'node_modules/.bin', name);

function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 28 });
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

/** An empty folder in which the packed package, and nothing else, is installed. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bitexact-'));
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], here)) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', '--offline', `./${packed.filename}`], folder);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const program = `
  import { readFileSync } from 'node:fs';
  import { canonical, init, initWorker } from 'bitexact';
  for (const start of [init, initWorker]) {
    const engine = await start();
    const run = await engine.photo(new Uint8Array(readFileSync('edge.png')), JSON.parse(readFileSync('task.json', 'utf8')));
    console.log(canonical(run.receipt));
  }`;

const page = `
  import { BitexactError, canonical, init, initWorker } from 'bitexact';
  import wasm from 'bitexact/bitexact.wasm?url';
  const engine = await init({ wasm });
  const remote = await initWorker();
  document.title = canonical([engine.version, await remote.sha256(new Uint8Array(3)), BitexactError.name]);`;

test('the packed package in an empty folder', async (t) => {
  const folder = installed();
  t.after(() => rmSync(folder, { recursive: true, force: true }));

  await t.test('has no dependencies', () => {
    assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((f) => !f.startsWith('.')), ['bitexact']);
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/bitexact/package.json'), 'utf8'));
    assert.equal(manifest.dependencies, undefined);
    assert.equal(Object.keys(manifest.exports['.'])[0], 'types');
  });

  await t.test('runs in Node, in this thread and in a worker', async () => {
    const engine = await init(), task = sobel(engine, { activation: { kind: 'relu' } });
    writeFileSync(join(folder, 'edge.png'), edge);
    write(folder, { 'task.json': JSON.stringify(task), 'run.js': program });
    const receipt = canonical(engine.photo(edge, task).receipt);
    assert.equal(run(process.execPath, ['run.js'], folder), `${receipt}\n${receipt}\n`);
  });

  await t.test('builds with Vite into a page that needs no inline script and no blob', () => {
    const out = buildPage(folder);
    const names = readdirSync(join(out, 'assets'));
    for (const build of ['bitexact', 'bitexact.simd']) {
      assert.ok(names.some((n) => n.startsWith(`${build}-`) && n.endsWith('.wasm')), `${build}.wasm in ${names.join(' ')}`);
    }
    assert.ok(names.some((n) => /^worker-.*\.js$/.test(n)), `a worker in ${names.join(' ')}`);
    const scripts = names.filter((n) => n.endsWith('.js')).map((n) => readFileSync(join(out, 'assets', n), 'utf8'));
    for (const text of scripts) assert.doesNotMatch(text, /\beval\(|new Function|createObjectURL|data:application\/wasm/);
  });

  await t.test('its types resolve, and the README compiles', () => {
    const examples = [...readFileSync('README.md', 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(([, text]) => text!);
    assert.equal(examples.length, 3);
    const names = examples.map((_, i) => `readme${i}.ts`);
    write(folder, { ...Object.fromEntries(names.map((file, i) => [file, examples[i]!])), 'use.ts': typesInUse });
    for (const [module, resolution] of [['esnext', 'bundler'], ['node16', 'node16']]) {
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', module!, '--moduleResolution', resolution!];
      run(bin('tsc'), [...options, '--lib', 'es2022,dom', ...names, 'use.ts'], folder);
    }
  });
});

const typesInUse = `
  import { BitexactError, initWorker } from 'bitexact';
  import type { Conv2dAttributes, Engine, Image, Model, ModelRun, ModelStep, PhotoRun, Remote, Tensor, Verdict } from 'bitexact';
  export async function use(file: Uint8Array, signal: AbortSignal): Promise<Verdict> {
    await using engine = await initWorker({ simd: false });
    const image: Image = await engine.decode(file);
    const run: Remote<PhotoRun> = await engine.photo(file, { kernel: { shape: [1, 1], q16: [await engine.toQ16(1)] } }, { signal });
    const cells: Int32Array = await run.window(1, 0, 0, 0, image.height, image.width);
    const matrix = await engine.fx.relu({ rows: image.height, cols: image.width, data: cells });
    // @ts-expect-error the number of rows is no string
    const wrong: string = matrix.rows;
    const code: BitexactError['code'] = 'internal';
    return { ...(await engine.verify(run.receipt, file)), text: wrong + code };
  }
  export async function classify(there: Remote<Engine>, file: Uint8Array, signal: AbortSignal): Promise<Verdict> {
    await using model: Remote<Model> = await there.load(file, { requant: 'xnnpack', shapes: { x: [1, 3, 8, 8] } });
    const run: Remote<ModelRun> = await model.run([file], { image: { values: 'bytes', layout: 'NHWC' }, signal });
    const { dtype, shape }: Tensor = await run.layer(run.layers.length - 1);
    const report = await there.inspect(file);
    if (report.facts === null) throw new Error(report.problems.map((p) => p.why).join());
    const steps: readonly ModelStep[] = report.facts.steps;
    // @ts-expect-error no such preset
    await model.run(file, { image: 'cifar' });
    // @ts-expect-error a promise, not scores
    run.top(1).length;
    return there.verify(run.receipt, { model: file, inputs: [file, { dtype, shape, data: new Int32Array(steps.length) }] });
  }
  export async function operate(here: Engine, there: Remote<Engine>, x: Tensor): Promise<Tensor> {
    const attributes: Conv2dAttributes = { layout: 'NCHW', pad: [1, 1, 1, 1], groups: 2 };
    const y: Tensor = here.ops.conv2d({ in: x, weights: x }, attributes, { reference: true });
    const { shape } = here.inferShape('concat', { in0: x, in1: { dtype: 'q16', shape: [-1] } }, { axis: 1 });
    const z: Tensor = await there.ops.pad({ in: y }, { pads: [0, 1], value: 2n ** 40n });
    const type = await there.inferShape('max_pool2d', { in: z }, { kernel: [2, 2] });
    // @ts-expect-error weights are missing
    here.ops.conv2d({ in: x });
    // @ts-expect-error an attribute of another operator
    here.ops.relu({ in: x }, { alpha: 1 });
    // @ts-expect-error attributes that have no default
    here.ops.reshape({ in: x });
    // @ts-expect-error an attribute of another operator
    here.inferShape('relu', { in: x }, { alpha: 1 });
    // @ts-expect-error a promise, not a tensor
    there.ops.relu({ in: x }).shape;
    return { dtype: type.dtype, shape, data: new Float32Array(1) };
  }`;

function buildPage(folder: string): string {
  const site = join(folder, 'site');
  mkdirSync(site);
  write(site, { 'index.html': '<!doctype html><title></title><script type="module" src="./main.js"></script>', 'main.js': page });
  run(bin('vite'), ['build', '--logLevel', 'warn', '--target', 'esnext'], site);
  return join(site, 'dist');
}

test('the wasm with its loader is below 360 KB, compressed', () => {
  for (const build of ['bitexact.wasm', 'bitexact.simd.wasm']) {
    const files = [build, 'index.js', 'engine.js', 'glue.js'].map((name) => read(`dist/${name}`));
    const bytes = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
    console.log(`${build} with its loader: ${bytes} bytes compressed`);
    assert.ok(bytes < 360_000, String(bytes));
  }
});

test('the SIMD build holds vector code and the scalar build holds none', { skip: !onPath('wasm-dis') && 'no wasm-dis' }, () => {
  const disassemble = (name: string) => run('wasm-dis', ['--enable-simd', `dist/${name}`], here);
  const vectors = (text: string) => text.match(/\b[if]\d+x\d+\.\w+|\bv128\.\w+/g)?.length ?? 0;
  assert.equal(vectors(disassemble('bitexact.wasm')), 0);
  assert.ok(vectors(disassemble('bitexact.simd.wasm')) > 200);
});

function onPath(name: string): boolean {
  return process.env['PATH']!.split(':').some((folder) => existsSync(join(folder, name)));
}
