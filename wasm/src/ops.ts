import * as check from './checks.js';
import { BitexactError, unwrap } from './errors.js';
import type { Instance } from './instance.js';
import type { OperatorName, Ops } from './op_types.js';
import { tensorFrom, tensorOf, typeOf } from './tensors.js';
import type { TensorBytes } from './tensors.js';
import type { Tensor, TensorType } from './types.js';

const names: readonly OperatorName[] = [
  'conv2d', 'conv_transpose2d', 'max_pool2d', 'avg_pool2d', 'max_pool_ext2', 'q_conv2d', 'q_fully_connected',
  'fully_connected', 'matmul', 'batch_norm', 'relu', 'clamp', 'leaky_relu', 'prelu', 'hard_sigmoid', 'hard_swish', 'exp',
  'sigmoid', 'tanh', 'softmax', 'add', 'sub', 'mul', 'div', 'maximum', 'minimum', 'q_add', 'q_mul', 'q_softmax', 'q_sigmoid',
  'q_tanh', 'concat', 'pad', 'transpose', 'reshape', 'slice', 'resize', 'depth_to_space', 'argmax', 'argmin', 'conv2d_w16',
  'conv_transpose2d_w16', 'fully_connected_w16', 'quantize', 'dequantize', 'requantize', 'q_mean', 'reduce_sum',
  'reduce_mean', 'reduce_max', 'reduce_min', 'abs', 'neg', 'expand', 'space_to_depth', 'instance_norm',
  'conv2d_integer', 'matmul_integer',
];

/** A call of an operator as the bridge takes it. */
export interface OperatorCall {
  readonly name: string;
  /** JSON */
  readonly attributes: string;
  readonly inputs: readonly TensorBytes[];
  readonly reference: boolean;
}

function operatorCall(name: OperatorName, inputs: unknown, attributes: unknown, o: unknown): OperatorCall {
  return {
    name,
    inputs: named(inputs).map(([key, tensor]) => tensorOf(tensor, key)),
    attributes: check.attributes(attributes),
    reference: check.flag(check.options(o as { reference?: boolean }).reference, 'reference'),
  };
}

/** Inputs that may be left out may be undefined or null, too. */
function named(inputs: unknown): [string, unknown][] {
  return Object.entries(check.object(inputs, 'inputs')).filter(([, input]) => input !== undefined && input !== null);
}

/** The methods, which check their arguments and hand them to `run`; that is also told when the arguments are wrong. */
export function makeOps<R>(run: (call: () => OperatorCall) => R): Readonly<Record<OperatorName, (...args: unknown[]) => R>> {
  const methods = names.map((name) =>
    [name, (inputs: unknown, attributes?: unknown, o?: unknown) => run(() => operatorCall(name, inputs, attributes, o))] as const);
  return Object.fromEntries(methods) as ReturnType<typeof makeOps<R>>;
}

export function runOperator(instance: Instance, { name, attributes, inputs, reference }: OperatorCall): Tensor {
  return tensorFrom(unwrap(instance.call((bridge) => bridge.operator(name, attributes, inputs, reference))));
}

export function inferShape(instance: Instance, name: unknown, inputs: unknown, attributes: unknown): TensorType {
  if (typeof name !== 'string') throw new BitexactError('argument', `operator: expected its name, got ${String(name)}`);
  const types = named(inputs).map(([key, type]) => typeOf(type, key, -2)), text = check.attributes(attributes);
  return unwrap(instance.call((bridge) => bridge.inferShape(name, text, types)));
}

export function localOps(instance: Instance): Ops {
  return makeOps((call) => runOperator(instance, call())) as unknown as Ops;
}
