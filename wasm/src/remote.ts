import { proxy, transfer, wrap } from 'comlink';

import * as check from './checks.js';
import { asyncDisposeSymbol, closeWhenUnreachable, disposeSymbol } from './disposal.js';
import { unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import { loadModule } from './load.js';
import { makeOps } from './ops.js';
import type { OperatorCall } from './ops.js';
import { frozen, report } from './photo.js';
import type { Progress, RunFacts, WorkerApi } from './protocol.js';
import { pack } from './transfer.js';
import type { Engine, InitOptions, PhotoOptions, PhotoRun, Remote, Tensor, Verdict } from './types.js';
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
    return async (...args: unknown[]) => {
      const { value, buffers } = pack(args);
      return this.send((api) => to(api, transfer(value as unknown[], buffers)));
    };
  }

  methods(names: readonly string[], to: (api: WorkerApi, name: string, args: readonly unknown[]) => Promise<Outcome<unknown>>) {
    return Object.fromEntries(names.map((name) => [name, this.method((api, args) => to(api, name, args))]));
  }

  /** Lets a run go. With its worker it is gone already. */
  async release(id: number): Promise<void> {
    await this.send((api) => api.run(id, 'dispose', [])).catch((cause: unknown) => {
      if (!this.#handle.gone) throw cause;
    });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Starts the engine in a worker of its own. */
export async function initWorker(o?: InitOptions): Promise<Remote<Engine>> {
  const module = await loadModule(o);
  const client = new Client(await WorkerHandle.open());
  try {
    const { methods, fx, ...facts } = await client.send((api) => api.start(module));
    return {
      ...facts,
      ...client.methods(methods, (api, name, args) => api.call(name, args)),
      fx: client.methods(fx, (api, name, args) => api.fx(name, args)),
      ops: makeOps(async (call) => operate(client, call())),
      photo: async (file: unknown, task: unknown, o?: PhotoOptions) => photo(client, file, check.json(task, 'task'), o),
      verify: (receipt: unknown, file: unknown, o?: PhotoOptions) => verify(client, receipt, file, o),
      [asyncDisposeSymbol]: () => client.close(),
    } as unknown as Remote<Engine>;
  } catch (cause) {
    await client.close();
    throw cause;
  }
}

function operate(client: Client, { inputs, ...rest }: OperatorCall): Promise<Tensor> {
  const copies = inputs.map((input) => ({ ...input, data: input.data.slice() }));
  return client.send((api) => api.operator(transfer({ ...rest, inputs: copies }, copies.map(({ data }) => data.buffer))));
}

/** Runs the caller's `onStage` and `signal` on his side. What they throw stays here, as it is, and only "stop" crosses. */
class Watch {
  stopped: { readonly reason: unknown } | undefined;

  constructor(private readonly options: check.Watcher) {}

  readonly progress: Progress = (...stage) => {
    try {
      report(this.options, ...stage);
    } catch (reason) {
      this.stopped = { reason };
    }
    return !this.stopped;
  };
}

async function photo(client: Client, file: unknown, task: string, options?: PhotoOptions): Promise<Remote<PhotoRun>> {
  const bytes = check.bytes(file, 'file'), { limits, reference, ...watcher } = check.photoOptions(options);
  watcher.signal?.throwIfAborted();
  const watch = new Watch(watcher), copy = bytes.slice();
  const progress = watcher.onStage || watcher.signal ? [proxy(watch.progress)] : [];
  const facts = await client.send((api) =>
    api.photo(transfer(copy, [copy.buffer]), task, { limits, reference }, ...progress));
  if (!facts) throw watch.stopped?.reason;
  return remoteRun(client, facts);
}

const runMethods = ['window', 'preview', 'dump', 'png'] as const;

function remoteRun(client: Client, { id, stages, receipt }: RunFacts): Remote<PhotoRun> {
  const close = async () => {
    closeWhenUnreachable.unregister(run);
    await client.release(id);
  };
  const run = {
    stages: frozen(stages),
    receipt: frozen(receipt),
    ...client.methods(runMethods, (api, name, args) => api.run(id, name, args)),
    dispose: close,
    [disposeSymbol]: close,
    [asyncDisposeSymbol]: close,
  } as unknown as Remote<PhotoRun>;
  closeWhenUnreachable.register(run, forget(client, id), run);
  return run;
}

/** Nobody waits for this. */
function forget(client: Client, id: number): () => void {
  return () => void client.release(id).catch(() => undefined);
}

async function verify(client: Client, receipt: unknown, file: unknown, o?: PhotoOptions): Promise<Verdict> {
  const text = check.receipt(receipt, 'receipt');
  const run = await photo(client, file, await client.send((api) => api.task(text)), o);
  try {
    return (await client.send((api) => api.call('compare', [text, run.receipt]))) as Verdict;
  } finally {
    await run.dispose();
  }
}

