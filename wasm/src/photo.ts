import * as check from './checks.js';
import type { Bridge } from './bridge.js';
import { closeWhenUnreachable, disposeSymbol } from './disposal.js';
import { BitexactError, unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import type { Instance } from './instance.js';
import type { PhotoOptions, PhotoRun, PhotoTask, Preview, Receipt, Stage } from './types.js';

/** A run at work: `step` until `done`, then `receipt` is there. */
export class Run implements PhotoRun {
  readonly stages: Stage[] = [];
  receipt!: Receipt;
  readonly total: number;
  readonly #instance: Instance;
  readonly #life: number;
  readonly #id: number;

  constructor(instance: Instance, file: Uint8Array, task: PhotoTask, o: PhotoOptions) {
    const bytes = check.bytes(file, 'file'), json = check.json(task, 'task'), limits = check.limits(o.limits);
    const opened = unwrap(instance.call((bridge) => bridge.photoOpen(bytes, json, ...limits, o.reference === true)));
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
    const stage = this.#call((bridge, id) => bridge.photoStep(id));
    this.stages.push(stage);
    if (this.done) this.receipt = JSON.parse(this.#call((bridge, id) => bridge.photoReceipt(id))) as Receipt;
    return stage;
  }

  window(stage: number, plane: number, y: number, x: number, height: number, width: number): Int32Array {
    const { min, max } = check.int32;
    const rectangle = [
      check.integer(plane, 'plane', 0, max), check.integer(y, 'y', min, max), check.integer(x, 'x', min, max),
      check.integer(height, 'height', 0, max), check.integer(width, 'width', 0, max),
    ];
    const bytes = this.#call((bridge, id) => bridge.photoWindow(id, this.#stage(stage), rectangle));
    return new Int32Array(bytes.buffer);
  }

  preview(stage: number, maxWidth: number, maxHeight: number, o: { magnitude?: boolean } = {}): Preview {
    const w = check.integer(maxWidth, 'maxWidth', 1, check.int32.max);
    const h = check.integer(maxHeight, 'maxHeight', 1, check.int32.max);
    const { width, height, data } = this.#call((bridge, id) =>
      bridge.photoPreview(id, this.#stage(stage), w, h, o.magnitude === true));
    return { width, height, rgba: new Uint8ClampedArray(data.buffer) };
  }

  dump(stage: number): Uint8Array {
    return this.#call((bridge, id) => bridge.photoDump(id, this.#stage(stage)));
  }

  png(stage: number, o: { magnitude?: boolean } = {}): Uint8Array {
    return this.#call((bridge, id) => bridge.photoPng(id, this.#stage(stage), o.magnitude === true));
  }

  dispose(): void {
    closeWhenUnreachable.unregister(this);
    closer(this.#instance, this.#id, this.#life)();
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  #stage(index: number): number {
    return check.integer(index, 'stage', 0, check.int32.max);
  }

  #call<T>(use: (bridge: Bridge, id: number) => Outcome<T>): T {
    if (this.#life !== this.#instance.life) {
      throw new BitexactError('internal', 'this run was lost when the engine failed and was restarted');
    }
    return unwrap(this.#instance.call((bridge) => use(bridge, this.#id)));
  }
}

/** Numbers start again with every life of the instance: a run of an earlier one has nothing left to close. */
function closer(instance: Instance, id: number, life = instance.life): () => void {
  return () => {
    if (life === instance.life) instance.call((bridge) => bridge.photoClose(id));
  };
}

/** Tells the caller of a stage; throws when the caller wants to stop. */
export function report(o: PhotoOptions, stage: Stage, done: number, total: number): void {
  o.onStage?.(stage, done, total);
  o.signal?.throwIfAborted();
}

export function runPhoto(instance: Instance, file: Uint8Array, task: PhotoTask, o: PhotoOptions): Run {
  o.signal?.throwIfAborted();
  const run = new Run(instance, file, task, o);
  try {
    while (!run.done) report(o, run.step(), run.stages.length, run.total);
    return run;
  } catch (cause) {
    run.dispose();
    throw cause;
  }
}
