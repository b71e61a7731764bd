"""What the oracle's operators share: checks, broadcasting, the clamp that ends an operator."""
from itertools import product
from math import prod

from oracle import *


def dtypes(ts, allowed):
    """All of one dtype, and one the operator takes."""
    need(all(t.dtype == ts[0].dtype for t in ts) and ts[0].dtype in allowed, 'unsupported')


def one_axis(axis, rank):
    need(-rank <= axis < rank, 'argument')
    return axis % rank


def activation(p):
    need('act_min' not in p or 'act_max' not in p or p['act_min'] <= p['act_max'], 'argument')


def clamp(v, p, dtype):
    """A bound beyond the dtype does nothing, nor do the ends of 32 bits."""
    lo, hi = bounds(dtype)
    at_least, at_most = p.get('act_min', I32[0]), p.get('act_max', I32[1])
    return min(max(v, lo if at_least == I32[0] else sat(at_least, dtype)), hi if at_most == I32[1] else sat(at_most, dtype))


def strides(shape):
    return [prod(shape[i + 1:]) for i in range(len(shape))]


def indices(shape): return product(*[range(d) for d in shape])


def gather(t, shape, source):
    """The tensor whose element at index i is t's element at source(i)."""
    s = strides(t.shape)
    return Tensor(t.dtype, shape, [t.data[sum(a * b for a, b in zip(source(i), s))] for i in indices(shape)])


def broadcast(*shapes):
    rank = max(map(len, shapes))
    out = []
    for dims in zip(*[(1,) * (rank - len(s)) + tuple(s) for s in shapes]):
        wide = {d for d in dims if d != 1}
        need(len(wide) < 2, 'shape')
        out.append(wide.pop() if wide else 1)
    return tuple(out)


def stretch(t, shape):
    lead = len(shape) - len(t.shape)
    return gather(t, shape, lambda i: [0 if d == 1 else x for d, x in zip(t.shape, i[lead:])])
