import type { BridgeInfo } from './bridge.js';
import * as check from './checks.js';
import { BitexactError, unwrap } from './errors.js';
import { makeFx } from './fx.js';
import { makeImages } from './images.js';
import type { Instance } from './instance.js';
import { LoadedModel, inspectModel, isModelReceipt, verifyModel } from './model.js';
import { loadOptions } from './model_checks.js';
import { inferShape, localOps } from './ops.js';
import { runPhoto } from './photo.js';
import type { Bytes, Engine, Verdict, VerifyOptions } from './types.js';

export function createEngine(instance: Instance): Engine {
  const facts = instance.call((bridge) => bridge.info());
  return {
    ...facts,
    kernels: toMatrices(facts.kernels),
    fx: makeFx(instance),
    ops: localOps(instance),
    inferShape: (...[name, inputs, attributes]) => inferShape(instance, name, inputs, attributes),
    ...makeImages(instance),
    toQ16: (x) => toQ16(instance, x),
    sha256(bytes) {
      const checked = check.bytes(bytes, 'bytes');
      return unwrap(instance.call((bridge) => bridge.sha256(checked)));
    },
    photo: (file, task, o) => runPhoto(instance, file, check.json(task, 'task'), o),
    load: (model, o) => new LoadedModel(instance, check.bytes(model, 'model'), loadOptions(o)),
    inspect: (model, o) => inspectModel(instance, check.bytes(model, 'model'), loadOptions(o)),
    verify(receipt, files, o) {
      const text = check.receipt(receipt, 'receipt');
      if (isModelReceipt(instance, text)) return verifyModel(instance, text, files, check.photoOptions(o));
      return verifyPhoto(instance, text, files as Bytes, o);
    },
    compare: (expected, got) => compare(instance, expected, got),
  };
}

function verifyPhoto(instance: Instance, receipt: string, file: Bytes, o: VerifyOptions | undefined): Verdict {
  const run = runPhoto(instance, file, receiptTask(instance, receipt), o);
  try {
    return compare(instance, receipt, run.receipt);
  } finally {
    run.dispose();
  }
}

function compare(instance: Instance, expected: unknown, got: unknown): Verdict {
  const [a, b] = [check.receipt(expected, 'expected'), check.receipt(got, 'got')];
  return unwrap(instance.call((bridge) => bridge.compare(a, b)));
}

function toQ16(instance: Instance, x: unknown): number {
  if (typeof x !== 'number' || Number.isNaN(x)) throw new BitexactError('argument', `x: expected a number, got ${String(x)}`);
  return instance.call((bridge) => bridge.toQ16(x));
}

/** The JSON of the task that a receipt is about. */
export function receiptTask(instance: Instance, receipt: unknown): string {
  const text = check.receipt(receipt, 'receipt');
  return unwrap(instance.call((bridge) => bridge.receiptTask(text)));
}

function toMatrices(kernels: BridgeInfo['kernels']): Engine['kernels'] {
  const entries = Object.entries(kernels).map(([name, { rows, cols, data }]) =>
    [name, { rows, cols, data: Int32Array.from(data) }] as const);
  return Object.fromEntries(entries) as Engine['kernels'];
}
