import type { Bridge } from './bridge.js';
import { BitexactError } from './errors.js';
import glue from './glue.js';
import type { GlueOptions } from './glue.js';

type Instantiate = GlueOptions['instantiateWasm'];

/**
 * A wasm instance that outlives its own faults. A trap or an abort leaves its memory in an unknown state, so the instance
 * is given up, the caller gets an error, and the next call starts afresh from the same compiled module.
 */
export class Instance {
  /** Counts the restarts: what was opened in an earlier life is gone. */
  life = 0;

  private constructor(private readonly module: WebAssembly.Module, private bridge: Bridge | undefined) {}

  static async create(module: WebAssembly.Module): Promise<Instance> {
    try {
      return new Instance(module, await boot(module));
    } catch (cause) {
      throw new BitexactError('malformed', `this is not the wasm of bitexact: ${message(cause)}`);
    }
  }

  /** A fault within `use` ends this life of the instance; what else it throws does not. */
  call<T>(use: (bridge: Bridge) => T): T {
    try {
      this.bridge ??= reboot(this.module);
      return use(this.bridge);
    } catch (cause) {
      if (!isFault(cause)) throw cause;
      this.bridge = undefined;
      this.life++;
      throw fault(cause);
    }
  }
}

/** Traps and aborts are RuntimeErrors; a memory or a stack that is used up is a RangeError, in Firefox an InternalError. */
function isFault(cause: unknown): boolean {
  if (cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError) return true;
  return cause instanceof Error && (cause.name === 'InternalError' || outOfMemory.test(cause.message));
}

const outOfMemory = /out of memory|allocation failed|invalid (typed )?array/i;

/** The first start is asynchronous, as browsers want it on their main thread. */
function boot(module: WebAssembly.Module): Promise<Bridge> {
  return new Promise((resolve, reject) => {
    const instantiate: Instantiate = (imports, done) => {
      WebAssembly.instantiate(module, imports).then(done).catch(reject);
      return {};
    };
    glue({ instantiateWasm: instantiate, printErr: ignore }).then(resolve, reject);
  });
}

/** When the wasm is there at once, the loader has filled the object it was given before it returns. */
function reboot(module: WebAssembly.Module): Bridge {
  const instantiate: Instantiate = (imports, done) => {
    const instance = new WebAssembly.Instance(module, imports);
    done(instance);
    return instance.exports;
  };
  const bridge = { instantiateWasm: instantiate, printErr: ignore } as GlueOptions as GlueOptions & Bridge;
  glue(bridge).catch(ignore);
  return bridge;
}

function fault(cause: unknown): BitexactError {
  const text = message(cause);
  if (outOfMemory.test(text)) return new BitexactError('no_memory', text);
  return new BitexactError('internal', `the engine failed and was restarted: ${text}`);
}

function message(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function ignore(): void {}
