// Assembles dist/ from the two wasm builds: node build.mjs [folder of the scalar build, folder of the SIMD build]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { build, transformSync } from 'esbuild';

/** One loader serves both builds: they import and export the same names. */
function copyWasm(scalar, simd) {
  const [a, b] = [scalar, simd].map((folder) => readFileSync(`${folder}/bitexact.js`));
  if (!a.equals(b)) throw new Error(`${scalar} and ${simd} have different loaders: rebuild both from the same sources`);
  writeFileSync('dist/glue.js', transformSync(a.toString(), { minify: true, format: 'esm' }).code);
  cpSync(`${scalar}/bitexact.wasm`, 'dist/bitexact.wasm');
  cpSync(`${simd}/bitexact.wasm`, 'dist/bitexact.simd.wasm');
}

function bundle() {
  return build({
    entryPoints: ['src/index.ts', 'src/worker.ts'],
    outdir: 'dist',
    splitting: true,
    chunkNames: 'engine',
    external: ['./glue.js'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // White space stays: minified, the comments that tell bundlers to leave an import alone would go.
    minifyIdentifiers: true,
    minifySyntax: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
}

/** Only the declarations that a user's compiler reaches. */
function declare() {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
  const reached = ['index', 'types', 'model_types', 'op_attributes', 'op_types', 'errors', 'canonical', 'remote', 'worker'];
  for (const file of readdirSync('build/types')) {
    if (reached.includes(file.replace('.d.ts', ''))) cpSync(`build/types/${file}`, `dist/${file}`);
  }
}

const [scalar = '../build/wasm/wasm', simd = '../build/wasm-simd/wasm'] = process.argv.slice(2);
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
copyWasm(scalar, simd);
await bundle();
declare();
cpSync('../LICENSE', 'dist/LICENSE');
