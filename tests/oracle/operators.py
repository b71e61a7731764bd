"""The operators of ../../core/OPERATORS.md that oracle.py lacks: Python integers and Fraction, no speed."""
from itertools import product
from math import ceil, floor, prod

import models
import oracle
import quantized
from oracle import *
from common import *

ONE = 65536
INTEGERS = ('i8', 'u8', 'i16', 'u16', 'i32', 'i64')


# ---- products ----------------------------------------------------------------------------------
def uncut(n, k, s, d, pad, output_padding, size):
    """(output size, elements of the full output cut off before it) of a transposed convolution's axis."""
    need(k >= 1 and s >= 1 and d >= 1 and 0 <= output_padding < max(s, d), 'argument')
    need(pad in ('VALID', 'SAME_UPPER', 'SAME_LOWER') if isinstance(pad, str) else min(pad) >= 0, 'argument')
    if n == -1: return (size or -1), 0
    need(n > 0, 'shape')
    full = (n - 1) * s + (k - 1) * d + 1 + output_padding
    if isinstance(pad, tuple): out, before = size or full - sum(pad), pad[0]
    elif pad == 'VALID' and not size: out, before = full, 0
    else:
        out = size or n * s
        total = max(0, full - out)
        before = total - total // 2 if pad == 'SAME_LOWER' else total // 2
    need(out >= 1, 'shape')
    return out, before


def uncut2(h, w, kernel, p):
    pad, size = p.get('pad', 'VALID'), p.get('output_size', (0, 0))
    (sh, sw), (dh, dw), (oph, opw) = (p.get(k, d) for k, d in (('stride', (1, 1)), ('dilation', (1, 1)), ('output_padding', (0, 0))))
    need(isinstance(pad, str) or len(pad) == 4, 'argument')
    need(min(size) > 0 or max(size) == min(size) == 0, 'argument')
    py, px = (pad, pad) if isinstance(pad, str) else ((pad[0], pad[2]), (pad[1], pad[3]))
    return uncut(h, kernel[0], sh, dh, py, oph, size[0]), uncut(w, kernel[1], sw, dw, px, opw, size[1])


def conv_transpose2d(t, w, bias, p, rounded=round_q16):
    activation(p)
    layout, g = p.get('layout', 'NHWC'), p.get('groups', 1)
    v, wv = View(t, layout), View(w, layout)
    need(g >= 1, 'argument')
    nhwc = layout == 'NHWC'
    outputs, inputs = (wv.n, wv.c * g) if nhwc else (wv.c * g, wv.n)
    need(v.c > 0 and outputs > 0 and inputs == v.c and v.c % g == 0 and outputs % g == 0, 'shape')
    need(min(wv.h, wv.w) > 0, 'shape')
    need(bias is None or bias.shape == (outputs,), 'shape')
    (oh, top), (ow, left) = uncut2(v.h, v.w, (wv.h, wv.w), p)
    (sh, sw), (dh, dw) = p.get('stride', (1, 1)), p.get('dilation', (1, 1))
    per_in, per_out = v.c // g, outputs // g

    def one(n, o, y, x):
        acc = 0
        for ky, kx in product(range(wv.h), range(wv.w)):
            (iy, rest_y), (ix, rest_x) = divmod(y + top - ky * dh, sh), divmod(x + left - kx * dw, sw)
            if rest_y or rest_x or not (0 <= iy < v.h and 0 <= ix < v.w): continue
            for c in range(per_in):
                ic = o // per_out * per_in + c
                acc += v.at(n, ic, iy, ix) * (wv.at(o, c, ky, kx) if nhwc else wv.at(ic, o % per_out, ky, kx))
        return clamp(sat(rounded(acc, o, bias)), p, 'q16')
    return build('q16', layout, v.n, outputs, oh, ow, one)


