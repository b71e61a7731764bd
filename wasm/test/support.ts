import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

import { BitexactError, init, initWorker } from '../dist/index.js';
import type { Engine, ErrorCode, InitOptions, PhotoTask, Remote } from '../dist/index.js';

export { BitexactError, canonical, init, initWorker } from '../dist/index.js';
export type * from '../dist/index.js';

/** Tests run in wasm/. */
export function read(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path));
}

export const builds = [{ simd: false, name: 'scalar' }, { simd: true, name: 'SIMD' }] as const;

/** `use` with an engine in this thread, and again with one in a worker. */
export async function onBothSides(o: InitOptions, use: (engine: Engine | Remote<Engine>, where: string) => Promise<void>): Promise<void> {
  await use(await init(o), 'main thread');
  const remote = await initWorker(o);
  await use(remote, 'worker');
  await (remote as unknown as { [k: symbol]: () => Promise<void> })[Symbol.asyncDispose]!();
}

/** A call that must fail, with its class of error and what the message says. Types would forbid most of them. */
export type Wrong = readonly [ErrorCode, RegExp, (e: any) => unknown];

export async function rejectsEach(engine: Engine | Remote<Engine>, where: string, wrong: readonly Wrong[]): Promise<void> {
  for (const [code, message, call] of wrong) {
    await assert.rejects(async () => call(engine), (e) => {
      assert.ok(e instanceof BitexactError, `${where}: ${String(call)} gave ${String(e)}`);
      assert.equal(e.code, code, `${where}: ${String(call)}: ${e.message}`);
      assert.match(e.message, message, `${where}: ${String(call)}`);
      return true;
    });
  }
}

/** P5 or P6. */
export function pnm(width: number, height: number, channels: 1 | 3, sample: (i: number) => number): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(`P${channels === 1 ? 5 : 6}\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + width * height * channels);
  file.set(header);
  for (let i = header.length, k = 0; i < file.length; i++, k++) file[i] = sample(k);
  return file;
}

/** An 8-bit PNG by Node's own zlib. `color` is the PNG colour type: 0 grey, 2 RGB, 6 RGBA. */
export function png(width: number, height: number, color: 0 | 2 | 6, sample: (i: number) => number): Uint8Array<ArrayBuffer> {
  const channels = { 0: 1, 2: 3, 6: 4 }[color], row = width * channels;
  const raw = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < row; x++) raw[y * (row + 1) + 1 + x] = sample(y * row + x);
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, color, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return new Uint8Array(Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND', Buffer.alloc(0))]));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]), whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A step edge: columns left of the middle are 0, the others 255. */
export const edge = png(8, 6, 0, (i) => (i % 8 < 4 ? 0 : 255));

export function sobel(engine: Pick<Engine, 'kernels'>, more: Partial<PhotoTask> = {}): PhotoTask {
  const { rows, cols, data } = engine.kernels['sobel-x'];
  return { kernel: { name: 'sobel-x', shape: [rows, cols], q16: [...data] }, ...more };
}
