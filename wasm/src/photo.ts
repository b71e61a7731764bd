import * as check from './checks.js';
import { disposeSymbol } from './disposal.js';
import { unwrap } from './errors.js';
import { Held, frozen } from './held.js';
import type { Instance } from './instance.js';
import { finish } from './stepping.js';
import type { Stepping } from './stepping.js';
import type { PhotoOptions, PhotoRun, Preview, Receipt, Stage } from './types.js';

/** A run at work: when all steps are taken, `receipt` is there. */
export class Run implements PhotoRun, Stepping<Stage> {
  readonly stages: Stage[] = [];
  receipt!: Receipt;
  readonly total: number;
  readonly #held: Held;

  /** Everything is as checks.ts leaves it; `task` is JSON. */
  constructor(instance: Instance, file: Uint8Array, task: string, { limits, reference }: check.RunOptions) {
    const opened = unwrap(instance.call((bridge) => bridge.photoOpen(file, task, ...limits, reference)));
    this.#held = new Held(this, instance, opened.id, 'run', 'photoClose');
    this.total = opened.total;
  }

  get taken(): number {
    return this.stages.length;
  }

  step(): Stage {
    const stage = frozen(this.#held.call((bridge, id) => bridge.photoStep(id)));
    this.stages.push(stage);
    if (this.taken === this.total) {
      this.receipt = frozen(JSON.parse(this.#held.call((bridge, id) => bridge.photoReceipt(id))) as Receipt);
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
    const bytes = this.#held.call((bridge, id) => bridge.photoWindow(id, at, rectangle));
    return new Int32Array(bytes.buffer);
  }

  preview(stage: number, maxWidth: number, maxHeight: number, o?: { magnitude?: boolean }): Preview {
    const at = stageIndex(stage), magnitude = check.flag(check.options(o).magnitude, 'magnitude');
    const w = check.integer(maxWidth, 'maxWidth', 1, check.int32.max);
    const h = check.integer(maxHeight, 'maxHeight', 1, check.int32.max);
    const { width, height, data } = this.#held.call((bridge, id) => bridge.photoPreview(id, at, w, h, magnitude));
    return { width, height, rgba: new Uint8ClampedArray(data.buffer) };
  }

  dump(stage: number): Uint8Array {
    const at = stageIndex(stage);
    return this.#held.call((bridge, id) => bridge.photoDump(id, at));
  }

  png(stage: number, o?: { magnitude?: boolean }): Uint8Array {
    const at = stageIndex(stage), magnitude = check.flag(check.options(o).magnitude, 'magnitude');
    return this.#held.call((bridge, id) => bridge.photoPng(id, at, magnitude));
  }

  dispose(): void {
    this.#held.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

function stageIndex(value: unknown): number {
  return check.integer(value, 'stage', 0, check.int32.max);
}

/** `task` is JSON. */
export function runPhoto(instance: Instance, file: unknown, task: string, options: PhotoOptions | undefined): Run {
  const bytes = check.bytes(file, 'file'), o = check.photoOptions(options);
  return finish(() => new Run(instance, bytes, task, o), o.watcher);
}
