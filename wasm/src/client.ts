import { proxy, transfer, wrap } from 'comlink';

import { asyncDisposeSymbol, closeWhenUnreachable, disposeSymbol } from './disposal.js';
import { unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import type { WorkerApi } from './protocol.js';
import { report } from './stepping.js';
import type { Progress, Watcher } from './stepping.js';
import { pack } from './transfer.js';
import type { WorkerHandle } from './worker_handle.js';

/** The number of an object in the worker. Every method of it refers to this, and with the last of them the object goes. */
export interface Handle {
  readonly id: number;
}

/** Calls the worker, and turns what comes back into a value or an error of ours. */
export class Client {
  readonly #handle: WorkerHandle;
  readonly #api;

  constructor(handle: WorkerHandle) {
    this.#handle = handle;
    this.#api = wrap<WorkerApi>(handle.endpoint);
  }

  async send<T>(ask: (api: WorkerApi) => Promise<Outcome<T>>): Promise<T> {
    return unwrap(await this.#handle.guard(ask(this.#api as unknown as WorkerApi)));
  }

  /** Work that the caller watches from this side. What he throws stays here, as it is, and only "stop" crosses. */
  async watched<Event, T>(watcher: Watcher<Event>, ask: (api: WorkerApi, ...progress: Progress<Event>[]) => Promise<Outcome<T | null>>): Promise<T> {
    watcher.signal?.throwIfAborted();
    let stopped: { readonly reason: unknown } | undefined;
    const progress: Progress<Event> = (...step) => {
      try {
        report(watcher, ...step);
      } catch (reason) {
        stopped = { reason };
      }
      return !stopped;
    };
    const proxies = watcher.onStep || watcher.signal ? [proxy(progress)] : [];
    const value = await this.send((api) => ask(api, ...proxies));
    if (value === null) throw stopped?.reason;
    return value;
  }

  /** A function that forwards its arguments to `to`. */
  method(to: (api: WorkerApi, args: readonly unknown[]) => Promise<Outcome<unknown>>) {
    return async (...args: unknown[]) => {
      const { value, buffers } = pack(args);
      return this.send((api) => to(api, transfer(value as unknown[], buffers)));
    };
  }

  methods(names: readonly string[], to: (api: WorkerApi, name: string, args: readonly unknown[]) => Promise<Outcome<unknown>>) {
    return Object.fromEntries(names.map((name) => [name, this.method((api, args) => to(api, name, args))]));
  }

  /** An object that stays in the worker: `facts` of it, methods that are called there, and the end of it. */
  held<T extends object>(handle: Handle, facts: object, names: readonly string[]): T {
    const close = async () => {
      closeWhenUnreachable.unregister(handle);
      await this.release(handle.id);
    };
    return {
      ...facts,
      ...this.methods(names, (api, name, args) => api.object(handle.id, name, args)),
      dispose: close,
      [disposeSymbol]: close,
      [asyncDisposeSymbol]: close,
    } as unknown as T;
  }

  hold(id: number): Handle {
    const handle = { id };
    closeWhenUnreachable.register(handle, releaser(this, id), handle);
    return handle;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** With its worker it is gone already. */
  async release(id: number): Promise<void> {
    await this.send((api) => api.object(id, 'dispose', [])).catch((cause: unknown) => {
      if (!this.#handle.gone) throw cause;
    });
  }
}

/** Nobody waits for this. It stands outside of the class, where it cannot hold the handle. */
function releaser(client: Client, id: number): () => void {
  return () => void client.release(id).catch(() => undefined);
}
