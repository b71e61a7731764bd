import * as check from './checks.js';
import { unwrap } from './errors.js';
import type { Instance } from './instance.js';
import type { Fx, Matrix } from './types.js';

type Named<T> = Readonly<Record<string, T>>;

export function makeFx(instance: Instance): Fx {
  /** Matrices and parameters stand in the order of the C function; their keys are their names in errors. */
  function run(name: string, matrices: Named<Matrix>, parameters: readonly number[] = []): Matrix {
    const inputs = Object.entries(matrices).map(([key, m]) => check.matrix(m, key));
    const { rows, cols, data } = unwrap(instance.call((bridge) => bridge.fx(name, inputs, parameters)));
    return { rows, cols, data: new Int32Array(data.buffer) };
  }
  const sizes = (named: Named<number>) => Object.entries(named).map(([key, n]) => check.integer(n, key, 0, 65535));

  return {
    conv2d: (input, kernel) => run('fx_conv2d', { input, kernel }),
    maxpool2x2: (input) => run('fx_maxpool_2x2', { input }),
    avgpool2x2: (input) => run('fx_avgpool_2x2', { input }),
    maxpoolGeneric: (input, poolH, poolW) => run('fx_maxpool_generic', { input }, sizes({ poolH, poolW })),
    maxpoolStride: (input, poolSize, stride) => run('fx_maxpool_stride', { input }, sizes({ poolSize, stride })),
    padZeros: (input, rows, cols) => run('fx_pad_zeros', { input }, sizes({ rows, cols })),
    relu: (input) => run('fx_relu', { input }),
    leakyRelu: (input, alpha) =>
      run('fx_leaky_relu', { input }, [check.integer(alpha, 'alpha', check.int32.min, check.int32.max)]),
    addBias: (input, bias) => run('fx_matrix_add_bias', { input, bias }),
    mul: (a, b) => run('fx_matrix_mul', { a, b }),
    add: (a, b) => run('fx_matrix_add', { a, b }),
  };
}
