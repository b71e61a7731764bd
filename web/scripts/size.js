// Prints what a visitor of each built page loads, compressed and without samples and models, and fails beyond the limit.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 400_000;
const dist = new URL('../dist/', import.meta.url);
const assets = readdirSync(new URL('assets/', dist)).map((name) => `assets/${name}`);
const sizeOf = (name) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length;

// A browser takes one of the two builds of the engine: the larger one is counted.
const wasm = assets.filter((name) => name.endsWith('.wasm')).sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 1);
const worker = assets.filter((name) => /worker-.*\.js$/.test(name));

// Styles, the page's script and everything it imports are in the page's head.
function loadedBy(page) {
  const named = readFileSync(new URL(page, dist), 'utf8').matchAll(/(?:src|href)="\.\/([^"]+)"/g);
  return [page, ...[...named].map(([, name]) => name), ...worker, ...wasm];
}

for (const page of ['index.html', 'classify.html', 'inspect.html']) {
  const loaded = loadedBy(page).map((name) => ({ name, bytes: sizeOf(name) }));
  const total = loaded.reduce((sum, s) => sum + s.bytes, 0);
  for (const { name, bytes } of loaded) console.log(`${String(bytes).padStart(8)}  ${name}`);
  console.log(`${String(total).padStart(8)}  bytes gzipped in all, limit ${LIMIT}\n`);
  if (total > LIMIT) process.exitCode = 1;
}
