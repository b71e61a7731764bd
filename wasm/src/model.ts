import * as check from './checks.js';
import { disposeSymbol } from './disposal.js';
import { unwrap } from './errors.js';
import { Held, frozen } from './held.js';
import type { Instance } from './instance.js';
import { modelFiles, modelInputs, runOptions } from './model_checks.js';
import type { FilesRequest, InputBytes, LoadRequest, RunRequest } from './model_checks.js';
import type { Layer, Model, ModelFacts, ModelInput, ModelOutput, ModelProblem, ModelReceipt, ModelReport, ModelRun, ModelRunOptions, ModelStep } from './model_types.js';
import { topScores } from './scores.js';
import { finish, signalOf } from './stepping.js';
import type { Stepping, Watcher } from './stepping.js';
import { tensorFrom } from './tensors.js';
import type { Tensor, Verdict } from './types.js';

export class LoadedModel implements Model {
  readonly facts: ModelFacts;
  readonly #instance: Instance;
  readonly #held: Held;
  readonly #shapes: string;

  constructor(instance: Instance, file: Uint8Array, request: LoadRequest) {
    const { id, facts } = unwrap(instance.call((bridge) => bridge.modelOpen(file, request)));
    this.#instance = instance;
    this.#held = new Held(this, instance, id, 'model', 'modelClose');
    this.#shapes = request.shapes;
    this.facts = frozen(factsFrom(facts));
  }

  run(inputs: ModelInput | readonly ModelInput[], options?: ModelRunOptions): ModelRun {
    const from = modelInputs(inputs), { watcher, ...request } = runOptions(options);
    return finish(() => this.start(from, this.task(request), request), watcher);
  }

  /** The JSON of the task that a run asks for. */
  task({ image }: RunRequest): string {
    const byDefault = this.facts.inputs[0]?.dtype === 'q16' ? '"unit"' : '"raw"';
    return `{"image":${image ?? byDefault},"shapes":${this.#shapes}}`;
  }

  start(inputs: readonly InputBytes[], task: string, o: Omit<RunRequest, 'image'>): RunOfModel {
    const { id, total } = this.#held.call((bridge, model) => bridge.runOpen(model, task, inputs, o.limits, o.layers));
    return new RunOfModel(this.#instance, id, total, this.facts);
  }

  dispose(): void {
    this.#held.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

/** A run at work: when all steps are taken, `outputs` and `receipt` are there. */
export class RunOfModel implements ModelRun, Stepping<Layer | null> {
  readonly layers: Layer[] = [];
  outputs!: readonly ModelOutput[];
  receipt!: ModelReceipt;
  taken = 0;
  readonly #held: Held;
  readonly #facts: ModelFacts;

  constructor(instance: Instance, id: number, readonly total: number, facts: ModelFacts) {
    this.#held = new Held(this, instance, id, 'run', 'runClose');
    this.#facts = facts;
    if (total === 0) this.#end();
  }

  step(): Layer | null {
    const found = this.#held.call((bridge, id) => bridge.runStep(id)), { name, op, dtype, shape } = this.#facts.steps[this.taken]!;
    const layer = found && frozen({ ...found, name, op, dtype, shape });
    if (layer) this.layers.push(layer);
    if (++this.taken === this.total) this.#end();
    return layer;
  }

  top(count?: number, labels?: readonly string[]): ReturnType<ModelRun['top']> {
    return topScores(this.outputs[0], count, labels);
  }

  input(index: number): Tensor {
    return this.#tensor('input', check.integer(index, 'index', 0, check.int32.max));
  }

  layer(index: number): Tensor {
    return this.#tensor('layer', check.integer(index, 'index', 0, check.int32.max));
  }

  dispose(): void {
    this.#held.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  #tensor(which: 'input' | 'layer' | 'output', index: number): Tensor {
    return tensorFrom(this.#held.call((bridge, id) => bridge.runTensor(id, which, index)));
  }

  #end(): void {
    const receipt = JSON.parse(this.#held.call((bridge, id) => bridge.runReceipt(id))) as ModelReceipt;
    this.receipt = frozen(receipt);
    frozen(this.layers);
    this.outputs = this.#facts.outputs.map((facts, i) => ({ ...facts, ...this.#tensor('output', i), sha256: receipt.outputs[i]!.sha256 }));
  }
}

export function inspectModel(instance: Instance, file: Uint8Array, request: LoadRequest): ModelReport {
  const { facts, problems } = unwrap(instance.call((bridge) => bridge.modelInspect(file, request)));
  if (facts !== undefined) return frozen({ facts: factsFrom(facts), problems: [] });
  return frozen({ facts: null, problems: JSON.parse(problems!) as ModelProblem[] });
}

/** In C++ words become words_with_lines; operators are named alike on both sides. */
function factsFrom(text: string): ModelFacts {
  const { file_nodes: fileNodes, arena_bytes: arenaBytes, steps, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return { ...rest, fileNodes, arenaBytes, steps: (steps as Record<string, unknown>[]).map(stepFrom) } as unknown as ModelFacts;
}

function stepFrom({ accumulator, ...rest }: Record<string, unknown>): ModelStep {
  if (accumulator === undefined) return rest as unknown as ModelStep;
  const { headroom_bits: headroomBits, ...bound } = accumulator as Record<string, unknown>;
  return { ...rest, accumulator: { ...bound, headroomBits } } as unknown as ModelStep;
}

/** A run of what a receipt asks for, not yet begun; or the verdict, when the files alone decide. */
export function rerun(instance: Instance, receipt: string, files: FilesRequest, o: check.RunOptions): Verdict | (() => RunOfModel) {
  const asked = unwrap(instance.call((bridge) => bridge.modelReceipt(receipt)))!;
  const verdict = unwrap(instance.call((bridge) => bridge.compareModelFiles(receipt, files.model, files.inputs)));
  if (!verdict.same) return verdict;
  const { task, requant, layers } = asked, { shapes } = JSON.parse(task) as { shapes: unknown };
  const { external } = files, { reference, limits } = o;
  return () => {
    const model = new LoadedModel(instance, files.model, { requant, shapes: JSON.stringify(shapes), external, reference, keepLayers: false });
    try {
      return model.start(files.inputs, task, { limits, layers });
    } finally {
      model.dispose();
    }
  };
}

export function isModelReceipt(instance: Instance, receipt: string): boolean {
  return unwrap(instance.call((bridge) => bridge.modelReceipt(receipt))) !== null;
}

export function verifyModel(instance: Instance, receipt: string, files: unknown, o: check.RunOptions & { watcher: Watcher<never> }): Verdict {
  const begin = rerun(instance, receipt, modelFiles(files), o);
  if (typeof begin !== 'function') return begin;
  const run = finish<unknown, RunOfModel>(begin, signalOf(o.watcher));
  try {
    return unwrap(instance.call((bridge) => bridge.compare(receipt, JSON.stringify(run.receipt))));
  } finally {
    run.dispose();
  }
}
