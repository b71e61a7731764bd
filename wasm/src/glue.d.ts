import type { Bridge } from './bridge.js';

/** The part of Emscripten's loader that is used: see instance.ts. */
export interface GlueOptions {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): WebAssembly.Exports;
  printErr(text: string): void;
}

/** Fills `options` with the functions of the bridge, and does so before it returns when the wasm is there at once. */
export default function glue(options: GlueOptions & Partial<Bridge>): Promise<Bridge>;