def fully_connected(t, w, bias, p, rounded=round_q16):
    activation(p)
    need(len(t.shape) == len(w.shape) == 2 and t.shape[1] == w.shape[1] and min(w.shape) > 0, 'shape')
    (n, k), m = t.shape, w.shape[0]
    need(bias is None or bias.shape == (m,), 'shape')
    return Tensor('q16', (n, m), [clamp(sat(rounded(sum(t.data[i * k + c] * w.data[o * k + c] for c in range(k)), o, bias)), p, 'q16')
                                  for i in range(n) for o in range(m)])


def products(a, b):
    """The shape of a product of matrices, and its sums."""
    need(len(a.shape) >= 2 and len(b.shape) >= 2 and a.shape[-1] == b.shape[-2], 'shape')
    need(min(a.shape[-2:] + b.shape[-2:]) > 0, 'shape')
    lead = broadcast(a.shape[:-2], b.shape[:-2])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    x, y = stretch(a, lead + (m, k)).data, stretch(b, lead + (k, n)).data
    return lead + (m, n), [sum(x[(l * m + i) * k + c] * y[(l * k + c) * n + j] for c in range(k))
                           for l in range(prod(lead)) for i in range(m) for j in range(n)]


def matmul(a, b, p):
    dtypes([a, b], ('q16',))
    shape, sums = products(a, b)
    return Tensor('q16', shape, [sat(R(s, 16)) for s in sums])


def batch_norm(t, scale, bias, p):
    dtypes([t, scale, bias], ('q16',))
    axis = one_axis(p.get('axis', -1), len(t.shape))
    need(scale.shape == bias.shape == (t.shape[axis],), 'shape')
    return Tensor('q16', t.shape, [sat(R(x * scale.data[i[axis]] + (bias.data[i[axis]] << 16), 16))
                                   for i, x in zip(indices(t.shape), t.data)])


# ---- each element alone --------------------------------------------------------------------------
def hard_sigmoid(x, p): return min(max(R(p.get('alpha', 13107) * x + p.get('beta', 32768) * ONE, 16), 0), ONE)
def hard_swish(x, p): return sat(Rdiv(x * min(max(x + 3 * ONE, 0), 6 * ONE), 6 * ONE))


UNARY = dict(abs=lambda x, p: sat(abs(x)), neg=lambda x, p: sat(-x), relu=lambda x, p: max(0, x), hard_sigmoid=hard_sigmoid, hard_swish=hard_swish,
             leaky_relu=lambda x, p: x if x >= 0 else fixed_mul(x, p.get('alpha', 0)))
BINARY = dict(add=lambda a, b: sat(a + b), sub=lambda a, b: sat(a - b), mul=fixed_mul, div=fixed_div, maximum=max, minimum=min)


def unary(op, t, p):
    dtypes([t], ('q16',))
    return Tensor('q16', t.shape, [UNARY[op](x, p) for x in t.data])


def clamp_op(t, p):
    dtypes([t], ('q16',) + INTEGERS)
    activation(p)
    return Tensor(t.dtype, t.shape, [clamp(x, p, t.dtype) for x in t.data])


def binary(op, a, b, p):
    dtypes([a, b], ('q16',) + (INTEGERS if op in ('maximum', 'minimum') else ()))
    activation(p)
    shape = broadcast(a.shape, b.shape)
    return Tensor(a.dtype, shape, [clamp(BINARY[op](x, y), p, a.dtype)
                                   for x, y in zip(stretch(a, shape).data, stretch(b, shape).data)])


def prelu(t, slope, p):
    dtypes([t, slope], ('q16',))
    need(broadcast(t.shape, slope.shape) == t.shape, 'shape')
    return Tensor('q16', t.shape, [x if x >= 0 else fixed_mul(x, s) for x, s in zip(t.data, stretch(slope, t.shape).data)])


