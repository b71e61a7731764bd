import type { RunOptions } from './checks.js';
import type { Outcome } from './errors.js';
import type { OperatorCall } from './ops.js';
import type { Engine, Receipt, Stage, Tensor } from './types.js';

/** Facts about an engine that do not change, and the names of its plain methods. */
export interface EngineFacts extends Pick<Engine, 'version' | 'contract' | 'simd' | 'kernelList' | 'kernels'> {
  readonly methods: readonly string[];
  readonly fx: readonly string[];
}

export interface RunFacts {
  readonly id: number;
  readonly stages: readonly Stage[];
  readonly receipt: Receipt;
}

/** Told of each stage; the answer says whether to go on. */
export type Progress = (stage: Stage, done: number, total: number) => boolean | Promise<boolean>;

/** What the worker offers to its owner, through comlink. Errors are data: comlink would strip them of their fields. */
export interface WorkerApi {
  start(module: WebAssembly.Module): Promise<Outcome<EngineFacts>>;
  call(method: string, args: readonly unknown[]): Promise<Outcome<unknown>>;
  fx(method: string, args: readonly unknown[]): Promise<Outcome<unknown>>;
  operator(call: OperatorCall): Promise<Outcome<Tensor>>;
  /** The JSON of the task of a receipt. */
  task(receipt: string): Promise<Outcome<string>>;
  /** `task` is JSON. null when `progress` said to stop. */
  photo(file: Uint8Array, task: string, o: RunOptions, progress?: Progress): Promise<Outcome<RunFacts | null>>;
  run(id: number, method: string, args: readonly unknown[]): Promise<Outcome<unknown>>;
}
