// What the vectors' ops are called in the public SDK.
import type { OperatorName } from '../src/op_types.js';
import type { Engine, Fx, Image, Matrix, Remote, Tensor, TensorType } from '../src/types.js';
import type { VectorCase } from './vector_data.js';

type Params = Readonly<Record<string, unknown>>;
type Inputs = Readonly<Record<string, Tensor>>;
type FxOp = (fx: Fx | Remote<Fx>, inputs: Readonly<Record<string, Matrix>>, params: Readonly<Record<string, number>>) => Matrix | Promise<Matrix>;
type ImageOp = (engine: Engine | Remote<Engine>, image: Image, params: Params) => Image | Tensor | Promise<Image | Tensor>;

const fxOps: Readonly<Record<string, FxOp>> = {
  fx_conv2d: (fx, { in: x, kernel }) => fx.conv2d(x!, kernel!),
  fx_maxpool_2x2: (fx, { in: x }) => fx.maxpool2x2(x!),
  fx_avgpool_2x2: (fx, { in: x }) => fx.avgpool2x2(x!),
  fx_maxpool_generic: (fx, { in: x }, p) => fx.maxpoolGeneric(x!, p['pool_h']!, p['pool_w']!),
  fx_maxpool_stride: (fx, { in: x }, p) => fx.maxpoolStride(x!, p['pool_size']!, p['stride']!),
  fx_pad_zeros: (fx, { in: x }, p) => fx.padZeros(x!, p['rows']!, p['cols']!),
  fx_relu: (fx, { in: x }) => fx.relu(x!),
  fx_leaky_relu: (fx, { in: x }, p) => fx.leakyRelu(x!, p['alpha']!),
  fx_matrix_add_bias: (fx, { in: x, bias }) => fx.addBias(x!, bias!),
  fx_matrix_mul: (fx, { in: x, b }) => fx.mul(x!, b!),
  fx_matrix_add: (fx, { in: x, b }) => fx.add(x!, b!),
};

const imageOps: Readonly<Record<string, ImageOp>> = {
  image_luma: (engine, image) => engine.luma(image),
  image_resize: (engine, image, p) => engine.resize(image, p as unknown as Parameters<Engine['resize']>[1]),
  image_to_q16: (engine, image, p) => engine.imageToQ16(image, p),
};

/** Cases of infer_shape give shapes in the operator's order, without names. */
function inputNames(op: string): (i: number) => string | undefined {
  const names: Readonly<Record<string, readonly string[]>> = { batch_norm: ['in', 'scale', 'bias'], prelu: ['in', 'slope'] };
  if (op === 'concat') return (i) => `in${i}`;
  const binary = /^(q_)?(add|sub|mul|div|maximum|minimum|matmul(_integer)?)$/.test(op), weighted = /conv|fully_connected/.test(op);
  const list = names[op] ?? (binary ? ['in', 'b'] : weighted ? ['in', 'weights', 'bias'] : ['in']);
  return (i) => list[i];
}

type InferShape = (op: string, inputs: Readonly<Record<string, unknown>>, attributes: unknown) => TensorType | Promise<TensorType>;

function inferShape(infer: InferShape, { op, params }: VectorCase): TensorType | Promise<TensorType> {
  if (op !== 'infer_shape') {
    const { shape, dtype = 'q16', ...attributes } = params;
    return infer(op === 'infer_pool_shape' ? 'max_pool2d' : 'max_pool_ext2', { in: { dtype, shape } }, attributes);
  }
  const { op: name, shapes, dtypes, attributes } = params as { op: string; shapes: unknown[]; dtypes?: string[]; attributes?: unknown };
  const nameOf = inputNames(name);
  const inputs = shapes.map((shape, i) => [nameOf(i) ?? `input${i}`, { dtype: dtypes?.[i] ?? 'q16', shape }]);
  return infer(name, Object.fromEntries(inputs), attributes);
}

function toMatrix({ shape: [rows, cols], data }: Tensor): Matrix {
  return { rows: rows!, cols: cols!, data: data as Int32Array };
}

function toImage({ dtype, shape: [height, width, channels], data }: Tensor): Image {
  const rest = { format: 'png', orientation: 1, colorProfileIgnored: false } as const;
  const bits = dtype === 'u16' ? 16 : 8;
  return { width: width!, height: height!, channels: channels as Image['channels'], bits, data: data as Uint8Array, ...rest };
}

function fromImage({ width, height, channels, bits, data }: Image): Tensor {
  return { dtype: bits === 16 ? 'u16' : 'u8', shape: [height, width, channels], data };
}

async function computeFx(fx: Fx | Remote<Fx>, { op, params }: VectorCase, inputs: Inputs): Promise<Tensor> {
  const matrices = Object.fromEntries(Object.entries(inputs).map(([key, t]) => [key, toMatrix(t)]));
  const { rows, cols, data } = await fxOps[op]!(fx, matrices, params as Record<string, number>);
  return { dtype: 'q16', shape: [rows, cols], data };
}

/** A tensor, or only the type of one. */
export async function compute(engine: Engine | Remote<Engine>, c: VectorCase, inputs: Inputs, reference: boolean): Promise<Tensor | TensorType> {
  if (c.op in fxOps) return computeFx(engine.fx, c, inputs);
  if (c.op in imageOps) {
    const result = await imageOps[c.op]!(engine, toImage(inputs['in']!), c.params);
    return 'dtype' in result ? result : fromImage(result);
  }
  if (c.op.endsWith('_shape')) return inferShape(engine.inferShape as unknown as InferShape, c);
  const run = engine.ops[c.op as OperatorName] as unknown as (...args: unknown[]) => Tensor | Promise<Tensor>;
  if (!run) throw new Error(`unknown op ${c.op}`);
  return run(inputs, c.params, { reference });
}