def softmax(t, p):
    dtypes([t], ('q16',))
    axis = one_axis(p.get('axis', -1), len(t.shape))
    n, step = t.shape[axis], prod(t.shape[axis + 1:])
    need(n > 0, 'shape')
    dtype = p.get('output_dtype', 'q16')
    need(dtype in ('q16', 'i8', 'u8'), 'unsupported')
    out = [0] * len(t.data)
    for start in (o * n * step + i for o in range(prod(t.shape[:axis])) for i in range(step)):
        run = t.data[start:start + n * step:step]
        # ARITHMETIC 7, xnnpack: zero + Rdiv(E 256, sum of E)
        out[start:start + n * step:step] = softmax_q16(run) if dtype == 'q16' else [sat(bounds(dtype)[0] + y, dtype) for y in softmax_q16(run, 256)]
    return Tensor(dtype, t.shape, out)


# ---- moving elements -------------------------------------------------------------------------------
def concat(ts, p):
    need(len(ts) > 0, 'argument')
    dtypes(ts, WIDTH)
    rank = len(ts[0].shape)
    axis = one_axis(p.get('axis', 0), rank)
    need(all(len(t.shape) == rank and all(t.shape[d] == ts[0].shape[d] for d in range(rank) if d != axis) for t in ts), 'shape')
    out = []
    for o in range(prod(ts[0].shape[:axis])):
        for t in ts:
            n = prod(t.shape[axis:])
            out += t.data[o * n:o * n + n]
    shape = list(ts[0].shape)
    shape[axis] = sum(t.shape[axis] for t in ts)
    return Tensor(ts[0].dtype, shape, out)


def pad(t, p):
    rank, pads, mode, value = len(t.shape), p.get('pads', []), p.get('mode', 'constant'), p.get('value', 0)
    need(len(pads) == 2 * rank and all(x >= 0 for x in pads) and mode in ('constant', 'edge', 'reflect'), 'argument')
    before, after = pads[:rank], pads[rank:]
    if mode == 'constant': need(bounds(t.dtype)[0] <= value <= bounds(t.dtype)[1], 'argument')
    if mode == 'reflect': need(all(max(b, a) < n for b, a, n in zip(before, after, t.shape)), 'argument')
    if mode == 'edge': need(all(n or not b + a for b, a, n in zip(before, after, t.shape)), 'shape')
    s = strides(t.shape)

    def one(i):
        at = [x - b for x, b in zip(i, before)]
        if mode == 'edge': at = [min(max(x, 0), n - 1) for x, n in zip(at, t.shape)]
        if mode == 'reflect': at = [n - 1 - abs(n - 1 - abs(x)) for x, n in zip(at, t.shape)]
        return t.data[sum(a * b for a, b in zip(at, s))] if all(0 <= x < n for x, n in zip(at, t.shape)) else value
    shape = [n + b + a for n, b, a in zip(t.shape, before, after)]
    return Tensor(t.dtype, shape, [one(i) for i in indices(shape)])


def permutation(rank, p):
    perm = p.get('perm') or list(range(rank))[::-1]
    need(sorted(perm) == list(range(rank)), 'argument')
    return perm


def transpose(t, p):
    perm = permutation(len(t.shape), p)
    return gather(t, [t.shape[a] for a in perm], lambda i: [i[perm.index(a)] for a in range(len(perm))])


def reshape(t, p):
    shape = p.get('shape', [])
    need(len(shape) <= 6, 'unsupported')
    need(all(d >= -1 for d in shape) and list(shape).count(-1) < 2, 'argument')
    need(all(d != 0 or i < len(t.shape) for i, d in enumerate(shape)), 'argument')
    shape = [t.shape[i] if d == 0 else d for i, d in enumerate(shape)]
    if -1 in shape:
        rest = prod(d for d in shape if d != -1)
        need(rest > 0 and len(t.data) % rest == 0, 'shape')
        shape[shape.index(-1)] = len(t.data) // rest
    need(prod(shape) == len(t.data), 'shape')
    return Tensor(t.dtype, shape, t.data)


