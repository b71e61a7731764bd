import { simd as detectSimd } from 'wasm-feature-detect';

import * as check from './checks.js';
import { BitexactError } from './errors.js';
import { inNode, nodeModule } from './node.js';
import type { InitOptions } from './types.js';

/** The compiled wasm that the options ask for. */
export async function loadModule(o: InitOptions | null | undefined): Promise<WebAssembly.Module> {
  const { wasm, simd } = check.options(o), wanted = simd === undefined || simd === null ? undefined : check.flag(simd, 'simd');
  if (wasm === undefined || wasm === null) return fetchModule(ownWasm(await useSimd(wanted)));
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return compile(check.bytesOf(wasm, 'wasm'));
  if (typeof wasm === 'string' || wasm instanceof URL) return fetchModule(await toUrl(wasm));
  throw new BitexactError('argument', 'wasm: expected a URL, its bytes or a WebAssembly.Module');
}

async function useSimd(wanted: boolean | undefined): Promise<boolean> {
  if (wanted === false) return false;
  const supported = await detectSimd();
  if (wanted && !supported) throw new BitexactError('unsupported', 'this WebAssembly engine has no SIMD');
  return supported;
}

/** Written out for bundlers, which look for exactly this form. */
function ownWasm(simd: boolean): URL {
  return simd ? new URL('./bitexact.simd.wasm', import.meta.url) : new URL('./bitexact.wasm', import.meta.url);
}

/** In Node, what does not start with a scheme is a path; one letter is a drive of Windows. */
async function toUrl(wasm: URL | string): Promise<URL> {
  if (inNode && typeof wasm === 'string' && !/^[a-z][a-z\d+.-]+:/i.test(wasm)) {
    return (await nodeModule<typeof import('node:url')>('node:url')).pathToFileURL(wasm);
  }
  try {
    return new URL(wasm, globalThis.location?.href);
  } catch {
    throw new BitexactError('argument', `wasm: ${JSON.stringify(String(wasm))} is not a URL`);
  }
}

async function fetchModule(url: URL): Promise<WebAssembly.Module> {
  if (inNode && url.protocol === 'file:') return compile(await readFile(url));
  const response = await fetch(url).catch((cause: unknown) => notLoaded(url, cause));
  if (!response.ok) return notLoaded(url, `status ${response.status}`);
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response).catch(notWasm) : compile(await response.arrayBuffer());
}

async function readFile(url: URL): Promise<BufferSource> {
  const fs = await nodeModule<typeof import('node:fs/promises')>('node:fs/promises');
  return fs.readFile(url).catch((cause: unknown) => notLoaded(url, cause)) as Promise<Uint8Array<ArrayBuffer>>;
}

function compile(bytes: BufferSource): Promise<WebAssembly.Module> {
  return WebAssembly.compile(bytes).catch(notWasm);
}

function notLoaded(url: URL, cause: unknown): never {
  throw new BitexactError('internal', `${url.href} could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`);
}

function notWasm(cause: unknown): never {
  throw new BitexactError('malformed', `this is not the wasm of bitexact: ${cause instanceof Error ? cause.message : String(cause)}`);
}
