// node scripts/receipt.mjs PHOTO RECEIPT: runs a receipt's task on a photo with the wasm package and prints its own receipt.
import { readFile } from 'node:fs/promises';
import { canonical, init } from '../wasm/dist/index.js';

const [photo, receipt] = process.argv.slice(2);
const { task } = JSON.parse(await readFile(receipt, 'utf8'));
const engine = await init();
const run = engine.photo(new Uint8Array(await readFile(photo)), task);
process.stdout.write(canonical(run.receipt));
