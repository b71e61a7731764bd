import { expose, releaseProxy, transfer } from 'comlink';
import type { Remote } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';

import type { RunOptions } from './checks.js';
import { createEngine, receiptTask } from './engine.js';
import { BitexactError, toData } from './errors.js';
import type { Outcome } from './errors.js';
import { Instance } from './instance.js';
import { inNode, nodeModule } from './node.js';
import { runOperator } from './ops.js';
import { Run } from './photo.js';
import type { EngineFacts, Progress, RunFacts, WorkerApi } from './protocol.js';
import { buffersOf } from './transfer.js';

type Method = (...args: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;

/** One engine, the methods of it that are plain calls, and the runs that its owner holds. */
class Host {
  readonly runs = new Map<number, Run>();
  readonly facts: EngineFacts;
  readonly methods: Methods;
  readonly fx: Methods;
  #last = 0;

  constructor(readonly instance: Instance) {
    const { version, contract, simd, kernelList, kernels, fx, ops: _, ...methods } = createEngine(instance);
    this.methods = methods as unknown as Methods;
    this.fx = fx as unknown as Methods;
    const names = { methods: Object.keys(this.methods), fx: Object.keys(fx) };
    this.facts = { version, contract, simd, kernelList, kernels, ...names };
  }

  keep(run: Run): RunFacts {
    this.runs.set(++this.#last, run);
    return { id: this.#last, stages: run.stages, receipt: run.receipt };
  }

  run(id: number, method: string, args: readonly unknown[]): unknown {
    const run = this.runs.get(id);
    if (method === 'dispose') this.runs.delete(id);
    else if (!run) throw new BitexactError('argument', 'this run has been disposed');
    return run && (run as unknown as Methods)[method]!.apply(run, args as unknown[]);
  }
}

let host: Host;

/** Stops between stages when its owner says so; the owner's answer is awaited, so it can come at any moment of a stage. */
async function photo(file: Uint8Array, task: string, o: RunOptions, progress?: Progress): Promise<RunFacts | null> {
  const run = new Run(host.instance, file, task, o);
  try {
    while (!run.done) {
      const stage = run.step();
      if (progress && !(await progress(stage, run.stages.length, run.total))) {
        run.dispose();
        return null;
      }
    }
    return host.keep(run);
  } catch (cause) {
    run.dispose();
    throw cause;
  } finally {
    (progress as Remote<Progress> | undefined)?.[releaseProxy]();
  }
}

async function answer<T>(compute: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await compute();
    return transfer({ value }, buffersOf(value));
  } catch (cause) {
    return { error: toData(cause) };
  }
}

const api: WorkerApi = {
  start: (module) => answer(async () => (host = new Host(await Instance.create(module))).facts),
  call: (method, args) => answer(() => host.methods[method]!(...args)),
  fx: (method, args) => answer(() => host.fx[method]!(...args)),
  operator: (call) => answer(() => runOperator(host.instance, call)),
  task: (receipt) => answer(() => receiptTask(host.instance, receipt)),
  photo: (...args) => answer(() => photo(...args)),
  run: (id, method, args) => answer(() => host.run(id, method, args)),
};

if (inNode) {
  void nodeModule<typeof import('node:worker_threads')>('node:worker_threads').then(({ parentPort }) => {
    if (parentPort) expose(api, nodeEndpoint(parentPort));
  });
} else {
  expose(api);
}