def ranges(shape, p):
    """The indices each axis keeps; None for an axis that is not sliced."""
    starts, ends, rank = p.get('starts', []), p.get('ends', []), len(shape)
    axes, steps = p.get('axes') or list(range(len(starts))), p.get('steps') or [1] * len(starts)
    need(len(starts) == len(ends) == len(axes) == len(steps) and 0 not in steps, 'argument')
    axes = [one_axis(a, rank) for a in axes]
    need(len(set(axes)) == len(axes), 'argument')
    kept = [None] * rank
    for a, start, end, step in zip(axes, starts, ends, steps):
        n = shape[a]
        start, end = (x + n if x < 0 else x for x in (start, end))
        lo, hi = (0, n) if step > 0 else (-1, n - 1)
        start, end = min(max(start, max(lo, 0)), hi), min(max(end, lo), hi)
        kept[a] = range(start, end, step)
    return kept


def slice_op(t, p):
    kept = [range(n) if r is None else r for r, n in zip(ranges(t.shape, p), t.shape)]
    return gather(t, [len(r) for r in kept], lambda i: [r[x] for r, x in zip(kept, i)])


def coordinate(i, n, m, how):
    if how == 'asymmetric': return Fraction(i * n, m)
    if how == 'align_corners': return Fraction(i * (n - 1), m - 1) if m > 1 else Fraction(0)
    if how == 'pytorch_half_pixel' and m == 1: return Fraction(0)
    return Fraction((2 * i + 1) * n, 2 * m) - Fraction(1, 2)


ROUNDING = dict(floor=floor, ceil=ceil, round_prefer_floor=lambda c: ceil(c - Fraction(1, 2)),
                round_prefer_ceil=lambda c: floor(c + Fraction(1, 2)))


def resize_size(p):
    size = p.get('size', (0, 0))
    need(min(size) >= 1 and p.get('mode', 'nearest') in ('nearest', 'bilinear'), 'argument')
    need(p.get('coordinates', 'half_pixel') in ('half_pixel', 'asymmetric', 'align_corners', 'pytorch_half_pixel'), 'argument')
    need(p.get('rounding', 'round_prefer_floor') in ROUNDING, 'argument')
    return size


def resize(t, p):
    layout, (oh, ow), how = p.get('layout', 'NHWC'), resize_size(p), p.get('coordinates', 'half_pixel')
    v = View(t, layout)
    bilinear = p.get('mode', 'nearest') == 'bilinear'
    need(not bilinear or t.dtype == 'q16', 'unsupported')
    need(v.h > 0 and v.w > 0, 'shape')

    def taps(i, n, m):
        c = coordinate(i, n, m, how)
        if not bilinear: return [(min(max(ROUNDING[p.get('rounding', 'round_prefer_floor')](c), 0), n - 1), 1)]
        c = min(max(c, Fraction(0)), Fraction(n - 1))
        return [(floor(c), 1 - (c - floor(c))), (min(floor(c) + 1, n - 1), c - floor(c))]
    ys, xs = [taps(i, v.h, oh) for i in range(oh)], [taps(i, v.w, ow) for i in range(ow)]

    def one(n, c, y, x):
        return floor(sum(v.at(n, c, a, b) * wa * wb for a, wa in ys[y] for b, wb in xs[x]) + Fraction(1, 2) * bilinear)
    return build(t.dtype, layout, v.n, v.c, oh, ow, one)


