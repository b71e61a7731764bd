// Prints what a visitor of the built page loads, compressed and without samples, and fails beyond the limit.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 400_000;
const dist = new URL('../dist/', import.meta.url);

const assets = readdirSync(new URL('assets/', dist)).map((name) => `assets/${name}`);
const own = ['index.html', 'favicon.svg', ...assets.filter((name) => !name.includes('selftest'))];
const sizes = own.map((name) => ({ name, bytes: gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length }));

// A browser takes one of the two builds of the engine: the larger one is counted.
const isWasm = ({ name }) => name.endsWith('.wasm');
const wasm = sizes.filter(isWasm).sort((a, b) => b.bytes - a.bytes);
const loaded = [...sizes.filter((s) => !isWasm(s)), ...wasm.slice(0, 1)];
const total = loaded.reduce((sum, s) => sum + s.bytes, 0);

for (const { name, bytes } of loaded) console.log(`${String(bytes).padStart(8)}  ${name}`);
console.log(`${String(total).padStart(8)}  bytes gzipped in all, limit ${LIMIT}`);
if (total > LIMIT) process.exit(1);
