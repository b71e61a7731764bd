import type { RunOptions } from './checks.js';
import type { Outcome } from './errors.js';
import type { FilesRequest, InputBytes, LoadRequest, RunRequest } from './model_checks.js';
import type { Layer, ModelFacts, ModelOutput, ModelReceipt, ModelReport } from './model_types.js';
import type { OperatorCall } from './ops.js';
import type { Progress } from './stepping.js';
import type { Engine, Receipt, Stage, Tensor, Verdict } from './types.js';

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

export interface ModelRunFacts {
  readonly id: number;
  readonly layers: readonly Layer[];
  readonly outputs: readonly ModelOutput[];
  readonly receipt: ModelReceipt;
}

/** What the worker offers to its owner, through comlink. Errors are data: comlink would strip them of their fields. */
export interface WorkerApi {
  start(module: WebAssembly.Module): Promise<Outcome<EngineFacts>>;
  call(method: string, args: readonly unknown[]): Promise<Outcome<unknown>>;
  fx(method: string, args: readonly unknown[]): Promise<Outcome<unknown>>;
  operator(call: OperatorCall): Promise<Outcome<Tensor>>;
  /** The JSON of the task of a photo's receipt; null when the receipt is of a model. */
  photoTask(receipt: string): Promise<Outcome<string | null>>;
  /** `task` is JSON. Like all that takes `progress` it gives null when that said to stop. */
  photo(file: Uint8Array, task: string, o: RunOptions, progress?: Progress<Stage>): Promise<Outcome<RunFacts | null>>;
  load(model: Uint8Array, request: LoadRequest): Promise<Outcome<{ readonly id: number; readonly facts: ModelFacts }>>;
  inspect(model: Uint8Array, request: LoadRequest): Promise<Outcome<ModelReport>>;
  runModel(
    model: number, inputs: readonly InputBytes[], request: RunRequest, progress?: Progress<Layer | null>,
  ): Promise<Outcome<ModelRunFacts | null>>;
  verifyModel(receipt: string, files: FilesRequest, o: RunOptions, progress?: Progress<unknown>): Promise<Outcome<Verdict | null>>;
  /** A method of what the worker holds under this number. */
  object(id: number, method: string, args: readonly unknown[]): Promise<Outcome<unknown>>;
}
