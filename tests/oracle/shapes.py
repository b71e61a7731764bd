"""Shape inference with unknown dimensions (-1): what is known of an operator's output before its inputs are."""
from math import prod

from common import one_axis
from operators import permutation, ranges, resize_size, uncut2
from oracle import *

UNKNOWN = -1


def split(shape, layout):
    need(len(shape) == 4, 'shape')
    need(layout in ('NHWC', 'NCHW'), 'argument')
    return shape if layout == 'NHWC' else (shape[0], shape[2], shape[3], shape[1])


def join(layout, n, h, w, c): return (n, h, w, c) if layout == 'NHWC' else (n, c, h, w)
def agree(a, b): need(UNKNOWN in (a, b) or a == b, 'shape')


def conv(shapes, p):
    layout, g = p.get('layout', 'NHWC'), p.get('groups', 1)
    n, h, w, c = split(shapes[0], layout)
    o, kh, kw, i = split(shapes[1], layout)
    if c != UNKNOWN: need(c == i * g, 'shape')
    oh, ow = geometry(h, w, p, (kh, kw), False)[:2]
    return join(layout, n, oh, ow, o)


def conv_transpose(shapes, p):
    layout, g = p.get('layout', 'NHWC'), p.get('groups', 1)
    n, h, w, c = split(shapes[0], layout)
    first, kh, kw, last = split(shapes[1], layout)
    inputs, outputs = (last * g, first) if layout == 'NHWC' else (first, last * g)
    agree(c, inputs)
    (oh, _), (ow, _) = uncut2(h, w, (kh, kw), p)
    return join(layout, n, oh, ow, outputs)


def pool(shapes, p):
    layout = p.get('layout', 'NHWC')
    n, h, w, c = split(shapes[0], layout)
    oh, ow = (1, 1) if p.get('global') else geometry(h, w, p, p['kernel'], True)[:2]
    return join(layout, n, oh, ow, c)


def broadcast(shapes, p=None):
    rank = max(map(len, shapes))
    out = []
    for dims in zip(*[(1,) * (rank - len(s)) + tuple(s) for s in shapes]):
        known = {d for d in dims if d not in (1, UNKNOWN)}
        need(len(known) < 2, 'shape')
        out.append(known.pop() if known else min(dims))
    return tuple(out)


def fully_connected(shapes, p):
    need(all(len(s) == 2 for s in shapes[:2]), 'shape')
    (n, k), (m, k2) = shapes[:2]
    agree(k, k2)
    return n, m


def matmul(shapes, p):
    a, b = shapes
    agree(a[-1], b[-2])
    return broadcast((a[:-2], b[:-2])) + (a[-2], b[-1])


def concat(shapes, p):
    axis, out = one_axis(p.get('axis', 0), len(shapes[0])), []
    need(len({len(s) for s in shapes}) == 1, 'shape')
    for d, dims in enumerate(zip(*shapes)):
        if d == axis: out.append(UNKNOWN if UNKNOWN in dims else sum(dims))
        else: out.append(broadcast([(x,) for x in dims])[0])
    return out


def pad(shapes, p):
    rank, pads = len(shapes[0]), p['pads']
    need(len(pads) == 2 * rank and min(pads) >= 0, 'argument')
    return [n if n == UNKNOWN else n + b + a for n, b, a in zip(shapes[0], pads[:rank], pads[rank:])]


def reshape(shapes, p):
    shape, to = shapes[0], p['shape']
    need(min(to, default=0) >= -1 and to.count(-1) < 2, 'argument')
    need(all(d != 0 or i < len(shape) for i, d in enumerate(to)), 'argument')
    out = [shape[i] if d == 0 else d for i, d in enumerate(to)]
    if UNKNOWN not in shape:
        rest = prod(d for d in out if d != UNKNOWN)
        need(prod(shape) % rest == 0 if UNKNOWN in out else prod(shape) == rest, 'shape')
        out = [prod(shape) // rest if d == UNKNOWN else d for d in out]
    return out


def slice_shape(shapes, p):
    kept = ranges([max(n, 0) for n in shapes[0]], p)
    return [n if r is None or n == UNKNOWN else len(r) for n, r in zip(shapes[0], kept)]


def resize(shapes, p):
    layout = p.get('layout', 'NHWC')
    n, h, w, c = split(shapes[0], layout)
    return join(layout, n, *resize_size(p), c)


def depth_to_space(shapes, p):
    layout, b = p.get('layout', 'NHWC'), p.get('block', 1)
    n, h, w, c = split(shapes[0], layout)
    need(c == UNKNOWN or c % (b * b) == 0, 'shape')
    return join(layout, n, *(UNKNOWN if d == UNKNOWN else d * b for d in (h, w)), UNKNOWN if c == UNKNOWN else c // (b * b))


def argmax(shapes, p):
    axis = one_axis(p.get('axis', 0), len(shapes[0]))
    return [1 if d == axis else n for d, n in enumerate(shapes[0]) if d != axis or p.get('keepdims', True)]


def same(shapes, p): return shapes[0]
def same_axis(shapes, p): return shapes[0] if one_axis(p.get('axis', -1), len(shapes[0])) >= 0 else None
def transpose(shapes, p): return [shapes[0][a] for a in permutation(len(shapes[0]), p)]


RULES = dict(conv2d=conv, q_conv2d=conv, conv2d_integer=conv, conv_transpose2d=conv_transpose, max_pool2d=pool, avg_pool2d=pool,
             fully_connected=fully_connected, q_fully_connected=fully_connected, matmul=matmul, matmul_integer=matmul, batch_norm=same_axis,
             softmax=same_axis, q_softmax=same, q_sigmoid=same, q_tanh=same, relu=same, add=broadcast, maximum=broadcast, q_add=broadcast, q_mul=broadcast,
             concat=concat, pad=pad, transpose=transpose, reshape=reshape, slice=slice_shape, resize=resize,
             depth_to_space=depth_to_space, argmax=argmax)


def infer(op, shapes, attributes): return [int(d) for d in RULES[op]([tuple(s) for s in shapes], attributes)]
