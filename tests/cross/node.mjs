// The package under Node, speaking as the command line does, for parity.py:
//   node node.mjs scalar|simd vectors FILE | parity FILE --images FOLDER, then --kernels reference|fastest
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { canonical, init } from '../../wasm/dist/index.js';
import { build } from '../../wasm/node_modules/esbuild/lib/main.js';

const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

async function fromTests(name) {
  await mkdir(local('../../build/cross'), { recursive: true });
  const outfile = local(`../../build/cross/${name}-${process.pid}.mjs`);
  await build({ entryPoints: [local(`../../wasm/test/${name}.ts`)], bundle: true, format: 'esm', outfile });
  return import(outfile);
}

async function vectors(engine, file, { kernels }) {
  const { parseSuite, runVectors } = await fromTests('vectors');
  return runVectors(engine, parseSuite(await readFile(file, 'utf8')), kernels === 'reference');
}

async function runPipeline(engine, { image, task }, folder, reference) {
  const run = engine.photo(new Uint8Array(await readFile(`${folder}/${image}`)), task, { reference });
  const { made_by: _, ...covered } = run.receipt;
  const outcome = [run.stages.at(-1).sha256, engine.sha256(new TextEncoder().encode(canonical(covered)))];
  run.dispose();
  return outcome;
}

async function models(engine, cases, folder, reference) {
  const { runModelSet } = await fromTests('model_cases');
  const { outcomes } = await runModelSet(engine, cases, async (name) => new Uint8Array(await readFile(`${folder}/${name}`)), reference);
  return { outputs: outcomes.map(({ output }) => output), receipts: outcomes.map(({ receipt }) => receipt) };
}

async function parity(engine, file, { images, kernels }) {
  const { pipelines, cases } = await readJson(file);
  if (cases) return models(engine, cases, images, kernels === 'reference');
  const outcomes = [];
  for (const pipeline of pipelines) outcomes.push(await runPipeline(engine, pipeline, images, kernels === 'reference'));
  return { platform: {}, outputs: outcomes.map(([output]) => output), receipts: outcomes.map(([, receipt]) => receipt) };
}

const options = { images: { type: 'string' }, kernels: { type: 'string' }, json: { type: 'boolean' } };
const { positionals: [buildName, command, file], values } = parseArgs({ allowPositionals: true, options });
const engine = await init({ simd: buildName === 'simd' });
const result = command === 'vectors' ? await vectors(engine, file, values) : await parity(engine, file, values);
console.log(JSON.stringify(result));
