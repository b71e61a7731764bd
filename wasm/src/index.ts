import { createEngine } from './engine.js';
import { Instance } from './instance.js';
import { loadModule } from './load.js';
import type { Engine, InitOptions } from './types.js';

export { canonical } from './canonical.js';
export { BitexactError } from './errors.js';
export { initWorker } from './remote.js';
export type * from './model_types.js';
export type * from './op_attributes.js';
export type * from './op_types.js';
export type * from './types.js';

/** Starts the engine in this thread. */
export async function init(o?: InitOptions): Promise<Engine> {
  return createEngine(await Instance.create(await loadModule(o)));
}
