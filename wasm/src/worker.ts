import { expose, releaseProxy, transfer } from 'comlink';
import type { Remote } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';

import type { RunOptions } from './checks.js';
import { createEngine, receiptTask } from './engine.js';
import { BitexactError, toData } from './errors.js';
import type { Outcome } from './errors.js';
import { Instance } from './instance.js';
import { LoadedModel, inspectModel, isModelReceipt, rerun } from './model.js';
import type { RunOfModel } from './model.js';
import type { FilesRequest, InputBytes, LoadRequest, RunRequest } from './model_checks.js';
import type { Layer, ModelFacts } from './model_types.js';
import { inNode, nodeModule } from './node.js';
import { runOperator } from './ops.js';
import { Run } from './photo.js';
import type { EngineFacts, ModelRunFacts, RunFacts, WorkerApi } from './protocol.js';
import { finishFor } from './stepping.js';
import type { Progress } from './stepping.js';
import { buffersOf } from './transfer.js';
import type { Stage, Verdict } from './types.js';

type Method = (...args: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;

/** One engine, the methods of it that are plain calls, and the runs and models that its owner holds. */
class Host {
  readonly facts: EngineFacts;
  readonly methods: Methods;
  readonly fx: Methods;
  readonly #objects = new Map<number, { dispose(): void }>();
  #last = 0;

  constructor(readonly instance: Instance) {
    const { version, contract, simd, kernelList, kernels, fx, ops: _, ...methods } = createEngine(instance);
    this.methods = methods as unknown as Methods;
    this.fx = fx as unknown as Methods;
    const names = { methods: Object.keys(this.methods), fx: Object.keys(fx) };
    this.facts = { version, contract, simd, kernelList, kernels, ...names };
  }

  keep(object: { dispose(): void }): number {
    this.#objects.set(++this.#last, object);
    return this.#last;
  }

  find(id: number, what: string): unknown {
    const object = this.#objects.get(id);
    if (!object) throw new BitexactError('argument', `this ${what} has been disposed`);
    return object;
  }

  object(id: number, method: string, args: readonly unknown[]): unknown {
    if (method !== 'dispose') return (this.find(id, 'run') as Methods)[method]!(...args);
    this.#objects.get(id)?.dispose();
    return this.#objects.delete(id);
  }
}

let host: Host;

async function photo(file: Uint8Array, task: string, o: RunOptions, progress?: Progress<Stage>): Promise<RunFacts | null> {
  const run = await finishFor(new Run(host.instance, file, task, o), progress);
  return run && { id: host.keep(run), stages: run.stages, receipt: run.receipt };
}

function load(file: Uint8Array, request: LoadRequest): { id: number; facts: ModelFacts } {
  const model = new LoadedModel(host.instance, file, request);
  return { id: host.keep(model), facts: model.facts };
}

async function runModel(id: number, inputs: readonly InputBytes[], request: RunRequest, progress?: Progress<Layer | null>): Promise<ModelRunFacts | null> {
  const model = host.find(id, 'model') as LoadedModel;
  const run = await finishFor(model.start(inputs, model.task(request), request), progress);
  return run && { id: host.keep(run), layers: run.layers, outputs: run.outputs, receipt: run.receipt };
}

async function verifyModel(receipt: string, files: FilesRequest, o: RunOptions, progress?: Progress<unknown>): Promise<Verdict | null> {
  const begin = rerun(host.instance, receipt, files, o);
  if (typeof begin !== 'function') return begin;
  const run = await finishFor<unknown, RunOfModel>(begin(), progress);
  run?.dispose();
  return run && (host.methods.compare!(receipt, run.receipt) as Verdict);
}

async function answer<T>(compute: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await compute();
    return transfer({ value }, buffersOf(value));
  } catch (cause) {
    return { error: toData(cause) };
  }
}

/** The same for work that tells of its progress: the port for that would keep the owner's process alive. */
async function answerWatched<T>(progress: Progress<never> | undefined, compute: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return await answer(compute);
  } finally {
    (progress as Remote<Progress<never>> | undefined)?.[releaseProxy]();
  }
}

const api: WorkerApi = {
  start: (module) => answer(async () => (host = new Host(await Instance.create(module))).facts),
  call: (method, args) => answer(() => host.methods[method]!(...args)),
  fx: (method, args) => answer(() => host.fx[method]!(...args)),
  operator: (call) => answer(() => runOperator(host.instance, call)),
  photoTask: (receipt) => answer(() => (isModelReceipt(host.instance, receipt) ? null : receiptTask(host.instance, receipt))),
  photo: (...args) => answerWatched(args[3], () => photo(...args)),
  load: (...args) => answer(() => load(...args)),
  inspect: (...args) => answer(() => inspectModel(host.instance, ...args)),
  runModel: (...args) => answerWatched(args[3], () => runModel(...args)),
  verifyModel: (...args) => answerWatched(args[3], () => verifyModel(...args)),
  object: (...args) => answer(() => host.object(...args)),
};

if (inNode) {
  void nodeModule<typeof import('node:worker_threads')>('node:worker_threads').then(({ parentPort }) => {
    if (parentPort) expose(api, nodeEndpoint(parentPort));
  });
} else {
  expose(api);
}
