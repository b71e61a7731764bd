import * as check from './checks.js';
import type { Bridge } from './bridge.js';
import { closeWhenUnreachable, disposeSymbol } from './disposal.js';
import { BitexactError, unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import type { Instance } from './instance.js';
import type { PhotoOptions, PhotoRun, Preview, Receipt, Stage } from './types.js';

/** A run at work: `step` until `done`, then `receipt` is there. */
export class Run implements PhotoRun {
  readonly stages: Stage[] = [];
  receipt!: Receipt;
  readonly total: number;
  readonly #instance: Instance;
  readonly #life: number;
  readonly #id: number;

  /** Everything is as check.ts leaves it; `task` is JSON. */
  constructor(instance: Instance, file: Uint8Array, task: string, { limits, reference }: check.RunOptions) {
    const opened = unwrap(instance.call((bridge) => bridge.photoOpen(file, task, ...limits, reference)));
    this.#instance = instance;
    this.#life = instance.life;
    this.#id = opened.id;
    this.total = opened.total;
    closeWhenUnreachable.register(this, closer(instance, opened.id), this);
  }

  get done(): boolean {
    return this.stages.length === this.total;
  }

  step(): Stage {
    const stage = frozen(this.#call((bridge, id) => bridge.photoStep(id)));
    this.stages.push(stage);
    if (this.done) {
      this.receipt = frozen(JSON.parse(this.#call((bridge, id) => bridge.photoReceipt(id))) as Receipt);
      frozen(this.stages);
    }
    return stage;
  }

  window(stage: number, plane: number, y: number, x: number, height: number, width: number): Int32Array {
    const { min, max } = check.int32, at = stageIndex(stage);
    const rectangle = [
      check.integer(plane, 'plane', 0, max), check.integer(y, 'y', min, max), check.integer(x, 'x', min, max),
      check.integer(height, 'height', 0, max), check.integer(width, 'width', 0, max),
    ];
    const bytes = this.#call((bridge, id) => bridge.photoWindow(id, at, rectangle));
    return new Int32Array(bytes.buffer);
  }

  preview(stage: number, maxWidth: number, maxHeight: number, o?: { magnitude?: boolean }): Preview {
    const at = stageIndex(stage), magnitude = check.flag(check.options(o).magnitude, 'magnitude');
    const w = check.integer(maxWidth, 'maxWidth', 1, check.int32.max);
    const h = check.integer(maxHeight, 'maxHeight', 1, check.int32.max);
    const { width, height, data } = this.#call((bridge, id) => bridge.photoPreview(id, at, w, h, magnitude));
    return { width, height, rgba: new Uint8ClampedArray(data.buffer) };
  }

  dump(stage: number): Uint8Array {
    const at = stageIndex(stage);
    return this.#call((bridge, id) => bridge.photoDump(id, at));
  }

  png(stage: number, o?: { magnitude?: boolean }): Uint8Array {
    const at = stageIndex(stage), magnitude = check.flag(check.options(o).magnitude, 'magnitude');
    return this.#call((bridge, id) => bridge.photoPng(id, at, magnitude));
  }

  dispose(): void {
    closeWhenUnreachable.unregister(this);
    closer(this.#instance, this.#id, this.#life)();
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  #call<T>(use: (bridge: Bridge, id: number) => Outcome<T>): T {
    if (this.#life !== this.#instance.life) {
      throw new BitexactError('internal', 'this run was lost when the engine failed and was restarted');
    }
    return unwrap(this.#instance.call((bridge) => use(bridge, this.#id)));
  }
}

function stageIndex(value: unknown): number {
  return check.integer(value, 'stage', 0, check.int32.max);
}

/** What a run tells is a record: nobody changes it, at any depth. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** Numbers start again with every life of the instance: a run of an earlier one has nothing left to close. */
function closer(instance: Instance, id: number, life = instance.life): () => void {
  return () => {
    if (life === instance.life) instance.call((bridge) => bridge.photoClose(id));
  };
}

/** Tells the caller of a stage; throws when the caller wants to stop. */
export function report(o: check.Watcher, stage: Stage, done: number, total: number): void {
  o.onStage?.(stage, done, total);
  o.signal?.throwIfAborted();
}

/** `task` is JSON. */
export function runPhoto(instance: Instance, file: unknown, task: string, options: PhotoOptions | undefined): Run {
  const bytes = check.bytes(file, 'file'), o = check.photoOptions(options);
  o.signal?.throwIfAborted();
  const run = new Run(instance, bytes, task, o);
  try {
    while (!run.done) report(o, run.step(), run.stages.length, run.total);
    return run;
  } catch (cause) {
    run.dispose();
    throw cause;
  }
}
