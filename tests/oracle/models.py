"""Operators of models from files, as ../../core/OPERATORS.md has them: i16 weights with a power of two, sums of bytes, quantized
and real numbers, reductions, instance normalisation. Fractions, rounded once."""
from functools import partial
from math import isqrt, prod

import operators
import oracle
import quantized
from oracle import *
from common import *

QUANTIZED = ('i8', 'u8', 'i16')


def half_up(x): return floor(x + Fraction(1, 2))
def half_even(x): return round(x)
def half_away(x): return half_up(abs(x)) * (1 if x >= 0 else -1)


def real(bits):
    """A finite binary32 above 0."""
    need(0 < bits < FLOAT['f32']['inf'], 'argument')
    e, f = bits >> 23, bits & 0x7fffff
    return Fraction(f | (0x800000 if e else 0)) * Fraction(2) ** (max(e, 1) - 150)


# ---- i16 weights -----------------------------------------------------------------------------------
def filters(op, w, p):
    """The weights of each output channel."""
    if op != 'conv_transpose2d' or p.get('layout', 'NHWC') == 'NHWC':
        n = prod(w.shape[1:])
        return [w.data[o * n:o * n + n] for o in range(w.shape[0])]
    (ci, per_out, kh, kw), g = w.shape, p.get('groups', 1)
    at = lambda i, o: w.data[(i * per_out + o) * kh * kw:(i * per_out + o + 1) * kh * kw]
    return [sum((at(i, o) for i in range(j * ci // g, (j + 1) * ci // g)), []) for j in range(g) for o in range(per_out)]


def w16(op, inputs, p):
    t, w, bias = inputs['in'], inputs['weights'], inputs.get('bias')
    need(t.dtype == 'q16' and w.dtype == 'i16' and (bias is None or bias.dtype == 'i64'), 'unsupported')
    activation(p)
    shifts = p.get('weight_shift', [])
    need(all(0 <= s <= 30 for s in shifts) and len(shifts) > 0, 'argument')
    shift = lambda o: shifts[o if len(shifts) > 1 else 0]
    rounded = lambda acc, o, bias: R(acc + (bias.data[o] if bias else 0), shift(o) if o < len(shifts) or len(shifts) == 1 else 0)
    out = dict(conv2d=oracle.conv2d, conv_transpose2d=operators.conv_transpose2d, fully_connected=operators.fully_connected)[op](t, w, bias, p, rounded)
    all_weights = filters(op, w, p)
    need(len(shifts) in (1, len(all_weights)), 'argument')
    for o, weights in enumerate(all_weights):
        largest = sum(map(abs, weights)) * 2 ** 31 + (abs(bias.data[o]) if bias else 0) + 2 ** shift(o) // 2
        need(largest < 2 ** 63, 'unsupported')
    return out


# ---- sums of bytes -----------------------------------------------------------------------------------
def reach(dtype, zeros): return max(abs(end - z) for end in bounds(dtype) for z in zeros)


def zeros_for(zeros, dtype, *counts):
    """As many as the last count, from one, or from any of the counts."""
    zeros = zeros or [0]
    for z in zeros: quantized.zero(z, dtype)
    need(len(zeros) in (1, *counts), 'argument')
    return zeros * (counts[-1] // len(zeros))


def fits(lines, t, zeros):
    """Whatever t holds, its sums with each of these lines fit 32 bits."""
    need(max((sum(map(abs, line)) for line in lines), default=0) * reach(t.dtype, zeros) < 2 ** 31, 'unsupported')


def bytes_only(a, b): need(a.dtype in ('i8', 'u8') and b.dtype in ('i8', 'u8'), 'unsupported')
def split_into(n, data): return [data[i:i + n] for i in range(0, len(data), n)]


def conv2d_integer(inputs, p):
    t, w, zx = inputs['in'], inputs['weights'], p.get('input_zero', 0)
    bytes_only(t, w)
    quantized.zero(zx, t.dtype)
    n = prod(w.shape[1:])
    zw = zeros_for(p.get('weight_zero'), w.dtype, w.shape[0])
    lines = [[x - z for x in line] for line, z in zip(split_into(n, w.data), zw)]
    out = oracle.conv2d(Tensor('i32', t.shape, [x - zx for x in t.data]), Tensor('i32', w.shape, sum(lines, [])), None, p, lambda acc, o, bias: acc)
    fits(lines, t, [zx])
    return Tensor('i32', out.shape, out.data)


def matmul_integer(inputs, p):
    a, b = inputs['in'], inputs['b']
    bytes_only(a, b)
    operators.products(a, b)
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    za = zeros_for(p.get('input_zero'), a.dtype, m, len(a.data) // k)
    zb = zeros_for(p.get('b_zero'), b.dtype, n, len(b.data) // k)
    rows = [x - z for line, z in zip(split_into(k, a.data), za) for x in line]
    columns = [x - zb[i // n // k * n + i % n] for i, x in enumerate(b.data)]
    shape, sums = operators.products(Tensor('i32', a.shape, rows), Tensor('i32', b.shape, columns))
    if sums: fits([matrix[j::n] for matrix in split_into(k * n, columns) for j in range(n)], a, za)
    return Tensor('i32', shape, sums)


# ---- quantized and real ------------------------------------------------------------------------------
def output_dtype(p):
    d = p.get('output_dtype', 'i8')
    need(d in QUANTIZED, 'unsupported')
    return d


def quantize(inputs, p):
    t, d, zero = inputs['in'], output_dtype(p), p.get('zero', 0)
    dtypes([t], ('q16',))
    scale = real(p.get('scale', 0x3f800000))
    quantized.zero(zero, d)
    need(p.get('ties', 'even') in ('even', 'away'), 'argument')
    nearest = half_even if p.get('ties', 'even') == 'even' else half_away
    return Tensor(d, t.shape, [sat(zero + nearest(x / (65536 * scale)), d) for x in t.data])


def dequantize(inputs, p):
    t, scales, zeros = inputs['in'], p.get('scale', []), p.get('zero') or [0]
    dtypes([t], QUANTIZED + ('i32',))
    n, axis = 1, None
    if max(len(scales), len(zeros)) > 1:
        axis = one_axis(p.get('axis', 0), len(t.shape))
        n = t.shape[axis]
    need(len(scales) in (1, n) and len(zeros) in (1, n), 'argument')
    for z in zeros: quantized.zero(z, t.dtype)
    scales = [real(s) for s in scales]
    pick = lambda values, i: values[i[axis] if len(values) > 1 else 0]
    return Tensor('q16', t.shape, [sat(half_up(65536 * pick(scales, i) * (x - pick(zeros, i)))) for i, x in zip(indices(t.shape), t.data)])


def requantize(inputs, p):
    t, d = inputs['in'], output_dtype(p)
    dtypes([t], QUANTIZED)
    quantized.zero(p.get('input_zero', 0), t.dtype)
    quantized.zero(p.get('output_zero', 0), d)
    quantized.quant(dict(p, input_zero=0, output_zero=0), 1, 'i16' if 'i16' in (t.dtype, d) else d, 'i8')
    return Tensor(d, t.shape, [sat(p.get('output_zero', 0) + quantized.requant(x - p.get('input_zero', 0), 0, p, False), d) for x in t.data])


# ---- reductions --------------------------------------------------------------------------------------
def reduced(t, p, fold, dtype, may_be_empty=False):
    """fold makes an output of each list of elements."""
    rank = len(t.shape)
    axes = [one_axis(a, rank) for a in p.get('axes') or range(rank)]
    need(len(set(axes)) == len(axes), 'argument')
    need(may_be_empty or all(t.shape[a] > 0 for a in axes), 'shape')
    kept = [1 if a in axes else n for a, n in enumerate(t.shape)]
    runs = {i: [] for i in indices(kept)}
    for i, x in zip(indices(t.shape), t.data): runs[tuple(0 if a in axes else k for a, k in enumerate(i))].append(x)
    shape = kept if p.get('keepdims', True) else [n for a, n in enumerate(t.shape) if a not in axes]
    return Tensor(dtype, shape, [fold(run) for run in runs.values()])


FOLDS = dict(reduce_sum=lambda run: sat(sum(run)), reduce_mean=lambda run: Rdiv(sum(run), len(run)), reduce_max=max, reduce_min=min)


def reduce(op, inputs, p):
    dtypes([inputs['in']], ('q16',))
    return reduced(inputs['in'], p, FOLDS[op], 'q16', op == 'reduce_sum')


def q_mean(inputs, p):
    t = inputs['in']
    dtypes([t], QUANTIZED)
    activation(p)
    quantized.quant(p, 1, t.dtype, 'i8')
    zx, zy = p.get('input_zero', 0), p.get('output_zero', 0)
    return reduced(t, p, lambda run: clamp(zy + quantized.requant(sum(x - zx for x in run), 0, p, False), p, t.dtype), t.dtype)


# ---- instance normalisation --------------------------------------------------------------------------
def root_quotient(a, v):
    """floor(a / sqrt(v))"""
    size = isqrt(a * a // v)
    return size if a >= 0 else -size - (size * size * v != a * a)


def instance_norm(inputs, p):
    t, scale, bias = inputs['in'], inputs['scale'], inputs['bias']
    dtypes([t, scale, bias], ('q16',))
    need(p.get('epsilon', 0) >= 0, 'argument')
    need(len(t.shape) >= 3, 'shape')
    channel = 1 if p.get('layout', 'NHWC') == 'NCHW' else len(t.shape) - 1
    n = prod(t.shape[2:] if channel == 1 else t.shape[1:-1])
    need(n > 0, 'shape')
    need(scale.shape == bias.shape == (t.shape[channel],), 'shape')
    runs = {}
    for i, x in zip(indices(t.shape), t.data): runs.setdefault((i[0], i[channel]), []).append(x)
    out = []
    for i, x in zip(indices(t.shape), t.data):
        run, c = runs[i[0], i[channel]], i[channel]
        s = sum(run)
        v = n * sum(y * y for y in run) - s * s + p.get('epsilon', 0) * n * n
        # scale * (n x - s) / sqrt(v) + bias, plus a half: floor(2 * that) + 1, halved.
        y = 0 if v == 0 else (root_quotient(2 * scale.data[c] * (n * x - s), v) + 1) // 2
        out.append(sat(y + bias.data[c]))
    return Tensor('q16', t.shape, out)


OPERATORS = dict(conv2d_integer=conv2d_integer, matmul_integer=matmul_integer, quantize=quantize, dequantize=dequantize, requantize=requantize, q_mean=q_mean, instance_norm=instance_norm,
                 **{op + '_w16': partial(w16, op) for op in ('conv2d', 'conv_transpose2d', 'fully_connected')},
                 **{op: partial(reduce, op) for op in FOLDS})
