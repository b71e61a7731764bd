import { proxy, transfer, wrap } from 'comlink';

import { asyncDisposeSymbol, closeWhenUnreachable, disposeSymbol } from './disposal.js';
import { unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import { loadModule } from './load.js';
import { report } from './photo.js';
import type { Progress, RunFacts, WorkerApi } from './protocol.js';
import { pack } from './transfer.js';
import type { Engine, InitOptions, PhotoOptions, PhotoRun, PhotoTask, Receipt, Remote, Verdict } from './types.js';
import { WorkerHandle } from './worker_handle.js';

/** Calls the worker, and turns what comes back into a value or an error of ours. */
class Client {
  readonly #handle: WorkerHandle;
  readonly #api;

  constructor(handle: WorkerHandle) {
    this.#handle = handle;
    this.#api = wrap<WorkerApi>(handle.endpoint);
  }

  async send<T>(ask: (api: WorkerApi) => Promise<Outcome<T>>): Promise<T> {
    return unwrap(await this.#handle.guard(ask(this.#api as unknown as WorkerApi)));
  }

  /** A function that forwards its arguments to `to`. */
  method(to: (api: WorkerApi, args: readonly unknown[]) => Promise<Outcome<unknown>>) {
    return (...args: unknown[]) => {
      const { value, buffers } = pack(args);
      return this.send((api) => to(api, transfer(value as unknown[], buffers)));
    };
  }

  methods(names: readonly string[], to: (api: WorkerApi, name: string, args: readonly unknown[]) => Promise<Outcome<unknown>>) {
    return Object.fromEntries(names.map((name) => [name, this.method((api, args) => to(api, name, args))]));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Starts the engine in a worker of its own. */
export async function initWorker(o: InitOptions = {}): Promise<Remote<Engine>> {
  const module = await loadModule(o);
  const client = new Client(await WorkerHandle.open());
  try {
    const { methods, fx, ...facts } = await client.send((api) => api.start(module));
    const engine = {
      ...facts,
      ...client.methods(methods, (api, name, args) => api.call(name, args)),
      fx: client.methods(fx, (api, name, args) => api.fx(name, args)),
      photo: (file: Uint8Array, task: PhotoTask, options: PhotoOptions = {}) => photo(client, file, task, options),
      verify: (receipt: Receipt | string, file: Uint8Array, options: PhotoOptions = {}) =>
        verify(engine, receipt, file, options),
      [asyncDisposeSymbol]: () => client.close(),
    } as unknown as InternalEngine;
    return engine;
  } catch (cause) {
    await client.close();
    throw cause;
  }
}

type InternalEngine = Remote<Engine> & { readTask(receipt: Receipt | string): Promise<PhotoTask> };

/** Runs the caller's `onStage` and `signal` on his side. What they throw stays here, as it is, and only "stop" crosses. */
class Watch {
  stopped: { readonly reason: unknown } | undefined;

  constructor(private readonly options: PhotoOptions) {}

  readonly progress: Progress = (...stage) => {
    try {
      report(this.options, ...stage);
    } catch (reason) {
      this.stopped = { reason };
    }
    return !this.stopped;
  };
}

async function photo(client: Client, file: Uint8Array, task: PhotoTask, o: PhotoOptions): Promise<Remote<PhotoRun>> {
  o.signal?.throwIfAborted();
  const watch = new Watch(o);
  const { value: [bytes], buffers } = pack([file]);
  const options = { limits: o.limits, reference: o.reference };
  const facts = await client.send((api) =>
    api.photo(transfer(bytes!, buffers), task, options, ...(o.onStage || o.signal ? [proxy(watch.progress)] : [])));
  if (!facts) throw watch.stopped?.reason;
  return remoteRun(client, facts);
}

const runMethods = ['window', 'preview', 'dump', 'png'] as const;

function remoteRun(client: Client, { id, stages, receipt }: RunFacts): Remote<PhotoRun> {
  const close = async () => {
    closeWhenUnreachable.unregister(run);
    await client.send((api) => api.run(id, 'dispose', []));
  };
  const run = {
    stages,
    receipt,
    ...client.methods(runMethods, (api, name, args) => api.run(id, name, args)),
    dispose: close,
    [disposeSymbol]: close,
    [asyncDisposeSymbol]: close,
  } as unknown as Remote<PhotoRun>;
  closeWhenUnreachable.register(run, forget(client, id), run);
  return run;
}

/** Nobody waits for this; a worker that is gone needs no closing. */
function forget(client: Client, id: number): () => void {
  return () => void client.send((api) => api.run(id, 'dispose', [])).catch(() => undefined);
}

async function verify(engine: InternalEngine, receipt: Receipt | string, file: Uint8Array, o: PhotoOptions): Promise<Verdict> {
  const run = await engine.photo(file, await engine.readTask(receipt), o);
  try {
    return await engine.compare(receipt, run.receipt);
  } finally {
    await run.dispose();
  }
}

