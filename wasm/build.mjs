// Assembles dist/ from what scripts/build-wasm.sh compiled: `node build.mjs`; `node build.mjs tests` compiles the tests.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const common = { bundle: true, format: 'esm', target: 'es2022', platform: 'neutral', mainFields: ['module', 'main'], logLevel: 'warning' };

/** One loader serves both builds: they import and export the same names. */
function copyWasm(scalar, simd) {
  const [a, b] = [scalar, simd].map((folder) => readFileSync(`${folder}/bitexact.js`));
  if (!a.equals(b)) throw new Error(`${scalar} and ${simd} have different loaders: rebuild both from the same sources`);
  cpSync(`${scalar}/bitexact.js`, 'dist/glue.js');
  cpSync(`${scalar}/bitexact.wasm`, 'dist/bitexact.wasm');
  cpSync(`${simd}/bitexact.wasm`, 'dist/bitexact.simd.wasm');
}

function bundle() {
  return build({
    ...common,
    entryPoints: ['src/index.ts', 'src/worker.ts'],
    outdir: 'dist',
    splitting: true,
    chunkNames: 'engine',
    external: ['./glue.js'],
  });
}

/** Only the declarations that a user's compiler reaches. */
function declare() {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
  const reached = ['index', 'types', 'errors', 'canonical', 'remote', 'worker'];
  for (const file of readdirSync('build/types')) {
    if (reached.includes(file.replace('.d.ts', ''))) cpSync(`build/types/${file}`, `dist/${file}`);
  }
}

async function library() {
  rmSync('dist', { recursive: true, force: true });
  mkdirSync('dist');
  copyWasm('../build/wasm/wasm', '../build/wasm-simd/wasm');
  await bundle();
  declare();
  cpSync('../LICENSE', 'dist/LICENSE');
}

/** Tests import dist/ as it is. */
function tests() {
  const entryPoints = readdirSync('test').filter((f) => f.endsWith('.test.ts')).map((f) => `test/${f}`);
  return build({ ...common, entryPoints, outdir: 'build/test', platform: 'node', packages: 'external', external: ['../dist/*'] });
}

await (process.argv[2] === 'tests' ? tests() : library());
