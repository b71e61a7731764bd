#!/usr/bin/env python3
"""Write the golden vectors of the operators beyond make_vectors.py's: make_operator_vectors.py OUT_DIR [SUITE ...]."""
import itertools, os, random, sys
from math import prod

import make_vectors
import operators
from make_vectors import HI, LO, ONE, q, spec
from oracle import bounds
from raw_to_vectors import prepare_add, prepare_softmax, quantize_multiplier

WIDTHS = [*range(1, 21), 31, 32, 33, 63, 64, 65]         # around every number of lanes
EXTREMES = [LO, LO + 1, -6 * ONE, -3 * ONE, -ONE - 1, -ONE, -32769, -32768, -32767, -1, 0, 1, 32767, 32768, 32769, ONE, ONE + 1, 3 * ONE, 6 * ONE, HI - 1, HI]


class Suite(make_vectors.Suite):
    run = staticmethod(operators.run)

    def check(self, op, what, inputs, **params): self.add(f'{op} {what}', op, inputs, **params)


def ints(dtype, shape, rng):
    lo, hi = bounds(dtype)
    return spec(dtype, shape, seed=rng.getrandbits(48), lo=lo, hi=hi)


def full(shape, rng): return q(shape, rng, LO, HI)


# ---- dense ---------------------------------------------------------------------------------------
def transposed(s, rng):
    op = 'conv_transpose2d'

    def case(what, h, w, ci, co, k, g=1, n=1, lo=-8 * ONE, hi=8 * ONE, bias=True, **p):
        nhwc = p.get('layout', 'NHWC') == 'NHWC'
        ins = {'in': q((n, h, w, ci) if nhwc else (n, ci, h, w), rng, lo, hi),
               'weights': q((co, *k, ci // g) if nhwc else (ci, co // g, *k), rng, lo // 8, hi // 8)}
        if bias: ins['bias'] = q((co,), rng, lo, hi)
        if g > 1: p['groups'] = g
        s.check(op, what, ins, **p)
    for i in range(70):
        stride, dilation = [rng.randint(1, 3), rng.randint(1, 3)], rng.choice([[1, 1], [1, 1], [2, 1], [2, 3]])
        p = dict(layout=rng.choice(['NHWC', 'NCHW']), stride=stride, dilation=dilation,
                 pad=rng.choice(['VALID', 'SAME_UPPER', 'SAME_LOWER', [rng.randint(0, 2) for _ in range(4)]]))
        h, w = rng.randint(2, 6), rng.randint(2, 8)
        if i % 3 == 1: p['output_padding'] = [rng.randrange(max(a, b)) for a, b in zip(stride, dilation)]
        if i % 5 == 2: p['output_size'] = [h * stride[0] + rng.randint(-1, 2), w * stride[1] + rng.randint(-1, 2)]
        g = rng.choice([1, 1, 2, 3])
        if rng.random() < .3: p.update(act_min=0, act_max=6 * ONE)
        wide = dict(lo=LO, hi=HI) if i % 6 == 0 else {}
        case(str(i), h, w, g * rng.randint(1, 4), g * rng.randint(1, 3), (rng.randint(2, 4), rng.randint(2, 4)), g,
             rng.choice([1, 1, 2, 0]), bias=rng.random() < .6, **wide, **p)
    for w, layout in itertools.product(WIDTHS, ('NHWC', 'NCHW')):
        case(f'2x2/2 width {w} {layout}', 2, w, 3, 2, (2, 2), stride=[2, 2], layout=layout, lo=LO, hi=HI)
        case(f'3x3 channels {w} {layout}', 2, 3, w, 3, (3, 3), pad=[1, 1, 1, 1], layout=layout)
        case(f'3x3/2 depthwise {w} {layout}', 2, 2, w, w, (3, 3), w, stride=[2, 2], pad='SAME_UPPER', layout=layout)
    for name, k in (('above', 1), ('below', 5)):
        case(f'stride {name} kernel', 3, 3, 1, 1, (k, k), stride=[3, 3])
    case('output_padding below the dilation', 2, 3, 1, 1, (2, 2), dilation=[3, 2], output_padding=[2, 1])
    case('output_size beyond the full output', 2, 2, 1, 2, (2, 2), output_size=[6, 5])
    case('kernel 1x1, SAME with stride 3', 2, 2, 1, 1, (1, 1), stride=[3, 3], pad='SAME_UPPER')
    for a, b in itertools.product((LO, HI), (LO, HI)):
        s.check(op, f'extremes {a}*{b}', {'in': spec('q16', (1, 3, 3, 2), [a] * 18), 'weights': spec('q16', (1, 3, 3, 2), [b] * 18)})
    bad = lambda what, ci=3, wc=3, k=(2, 2), n=1, h=3, **p: s.check(op, what, {'in': q((n, h, 3, ci), rng), 'weights': q((2, *k, wc), rng)}, **p)
    for what, p in (('stride 0', dict(stride=[0, 1])), ('dilation 0', dict(dilation=[1, 0])), ('pad FULL', dict(pad='FULL')), ('pad negative', dict(pad=[-1, 0, 0, 0])),
                    ('output_padding of the stride', dict(stride=[2, 2], output_padding=[2, 0])), ('output_padding negative', dict(output_padding=[-1, 0])),
                    ('output_size half given', dict(output_size=[5, 0])), ('groups 0', dict(groups=0)), ('groups do not divide', dict(groups=2)),
                    ('weight channels differ', dict(wc=2)), ('all cut off', dict(pad=[2, 0, 2, 0])), ('no rows', dict(h=0)), ('layout unknown', dict(layout='NHCW')),
                    ('act_min above act_max', dict(act_min=1, act_max=0))): bad(what, **p)
    s.check(op, 'bias length', {'in': q((1, 2, 2, 1), rng), 'weights': q((2, 2, 2, 1), rng), 'bias': q((1,), rng)})
    s.check(op, 'weights i8', {'in': q((1, 2, 2, 1), rng), 'weights': ints('i8', (2, 2, 2, 1), rng)})
    s.check(op, 'rank 3', {'in': q((2, 2, 1), rng), 'weights': q((2, 2, 2, 1), rng)})


def dense(rng):
    s = Suite('dense')
    transposed(s, rng)
    for k in WIDTHS:
        s.check('fully_connected', f'depth {k}', {'in': full((2, k), rng), 'weights': full((3, k), rng), 'bias': full((3,), rng)})
        s.check('fully_connected', f'units {k}', {'in': q((3, 5), rng), 'weights': q((k, 5), rng)}, act_min=0)
        s.check('matmul', f'inner {k}', {'in': full((3, k), rng), 'b': full((k, 4), rng)})
        s.check('matmul', f'columns {k}', {'in': q((2, 3, 5), rng), 'b': q((2, 5, k), rng)})
        s.check('batch_norm', f'channels {k}', {'in': full((2, 3, k), rng), 'scale': full((k,), rng), 'bias': full((k,), rng)})
        s.check('batch_norm', f'width {k}', {'in': q((2, 3, 2, k), rng), 'scale': q((3,), rng), 'bias': q((3,), rng)}, axis=1)
    for a, b in (((4, 5), (5, 6)), ((1, 3, 4), (2, 4, 5)), ((2, 1, 3, 4), (5, 4, 2)), ((3, 4), (2, 2, 4, 3)), ((2, 1, 1, 2, 2, 3), (1, 2, 1, 3, 3, 2)), ((0, 2, 3), (3, 4)),
                 ((4, 300), (300, 3)), ((1, 70), (70, 70)), ((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 4)), ((4,), (4, 2)), ((2, 4), (4,)), ((2, 0), (0, 3))):
        s.check('matmul', f'{a}x{b}', {'in': q(a, rng), 'b': q(b, rng)})
    for a, b in itertools.product((LO, HI), (LO, HI)):
        two = lambda v, shape: spec('q16', shape, [v] * prod(shape))
        s.check('matmul', f'extremes {a}*{b}', {'in': two(a, (1, 9)), 'b': two(b, (9, 1))})
        s.check('fully_connected', f'extremes {a}*{b}', {'in': two(a, (1, 9)), 'weights': two(b, (1, 9)), 'bias': two(a, (1,))})
        s.check('batch_norm', f'extremes {a}*{b}', {'in': two(a, (2, 1)), 'scale': two(b, (1,)), 'bias': two(a, (1,))})
    alternate = [HI if i % 2 else LO for i in range(64)]
    s.check('matmul', 'extremes cancel', {'in': spec('q16', (1, 64), alternate), 'b': spec('q16', (64, 1), [HI] * 64)})
    s.check('fully_connected', 'extremes cancel', {'in': spec('q16', (1, 64), [LO] * 64), 'weights': spec('q16', (1, 64), alternate)})
    s.check('fully_connected', 'no rows', {'in': q((0, 3), rng), 'weights': q((2, 3), rng)})
    s.check('batch_norm', 'no elements', {'in': q((2, 0, 3), rng), 'scale': q((3,), rng), 'bias': q((3,), rng)})
    for a, w, b in (((2, 3), (4, 2), None), ((2, 3, 1), (4, 3), None), ((2, 3), (4, 3), (3,)), ((2, 0), (3, 0), None)):
        s.check('fully_connected', f'misfit {a} {w} {b}', dict({'in': q(a, rng), 'weights': q(w, rng)}, **({'bias': q(b, rng)} if b else {})))
    s.check('fully_connected', 'i8', {'in': ints('i8', (2, 3), rng), 'weights': ints('i8', (2, 3), rng)})
    s.check('matmul', 'i32', {'in': ints('i32', (2, 2), rng), 'b': ints('i32', (2, 2), rng)})
    for what, c, p in (('axis 3', 3, dict(axis=3)), ('axis -4', 3, dict(axis=-4)), ('scale length', 2, {})):
        s.check('batch_norm', what, {'in': q((2, 3, 3), rng), 'scale': q((c,), rng), 'bias': q((3,), rng)}, **p)
    s.check('batch_norm', 'i16', {'in': ints('i16', (2, 3), rng), 'scale': q((3,), rng), 'bias': q((3,), rng)})
    return s


# ---- elementwise -----------------------------------------------------------------------------------
BROADCASTS = [((3, 4), (4,)), ((4,), (3, 4)), ((2, 1, 5), (3, 1)), ((1,), (2, 3)), ((), (2, 3)), ((2, 3), ()), ((), ()), ((2, 3, 1, 2), (2, 1, 3, 1)),
              ((0, 3), (1, 3)), ((1, 2, 1, 2, 1, 3), (2, 1, 2, 1, 2, 1)), ((2, 17, 3), (17, 1)), ((1, 33), (33, 1)), ((2, 3), (3, 2)), ((4, 2), (3,))]


def elementwise(rng):
    s = Suite('elementwise')
    for op in ('relu', 'clamp', 'leaky_relu', 'hard_sigmoid', 'hard_swish'):
        p = dict(clamp=dict(act_min=-ONE, act_max=6 * ONE), leaky_relu=dict(alpha=6554)).get(op, {})
        for w in WIDTHS: s.check(op, f'width {w}', {'in': full((2, w), rng)}, **p)
        s.check(op, 'small values', {'in': q((500,), rng)}, **p)
        s.check(op, 'extremes', {'in': spec('q16', (len(EXTREMES),), EXTREMES)}, **p)
        for shape in ((), (0,), (2, 0, 3), (1, 2, 1, 2, 1, 2)): s.check(op, f'shape {shape}', {'in': q(shape, rng)}, **p)
        if op != 'clamp': s.check(op, 'i8', {'in': ints('i8', (3,), rng)}, **p)
        s.check(op, 'f32', {'in': spec('f32', (2,), [0, 1 << 31])}, **p)
    for alpha in (0, 1, -1, ONE, -ONE, LO, HI): s.check('leaky_relu', f'alpha {alpha}', {'in': spec('q16', (len(EXTREMES),), EXTREMES)}, alpha=alpha)
    for a, b in ((32768, 39322), (ONE, 0), (LO, HI), (HI, LO), (0, 1), (1, 32768)):
        s.check('hard_sigmoid', f'alpha {a} beta {b}', {'in': spec('q16', (len(EXTREMES),), EXTREMES)}, alpha=a, beta=b)
    s.check('hard_swish', 'near -3', {'in': spec('q16', (200,), range(-3 * ONE, -3 * ONE + 200))})
    s.check('hard_swish', 'ties', {'in': spec('q16', (128,), [x for x in range(-3 * ONE, 0) if x * (x + 3 * ONE) % (6 * ONE) == 3 * ONE])})
    for d in ('q16',) + operators.INTEGERS:
        lo, hi = bounds(d)
        for i, p in enumerate((dict(act_min=-5, act_max=100), dict(act_min=3), dict(act_max=7), {}, dict(act_min=5, act_max=5), dict(act_min=-(1 << 31), act_max=(1 << 31) - 1 if d != 'i64' else 90))):
            s.check('clamp', f'{d} {i}', {'in': ints(d, (67,), rng)}, **p)
        s.check('clamp', f'{d} ends', {'in': spec(d, (4,), [lo, lo + 1, hi - 1, hi])})
    s.check('clamp', 'act_min above act_max', {'in': q((2,), rng)}, act_min=2, act_max=1)
    binary(s, rng)
    for w in WIDTHS:
        s.check('prelu', f'width {w}', {'in': full((2, w), rng), 'slope': full((w,), rng)})
        s.check('softmax', f'width {w}', {'in': q((2, w), rng)})
        s.check('softmax', f'axis 0, width {w}', {'in': q((3, w), rng, -20 * ONE, 20 * ONE)}, axis=0)
    for a, b in (((2, 3, 4), (3, 1)), ((2, 3, 4), ()), ((2, 3), (2, 3)), ((2, 3), (1, 2, 3)), ((1, 3), (2, 3)), ((2, 3), (2,)), ((0, 3), (3,))):
        s.check('prelu', f'{a} by {b}', {'in': q(a, rng), 'slope': q(b, rng)})
    n = len(EXTREMES)
    s.check('prelu', 'extremes', {'in': spec('q16', (n, n), [v for v in EXTREMES for _ in range(n)]), 'slope': spec('q16', (n,), EXTREMES)})
    s.check('prelu', 'slope i8', {'in': q((2, 3), rng), 'slope': ints('i8', (3,), rng)})
    for axis in (0, 1, 2, 3, -1, -2, -4): s.check('softmax', f'axis {axis}', {'in': q((2, 3, 4, 5), rng)}, axis=axis)
    for what, d in (('extremes', [LO, HI, 0]), ('all lowest', [LO] * 3), ('one apart', [HI, HI - 1, HI]), ('one', [LO])): s.check('softmax', what, {'in': spec('q16', (1, len(d)), d)})
    for shape, p in (((0, 3), {}), ((3, 0), {}), ((2, 3), dict(axis=2)), ((2, 3), dict(axis=-3)), ((3, 0), dict(axis=0))): s.check('softmax', f'{shape} {p}', {'in': q(shape, rng)}, **p)
    s.check('softmax', 'i8', {'in': ints('i8', (2, 3), rng)})
    for d in ('i8', 'u8'):
        for w in WIDTHS: s.check('softmax', f'to {d}, width {w}', {'in': q((2, w), rng, -4 * ONE, 4 * ONE)}, output_dtype=d)
        for x in (20124, 21173, 22226): s.check('softmax', f'to {d}, rounded once: {x}', {'in': spec('q16', (2,), [x, 0])}, output_dtype=d)
        s.check('softmax', f'to {d}, axis 1', {'in': q((2, 3, 4), rng)}, axis=1, output_dtype=d)
        for n in (1, 2, 3): s.check('softmax', f'to {d}, equal {n}', {'in': spec('q16', (n,), [7] * n)}, output_dtype=d)
    for d in ('i16', 'i32', 'f32'): s.check('softmax', f'to {d}', {'in': q((2, 3), rng)}, output_dtype=d)
    return s


def binary(s, rng):
    n = len(EXTREMES)
    for op in operators.BINARY:
        pair = lambda a, b: {'in': full(a, rng), 'b': full(b, rng)}
        for w in WIDTHS: s.check(op, f'width {w}', pair((2, w), (2, w)))
        for w in (7, 16, 33): s.check(op, f'row {w}', pair((3, w), (w,))), s.check(op, f'column {w}', pair((3, w), (3, 1)))
        for a, b in BROADCASTS: s.check(op, f'{a} {b}', pair(a, b))
        s.check(op, 'small values', {'in': q((300,), rng), 'b': q((300,), rng)}, act_min=0, act_max=6 * ONE)
        s.check(op, 'extremes', {'in': spec('q16', (n, 1), EXTREMES), 'b': spec('q16', (n,), EXTREMES)})
        s.check(op, 'f32', {'in': spec('f32', (1,), [0]), 'b': spec('f32', (1,), [0])})
        s.check(op, 'act_min above act_max', pair((2,), (2,)), act_min=2, act_max=1)
        s.check(op, 'q16 and i8', {'in': q((2,), rng), 'b': ints('i8', (2,), rng)})
        if op not in ('maximum', 'minimum'):
            s.check(op, 'i32', {'in': ints('i32', (2,), rng), 'b': ints('i32', (2,), rng)})
            continue
        for d in operators.INTEGERS:
            lo, hi = bounds(d)
            s.check(op, d, {'in': ints(d, (3, 67), rng), 'b': ints(d, (67,), rng)})
            s.check(op, f'{d} clamped', {'in': ints(d, (67,), rng), 'b': ints(d, (1,), rng)}, act_min=-9, act_max=99)
            s.check(op, f'{d} ends', {'in': spec(d, (4, 1), [lo, lo + 1, hi - 1, hi]), 'b': spec(d, (4,), [lo, lo + 1, hi - 1, hi])})


# ---- quantized elementwise --------------------------------------------------------------------------
def scales(rng): return 2.0 ** rng.uniform(-8, 0)


def zeros(d, rng, *names):
    lo, hi = bounds(d)
    return {n: 0 if d == 'i16' else rng.choice([0 if lo < 0 else 128, lo, hi, rng.randint(lo, hi)]) for n in names}


def add_params(d, rng):
    a, b, out = scales(rng), scales(rng), scales(rng)
    return dict(prepare_add(d, (a, b), out), **zeros(d, rng, 'input_zero', 'b_zero', 'output_zero'))


def xnnpack_add(d, rng):
    ratios = [2.0 ** rng.uniform(-6, 4) for _ in range(2)]
    left = 20 - int(max(ratios).hex().split('p')[1])
    return dict(zeros(d, rng, 'input_zero', 'b_zero', 'output_zero'), rule='xnnpack', left_shift=left,
                input_multiplier=round(ratios[0] * 2 ** left), b_multiplier=round(ratios[1] * 2 ** left))


def mul_params(d, rng):
    m, shift = quantize_multiplier(scales(rng) * scales(rng) / scales(rng))
    return dict(zeros(d, rng, 'input_zero', 'b_zero', 'output_zero'), output_multiplier=m, output_shift=shift)


def quantized_elementwise(rng):
    s = Suite('quantized_elementwise')
    for op, d, params in (('q_add', 'i8', add_params), ('q_add', 'u8', add_params), ('q_add', 'i16', add_params), ('q_add', 'i8', xnnpack_add), ('q_add', 'u8', xnnpack_add),
                          ('q_mul', 'i8', mul_params), ('q_mul', 'u8', mul_params), ('q_mul', 'i16', mul_params)):
        name, (lo, hi) = f"{d} {params(d, rng).get('rule', 'tflm')}", bounds(d)
        pair = lambda a, b: {'in': ints(d, a, rng), 'b': ints(d, b, rng)}
        for w in WIDTHS: s.check(op, f'{name} width {w}', pair((2, w), (2, w)), **params(d, rng))
        for a, b in BROADCASTS: s.check(op, f'{name} {a} {b}', pair(a, b), **params(d, rng))
        for i in range(3):
            p = dict(params(d, rng), act_min=lo // 4 + hi // 3, act_max=hi - 5)
            s.check(op, f'{name} clamped {i}', pair((99,), (99,)), **p)
            ends = [lo, lo + 1, -1 if lo else 1, 0, 1, hi - 1, hi]
            s.check(op, f'{name} ends {i}', {'in': spec(d, (7, 1), ends), 'b': spec(d, (7,), ends)}, **params(d, rng))
    every = {'in': spec('i8', (256, 1), range(-128, 128)), 'b': spec('i8', (256,), range(-128, 128))}
    for op, p in (('q_add', add_params('i8', rng)), ('q_add', xnnpack_add('i8', rng)), ('q_mul', mul_params('i8', rng))):
        s.check(op, f"{p.get('rule', 'tflm')} every pair", every, **p)
    half = dict(left_shift=1, input_multiplier=1, b_multiplier=1, rule='xnnpack')
    s.check('q_add', 'xnnpack ties', {'in': spec('i8', (9,), range(-4, 5)), 'b': spec('i8', (1,), [0])}, **half)
    for shift in (1, 2, 30): s.check('q_mul', f'ties, right by {shift}', {'in': spec('i8', (41,), range(-20, 21)), 'b': spec('i8', (1,), [1])}, output_multiplier=1 << 30, output_shift=1 - shift)
    for left in (15, 16, 20): s.check('q_add', f'i16 left_shift {left}', {'in': ints('i16', (40,), rng), 'b': ints('i16', (40,), rng)}, **dict(add_params('i16', rng), left_shift=left))
    s.check('q_mul', 'product wraps 32 bits', {'in': ints('i16', (40,), rng), 'b': ints('i16', (40,), rng)}, input_zero=-32768, b_zero=-32768, output_multiplier=1 << 30, output_shift=-15)
    s.check('q_mul', 'shift wraps 32 bits', {'in': ints('i8', (40,), rng), 'b': ints('i8', (40,), rng)}, output_multiplier=1 << 30, output_shift=20)
    x, y = ints('i8', (3,), rng), ints('i8', (3,), rng)
    for op, p in (('q_add', add_params('i8', rng)), ('q_mul', mul_params('i8', rng))):
        s.check(op, 'i8 and u8', {'in': x, 'b': ints('u8', (3,), rng)}, **p)
        s.check(op, 'q16', {'in': q((3,), rng), 'b': q((3,), rng)}, **p)
        s.check(op, 'act_min above act_max', {'in': x, 'b': y}, **dict(p, act_min=4, act_max=3))
        s.check(op, 'rule unknown', {'in': x, 'b': y}, **dict(p, rule='onnx'))
        for name, value in (('input_zero', -129), ('b_zero', 128), ('output_zero', 1000), ('output_multiplier', -1), ('output_shift', 31), ('output_shift', -32)):
            s.check(op, f'{name} {value}', {'in': x, 'b': y}, **dict(p, **{name: value}))
    s.check('q_mul', 'xnnpack', {'in': x, 'b': y}, rule='xnnpack', output_multiplier=1 << 30)
    s.check('q_add', 'left_shift negative', {'in': x, 'b': y}, **dict(add_params('i8', rng), left_shift=-1))
    s.check('q_add', 'xnnpack left_shift 0', {'in': x, 'b': y}, **dict(half, left_shift=0))
    q_softmax(s, rng)
    q_curves(s, rng)
    return s


def q_softmax(s, rng):
    op = 'q_softmax'
    for d, out in (('i8', 'i8'), ('u8', 'u8'), ('i8', 'i16'), ('u8', 'i16'), ('i16', 'i16')):
        lo, hi = bounds(d)
        prepared = lambda scale=None: dict(prepare_softmax(d, scale or (2.0 ** rng.uniform(-14, -6) if d == 'i16' else 2.0 ** rng.uniform(-7, 2)), 1.0), output_dtype=out)
        for w in WIDTHS: s.check(op, f'{d} to {out} width {w}', {'in': ints(d, (2, w), rng)}, **prepared())
        for i, n in enumerate((10, 100, 1001)): s.check(op, f'{d} to {out} classes {n}', {'in': ints(d, (1, n), rng)}, **prepared())
        for n in (1, 2, 3, 256, 511, 512, 1001): s.check(op, f'{d} to {out} equal {n}', {'in': spec(d, (1, n), seed=1, lo=5, hi=5)}, **prepared(1 / 16))
        s.check(op, f'{d} to {out} every difference', {'in': spec(d, (256,), range(lo, lo + 256))}, **prepared(1 / 16))
        s.check(op, f'{d} to {out} ends', {'in': spec(d, (2, 3), [lo, hi, 0, lo, lo, hi])}, **prepared())
        s.check(op, f'{d} to {out} tiny scale', {'in': ints(d, (1, 20), rng)}, **prepared(2.0 ** (-20 if d == 'i16' else -25)))
        s.check(op, f'{d} to {out} no rows', {'in': spec(d, (0, 3), [])}, **prepared())
        s.check(op, f'{d} to {out} no columns', {'in': spec(d, (3, 0), [])}, **prepared())
    p = prepare_softmax('i8', 1 / 16, 1.0)
    s.check(op, 'default output i8', {'in': ints('i8', (2, 2, 2, 3), rng)}, **p)
    s.check(op, 'diff_min 0', {'in': spec('i8', (4,), [3, 3, 2, -128])}, **dict(p, diff_min=0))
    for d, out in (('u8', 'i8'), ('i8', 'u8'), ('i16', 'i8'), ('i8', 'i32'), ('q16', 'i8')): s.check(op, f'{d} to {out}', {'in': ints(d, (1, 3), rng)}, output_dtype=out, **p)
    for d, n in (('i8', 8191), ('i8', 8192), ('i16', 65536), ('i16', 65537)): s.check(op, f'{d} equal {n}', {'in': spec(d, (1, n), seed=1, lo=5, hi=5)}, output_dtype='i16', **p)
    s.check(op, 'diff_min above 0', {'in': ints('i8', (1, 3), rng)}, **dict(p, diff_min=1))


def q_curves(s, rng):
    """Every code of 8 bits under scales from 2^-30 to 8; of 16 bits the two prepared forms, and every interval of the table."""
    eight = lambda scale, zero=0: dict(zip(('input_multiplier', 'input_left_shift'), quantize_multiplier(scale * 2.0 ** 27)), input_zero=zero)
    sixteen = dict(q_sigmoid=(3, 0), q_tanh=(6, 0))
    every = spec('i8', (16, 16), range(-128, 128))
    for op in ('q_sigmoid', 'q_tanh'):
        for e in (-30, -20, -10, -7, -6, -5, -4, -3, -2, -1, 0, 2): s.check(op, f'i8 scale 2^{e}', {'in': every}, **eight(2.0 ** e))
        for i in range(12): s.check(op, f'i8 scale {i}', {'in': every}, **eight(2.0 ** rng.uniform(-8, 0), rng.randint(-128, 127)))
        for w in WIDTHS: s.check(op, f'i8 width {w}', {'in': ints('i8', (w,), rng)}, **eight(1 / 16, -5))
        for w in WIDTHS: s.check(op, f'i16 width {w}', {'in': ints('i16', (w,), rng)}, input_multiplier=sixteen[op][0], input_left_shift=0)
        for m, shift in ((3, 0), (6, 0), (16384, 12), (32767, 13), (20000, 30), (32767, 0), (0, 0), (24576, 1)):
            s.check(op, f'i16 {m} right by {shift}', {'in': spec('i16', (1025,), [max(-32768, min(32767, 64 * i)) for i in range(-512, 513)])}, input_multiplier=m, input_left_shift=shift)
            s.check(op, f'i16 {m} right by {shift} near 0', {'in': spec('i16', (41,), range(-20, 21))}, input_multiplier=m, input_left_shift=shift)
            s.check(op, f'i16 {m} right by {shift} random', {'in': ints('i16', (200,), rng)}, input_multiplier=m, input_left_shift=shift)
        s.check(op, 'no elements', {'in': spec('i8', (3, 0), [])}, **eight(1 / 16))
        few, few16 = ints('i8', (3,), rng), ints('i16', (3,), rng)
        for name, value in (('input_zero', -129), ('input_zero', 128), ('input_multiplier', -1), ('input_left_shift', 31), ('input_left_shift', -32)):
            s.check(op, f'i8 {name} {value}', {'in': few}, **dict(eight(1 / 16), **{name: value}))
        for name, value in (('input_zero', 1), ('input_multiplier', 32768), ('input_left_shift', -1)):
            s.check(op, f'i16 {name} {value}', {'in': few16}, **{'input_multiplier': 3, name: value})
        for d in ('u8', 'i32', 'q16'): s.check(op, d, {'in': ints(d, (3,), rng)}, **eight(1 / 16))


if __name__ == '__main__':
    import make_move_vectors as moves
    import make_window_vectors as windows
    import make_model_vectors as models
    makers = dict(dense=dense, elementwise=elementwise, quantized_elementwise=quantized_elementwise, move=moves.move, infer_shape=moves.infer_shape,
                  pool_more=windows.pool_more, conv_more=windows.conv_more, quantized_more=windows.quantized_more, models=models.models, integer=models.integer, quantize=models.quantize, reduce=models.reduce)
    out, wanted = sys.argv[1], sys.argv[2:] or list(makers)
    os.makedirs(out, exist_ok=True)
    for name in wanted: makers[name](random.Random(name)).write(out)
