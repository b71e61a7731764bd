// Just enough of ONNX's protobuf to make small models.

type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(n: number): number[] {
  return n > 127 ? [(n & 127) | 128, ...varint(Math.floor(n / 128))] : [n];
}

export function message(...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(fields.flatMap(([number, value]) => {
    if (typeof value === 'number') return [...varint(number * 8), ...varint(value)];
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
  }));
}

const float = 1;

/** Of floats; their bytes lie in a file of their own when that has a name. */
export function constant(name: string, shape: readonly number[], floats: readonly number[], external?: string): Field {
  const dims = shape.map((d): Field => [1, d]), raw = new Uint8Array(Float32Array.from(floats).buffer);
  const data: readonly Field[] = external ? [[13, message([1, 'location'], [2, external])], [14, 1]] : [[9, raw]];
  return [5, message(...dims, [2, float], [8, name], ...data)];
}

export function node(op: string, inputs: readonly (string | Uint8Array)[], output: string | Uint8Array): Field {
  return [1, message(...inputs.map((name): Field => [1, name]), [2, output], [3, `the ${op}`], [4, op])];
}

/** Input x and output y are floats of this shape; a dimension with a name is open. */
export function onnx(shape: readonly (number | string)[], ...parts: readonly Field[]): Uint8Array<ArrayBuffer> {
  const dims = message(...shape.map((d): Field => [1, message([typeof d === 'string' ? 2 : 1, d])]));
  const value = (name: string) => message([1, name], [2, message([1, message([1, float], [2, dims])])]);
  return message([1, 8], [7, message(...parts, [11, value('x')], [12, value('y')])], [8, message([1, ''], [2, 13])]);
}
