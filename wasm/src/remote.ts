import * as check from './checks.js';
import { Client } from './client.js';
import { asyncDisposeSymbol } from './disposal.js';
import { frozen } from './held.js';
import { loadModule } from './load.js';
import { inspect, load, verifyModel } from './remote_model.js';
import { makeOps } from './ops.js';
import type { OperatorCall } from './ops.js';
import { handOver } from './transfer.js';
import type { Engine, InitOptions, PhotoOptions, PhotoRun, Remote, Tensor, Verdict, VerifyOptions } from './types.js';
import { WorkerHandle } from './worker_handle.js';

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
      load: async (file: unknown, o: unknown) => load(client, file, o),
      inspect: async (file: unknown, o: unknown) => inspect(client, file, o),
      verify: async (receipt: unknown, files: unknown, o?: VerifyOptions) => verify(client, check.receipt(receipt, 'receipt'), files, o),
      [asyncDisposeSymbol]: () => client.close(),
    } as unknown as Remote<Engine>;
  } catch (cause) {
    await client.close();
    throw cause;
  }
}

function operate(client: Client, call: OperatorCall): Promise<Tensor> {
  return client.send((api) => api.operator(handOver(call)));
}

async function photo(client: Client, file: unknown, task: string, options?: PhotoOptions): Promise<Remote<PhotoRun>> {
  const bytes = handOver(check.bytes(file, 'file')), { watcher, ...o } = check.photoOptions(options);
  const { id, stages, receipt } = await client.watched(watcher, (api, ...progress) => api.photo(bytes, task, o, ...progress));
  return client.held(client.hold(id), frozen({ stages, receipt }), ['window', 'preview', 'dump', 'png']);
}

async function verify(client: Client, receipt: string, files: unknown, o?: VerifyOptions): Promise<Verdict> {
  const task = await client.send((api) => api.photoTask(receipt));
  if (task === null) return verifyModel(client, receipt, files, check.photoOptions(o));
  const run = await photo(client, files, task, o);
  try {
    return (await client.send((api) => api.call('compare', [receipt, run.receipt]))) as Verdict;
  } finally {
    await run.dispose();
  }
}