def depth_to_space(t, p):
    layout, b, mode = p.get('layout', 'NHWC'), p.get('block', 1), p.get('mode', 'DCR')
    need(b >= 1 and mode in ('DCR', 'CRD'), 'argument')
    v = View(t, layout)
    need(v.c % (b * b) == 0, 'shape')
    c = v.c // (b * b)

    def one(n, ch, y, x):
        block = y % b * b + x % b
        return v.at(n, block * c + ch if mode == 'DCR' else ch * b * b + block, y // b, x // b)
    return build(t.dtype, layout, v.n, c, v.h * b, v.w * b, one)


def space_to_depth(t, p):
    layout, b = p.get('layout', 'NHWC'), p.get('block', 1)
    need(b >= 1, 'argument')
    v = View(t, layout)
    need(v.h % b == 0 and v.w % b == 0, 'shape')

    def one(n, ch, y, x):
        block, c = divmod(ch, v.c)
        return v.at(n, c, y * b + block // b, x * b + block % b)
    return build(t.dtype, layout, v.n, v.c * b * b, v.h // b, v.w // b, one)


def expand(t, p):
    shape = p.get('shape', ())
    need(len(shape) <= 6, 'unsupported')
    need(all(d >= 0 for d in shape), 'argument')
    return stretch(t, broadcast(t.shape, tuple(shape)))


def argmax(t, p):
    dtypes([t], ('q16',) + INTEGERS)
    need(p.get('output_dtype', 'i64') in ('i64', 'i32'), 'unsupported')
    axis = one_axis(p.get('axis', 0), len(t.shape))
    n, step = t.shape[axis], prod(t.shape[axis + 1:])
    need(n > 0, 'shape')
    out = []
    for start in (o * n * step + i for o in range(prod(t.shape[:axis])) for i in range(step)):
        line = t.data[start:start + n * step:step]
        out.append(n - 1 - line[::-1].index(max(line)) if p.get('select_last') else line.index(max(line)))
    keep = (1,) if p.get('keepdims', True) else ()
    return Tensor(p.get('output_dtype', 'i64'), t.shape[:axis] + keep + t.shape[axis + 1:], out)


# ---- pooling over everything -------------------------------------------------------------------------
def pool(op, t, p):
    activation(p)
    need(t.dtype in ('q16', 'i8', 'u8', 'i16') or not {'act_min', 'act_max'} & set(p), 'unsupported')
    if p.get('global'):
        v = View(t, p.get('layout', 'NHWC'))
        need(v.h > 0 and v.w > 0, 'shape')
        p = {k: x for k, x in p.items() if k not in ('stride', 'dilation', 'pad', 'ceil_mode', 'count_include_pad')}
        p.update(kernel=(v.h, v.w))
    return oracle.run(op, {'in': t}, p)


def run(op, inputs, p):
    t, w, b = inputs.get('in'), inputs.get('weights'), inputs.get('b')
    if op in ('conv_transpose2d', 'fully_connected'):
        dtypes([x for x in (t, w, inputs.get('bias')) if x is not None], ('q16',))
        return globals()[op](t, w, inputs.get('bias'), p)
    if op in models.OPERATORS: return models.OPERATORS[op](inputs, p)
    if op == 'batch_norm': return batch_norm(t, inputs['scale'], inputs['bias'], p)
    if op == 'matmul': return matmul(t, b, p)
    if op == 'prelu': return prelu(t, inputs['slope'], p)
    if op in UNARY: return unary(op, t, p)
    if op in BINARY: return binary(op, t, b, p)
    if op in ('max_pool2d', 'avg_pool2d'): return pool(op, t, p)
    if op == 'concat': return concat([inputs[f'in{i}'] for i in range(len(inputs))], p)
    if op == 'argmin': return argmax(Tensor(t.dtype, t.shape, [-x for x in t.data]), p)
    moves = dict(clamp=clamp_op, softmax=softmax, pad=pad, transpose=transpose, reshape=reshape, slice=slice_op,
                 resize=resize, depth_to_space=depth_to_space, space_to_depth=space_to_depth, argmax=argmax, expand=expand)
    if op in moves: return moves[op](t, p)
    if op in ('exp', 'sigmoid', 'tanh', 'conv2d'):
        dtypes([x for x in (t, w, inputs.get('bias')) if x is not None], ('q16',))
        activation(p)
    return quantized.run(op, inputs, p)
