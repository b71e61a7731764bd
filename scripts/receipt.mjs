// node scripts/receipt.mjs RECEIPT INPUT [MODEL]: does again with the wasm package what a receipt is of, and prints its own.
import { readFile } from 'node:fs/promises';
import { canonical, init } from '../wasm/dist/index.js';

const [receipt, input, model] = await Promise.all(process.argv.slice(2).map(async (path) => new Uint8Array(await readFile(path))));
const { task, model: asked } = JSON.parse(new TextDecoder().decode(receipt));
const engine = await init();
const run = model
  ? engine.load(model, { requant: asked.requant, shapes: task.shapes }).run(input, { image: task.image })
  : engine.photo(input, task);
process.stdout.write(canonical(run.receipt));
