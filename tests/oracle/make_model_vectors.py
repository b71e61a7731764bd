"""The suites of models.py, for make_operator_vectors.py: w16 convolutions, sums of bytes, and what lies between quantized and real."""
import itertools
from math import prod

from make_operator_vectors import EXTREMES, WIDTHS, Suite, full, ints
from make_vectors import HI, LO, ONE, q, spec
from oracle import bounds
from raw_to_vectors import quantize_multiplier

WIDE = (-(1 << 40), 1 << 40)          # of an i64 bias


def bias(n, rng, lo=WIDE[0], hi=WIDE[1]): return spec('i64', (n,), seed=rng.getrandbits(48), lo=lo, hi=hi)
def shifts(n, rng): return [rng.randint(0, 30) for _ in range(n)] if rng.random() < .6 else [rng.randint(8, 20)]


# ---- i16 weights -----------------------------------------------------------------------------------
def conv(s, rng, op, what, h, w, ci, co, k, g=1, n=1, with_bias=True, **p):
    nhwc, transposed = p.get('layout', 'NHWC') == 'NHWC', op.startswith('conv_t')
    p.setdefault('weight_shift', shifts(co, rng))
    if nhwc or not transposed: weights = (co, *k, ci // g) if nhwc else (co, ci // g, *k)
    else: weights = (ci, co // g, *k)
    ins = {'in': full((n, h, w, ci) if nhwc else (n, ci, h, w), rng), 'weights': ints('i16', weights, rng)}
    if with_bias: ins['bias'] = bias(co, rng)
    if g > 1: p['groups'] = g
    s.check(op, what, ins, **p)


def convolutions(s, rng):
    one = lambda *a, **p: conv(s, rng, 'conv2d_w16', *a, **p)
    for w, layout in itertools.product(WIDTHS, ('NHWC', 'NCHW')):
        one(f'3x3 width {w} {layout}', 3, w, 2, 3, (3, 3), pad=[1, 1, 1, 1], layout=layout)
        one(f'1x1 channels {w} {layout}', 2, 2, w, 5, (1, 1), layout=layout, act_min=0)
        one(f'2x2 filters {w} {layout}', 2, 3, 3, w, (2, 2), pad='SAME_UPPER', layout=layout)
        one(f'3x3 depthwise {w} {layout}', 3, 3, w, w, (3, 3), w, pad='SAME_UPPER', layout=layout)
    for pad, layout in itertools.product(('VALID', 'SAME_UPPER', 'SAME_LOWER', 'FULL', [1, 0, 2, 1]), ('NHWC', 'NCHW')):
        for stride, dilation in (([1, 1], [1, 1]), ([2, 1], [1, 1]), ([1, 2], [2, 1]), ([3, 2], [1, 2])):
            one(f'{pad} {stride} {dilation} {layout}', 6, 7, 4, 6, (3, 2), rng.choice((1, 2)), 2, rng.random() < .5, pad=pad, stride=stride, dilation=dilation, layout=layout)
    for n in range(31): one(f'shift {n}', 2, 9, 3, 2, (1, 1), weight_shift=[n])
    one('no pictures', 3, 3, 2, 2, (1, 1), n=0)


def transposed(s, rng):
    for i in range(40):
        layout, g = rng.choice(['NHWC', 'NCHW']), rng.choice([1, 1, 2, 3])
        conv(s, rng, 'conv_transpose2d_w16', str(i), rng.randint(1, 5), rng.randint(1, 6), g * rng.randint(1, 3), g * rng.randint(1, 3), (rng.randint(1, 3), rng.randint(1, 3)), g,
             rng.choice([1, 2]), rng.random() < .6, layout=layout, stride=[rng.randint(1, 3), rng.randint(1, 3)], pad=rng.choice(['VALID', 'SAME_UPPER', 'SAME_LOWER']),
             **(dict(act_min=-ONE, act_max=6 * ONE) if i % 4 == 0 else {}))


def dense_w16(s, rng):
    op = 'fully_connected_w16'
    for k in WIDTHS:
        s.check(op, f'depth {k}', {'in': full((2, k), rng), 'weights': ints('i16', (3, k), rng), 'bias': bias(3, rng)}, weight_shift=shifts(3, rng))
        s.check(op, f'units {k}', {'in': full((3, 5), rng), 'weights': ints('i16', (k, 5), rng)}, weight_shift=shifts(k, rng), act_min=0)
    s.check(op, 'no rows', {'in': q((0, 3), rng), 'weights': ints('i16', (2, 3), rng)}, weight_shift=[3])


def w16_limits(s, rng):
    """Sums at the edge of 64 bits, and beyond."""
    op = 'fully_connected_w16'
    line = lambda d, n, v: spec(d, (1, n), seed=1, lo=v, hi=v)
    for (x, w), shift in itertools.product(itertools.product((LO, HI), (-32768, 32767)), (0, 1, 15, 16, 30)):
        s.check(op, f'extremes {x}*{w} shift {shift}', {'in': line('q16', 3, x), 'weights': line('i16', 3, w)}, weight_shift=[shift])
    top = 2 ** 63 - 1
    for w, n, b, shift in ((32767, 65536, 0, 30), (32767, 65536, 2 ** 47 - 1, 0), (32767, 65536, 2 ** 47, 0), (-32768, 65535, 2 ** 46 - 1, 0), (-32768, 65536, 0, 0), (-32768, 131072, 0, 0), (-32768, 131071, 0, 30), (32767, 131072, 2 ** 48 - 1, 0), (32767, 131072, 2 ** 48, 0), (32767, 131072, 2 ** 48 - 1, 1), (1, 1, top - 2 ** 31, 0),
                           (1, 1, top - 2 ** 31 - 1, 1), (1, 1, top - 2 ** 31, 1), (1, 1, top - 2 ** 31 + 1, 0), (0, 1, top, 0), (0, 1, top, 1), (0, 1, -2 ** 63, 0), (0, 1, 1 - 2 ** 63, 0), (0, 2, 2 ** 62, 30), (-1, 1, 1 - 2 ** 62, 30)):
        for x in (LO, HI): s.check(op, f'{n} of {x}*{w}, bias {b}, shift {shift}', {'in': line('q16', n, x), 'weights': line('i16', n, w), 'bias': spec('i64', (1,), [b])}, weight_shift=[shift])
    tie = [x * 2 + 1 for x in range(-4, 4)]
    for shift in (1, 2, 15): s.check(op, f'ties of shift {shift}', {'in': spec('q16', (8, 1), [v << shift - 1 for v in tie]), 'weights': spec('i16', (1, 1), [1])}, weight_shift=[shift])
    ins = lambda x='q16', w='i16', b='i64', n=2: {'in': ints(x, (1, 1, 2, 2), rng), 'weights': ints(w, (2, 1, 1, 2), rng), 'bias': ints(b, (n,), rng)}
    for op in ('conv2d_w16', 'conv_transpose2d_w16'):
        for what, i in (('in i32', ins(x='i32')), ('weights q16', ins(w='q16')), ('weights i8', ins(w='i8')), ('bias i32', ins(b='i32')), ('bias length', ins(n=3))): s.check(op, what, i, weight_shift=[1])
        for what, p in (('shift 31', [31]), ('shift -1', [-1]), ('shifts 3', [1, 2, 3]), ('no shift', [])): s.check(op, what, ins(), weight_shift=p)
        s.check(op, 'act_min above act_max', ins(), weight_shift=[1], act_min=1, act_max=0)


def models(rng):
    s = Suite('models')
    for part in (convolutions, transposed, dense_w16, w16_limits): part(s, rng)
    return s


# ---- sums of bytes -----------------------------------------------------------------------------------
BYTES = list(itertools.product(('i8', 'u8'), ('i8', 'u8')))


def some_zeros(dtype, n, rng): return [rng.choice((*bounds(dtype), 0, 3, 100)) for _ in range(n)]


def conv_integer(s, rng):
    op = 'conv2d_integer'

    def case(what, h, w, ci, co, k, g=1, n=1, a='u8', b='i8', per=True, **p):
        nhwc = p.get('layout', 'NHWC') == 'NHWC'
        if g > 1: p['groups'] = g
        s.check(op, what, {'in': ints(a, (n, h, w, ci) if nhwc else (n, ci, h, w), rng), 'weights': ints(b, (co, *k, ci // g) if nhwc else (co, ci // g, *k), rng)},
                **{'input_zero': some_zeros(a, 1, rng)[0], 'weight_zero': some_zeros(b, co if per else 1, rng), **p})
    for (a, b), layout in itertools.product(BYTES, ('NHWC', 'NCHW')):
        for w in (1, 2, 3, 7, 8, 9, 15, 16, 17, 33):
            case(f'{a} {b} 3x3 width {w} {layout}', 3, w, 2, 3, (3, 3), a=a, b=b, pad=[1, 1, 1, 1], layout=layout)
            case(f'{a} {b} 1x1 channels {w} {layout}', 2, 2, w, 5, (1, 1), a=a, b=b, per=False, layout=layout)
    for pad, layout in itertools.product(('VALID', 'SAME_UPPER', 'SAME_LOWER', 'FULL', [1, 0, 2, 1]), ('NHWC', 'NCHW')):
        for stride, dilation in (([1, 1], [1, 1]), ([2, 1], [2, 1])):
            case(f'{pad} {stride} {dilation} {layout}', 6, 7, 4, 6, (3, 2), 2, 2, pad=pad, stride=stride, dilation=dilation, layout=layout)
    case('depthwise', 4, 4, 5, 5, (3, 3), 5, pad='SAME_UPPER'), case('no pictures', 3, 3, 2, 2, (1, 1), n=0)
    s.check(op, 'no zeros', {'in': ints('u8', (1, 3, 3, 2), rng), 'weights': ints('i8', (2, 2, 2, 2), rng)})
    small = dict(h=3, w=3, ci=2, co=2, k=(2, 2))
    for what, p in (('input_zero 256', dict(input_zero=256)), ('input_zero -1', dict(input_zero=-1)), ('weight_zero 128', dict(weight_zero=[128])), ('weight_zeros 3', dict(weight_zero=[1, 2, 3])),
                    ('groups 0', dict(groups=0)), ('stride 0', dict(stride=[0, 1])), ('groups do not divide', dict(groups=3))):
        case(what, **small, **p)
    for d, e in (('i16', 'i8'), ('q16', 'i8'), ('u8', 'i16'), ('i32', 'u8')):
        s.check(op, f'{d} {e}', {'in': ints(d, (1, 2, 2, 1), rng), 'weights': ints(e, (1, 1, 1, 1), rng)})


def matmul_integer(s, rng):
    op = 'matmul_integer'
    zeros = lambda a, b, x, y: dict(input_zero=some_zeros(a, x, rng), b_zero=some_zeros(b, y, rng))
    pair = lambda a, b, x, y: {'in': ints(a, x, rng), 'b': ints(b, y, rng)}
    for (a, b), k in itertools.product(BYTES, (1, 2, 7, 8, 9, 16, 17, 33, 64, 65)):
        s.check(op, f'{a} {b} inner {k}', pair(a, b, (3, k), (k, 4)), **zeros(a, b, 3, 4))
        s.check(op, f'{a} {b} columns {k}', pair(a, b, (2, 3, 5), (2, 5, k)), **zeros(a, b, 1, 2 * k))
    for x, y in (((4, 5), (5, 6)), ((1, 3, 4), (2, 4, 5)), ((2, 1, 3, 4), (5, 4, 2)), ((3, 4), (2, 2, 4, 3)), ((2, 1, 1, 2, 2, 3), (1, 2, 1, 3, 3, 2)), ((0, 2, 3), (3, 4)), ((1, 70), (70, 70))):
        for rows, columns in ((1, 1), (x[-2], y[-1]), (prod(x[:-1]), prod(y[:-2]) * y[-1])):
            s.check(op, f'{x}x{y} zeros {rows} {columns}', pair('u8', 'i8', x, y), **(zeros('u8', 'i8', rows, columns) if rows and columns else {}))
    for x, y in (((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 4)), ((4,), (4, 2)), ((2, 4), (4,)), ((2, 0), (0, 3))): s.check(op, f'misfit {x}x{y}', pair('u8', 'u8', x, y))
    for what, p in (('input_zeros 3', dict(input_zero=[1, 2, 3])), ('b_zeros 2', dict(b_zero=[1, 2])), ('input_zero 256', dict(input_zero=[256])), ('b_zero -129', dict(b_zero=[-129])), ('b_zero 128 of 3', dict(b_zero=[0, 0, 128]))):
        s.check(op, what, pair('u8', 'i8', (2, 4), (4, 3)), **p)
    for d, e in (('i16', 'i8'), ('q16', 'q16'), ('u8', 'i16'), ('i32', 'u8')): s.check(op, f'{d} {e}', pair(d, e, (2, 2), (2, 2)))


def integer_limits(s, rng):
    """As many of the largest products as 32 bits hold, and one more."""
    line = lambda d, shape, v: spec(d, shape, seed=1, lo=v, hi=v)
    for x, w, zx, zw in (('u8', 'u8', 0, 0), ('u8', 'i8', 0, 0), ('i8', 'i8', 0, 0), ('i8', 'i8', -128, -128), ('u8', 'u8', 255, 255)):
        most = max(abs(e - zw) for e in bounds(w))
        n = (2 ** 31 - 1) // (most * max(abs(e - zx) for e in bounds(x)))
        far = max(bounds(w), key=lambda e: abs(e - zw))
        for count, end in itertools.product((n, n + 1), bounds(x)):
            s.check('matmul_integer', f'{count} of {end} {x} zero {zx} times {far} {w} zero {zw}', {'in': line(x, (1, count), end), 'b': line(w, (count, 1), far)}, input_zero=[zx], b_zero=[zw])
            s.check('conv2d_integer', f'{count} of {end} {x} zero {zx} times {far} {w} zero {zw}', {'in': line(x, (1, 1, 1, count), end), 'weights': line(w, (1, 1, 1, count), far)}, input_zero=zx, weight_zero=[zw])
    for zeros in ([0, 0], [0, -128]):
        s.check('matmul_integer', f'rows of zeros {zeros}', {'in': line('i8', (2, 70000), 127), 'b': line('i8', (70000, 1), 100)}, input_zero=zeros, b_zero=[-100])
    for zeros in ([0, 0], [0, -128]):
        s.check('matmul_integer', f'columns of zeros {zeros}', {'in': line('u8', (1, 70000), 255), 'b': line('i8', (70000, 2), 1)}, b_zero=zeros)
        s.check('conv2d_integer', f'filters of zeros {zeros}', {'in': line('u8', (1, 1, 1, 70000), 255), 'weights': line('i8', (2, 1, 1, 70000), 1)}, weight_zero=zeros)


def integer(rng):
    s = Suite('integer')
    for part in (conv_integer, matmul_integer, integer_limits): part(s, rng)
    return s


# ---- quantized and real ------------------------------------------------------------------------------
SCALES = [1, 0x7fffff, 0x800000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3c23d70a, 0x3b800000, 0x37800000, 0x33800000, 0x40490fdb, 0x45800000, 0x46ffffff, 0x47000000, 0x47800000, 0x7f7fffff]


def scaled(s, rng):
    for out, ties in itertools.product(('i8', 'u8', 'i16'), ('even', 'away')):
        lo, hi = bounds(out)
        for bits in SCALES + [rng.randint(0x37000000, 0x3f000000) for _ in range(6)]:
            s.check('quantize', f'{out} {ties} scale {bits:#x}', {'in': spec('q16', (len(EXTREMES),), EXTREMES)}, output_dtype=out, ties=ties, scale=bits, zero=rng.choice((0, lo, hi, 3)))
        s.check('quantize', f'{out} {ties} halves', {'in': spec('q16', (41,), range(-20 * 32768, 21 * 32768, 32768))}, output_dtype=out, ties=ties, zero=1)
        s.check('quantize', f'{out} {ties} of 3', {'in': spec('q16', (64,), range(-32, 32))}, output_dtype=out, ties=ties, scale=0x38400000)  # 3 / 65536
        s.check('quantize', f'{out} {ties} many', {'in': full((500,), rng)}, output_dtype=out, ties=ties, scale=0x43000000)
    for what, p in (('default', {}), ('scale 0', dict(scale=0)), ('scale infinite', dict(scale=0x7f800000)), ('scale negative', dict(scale=0xbf800000)), ('zero 128', dict(zero=128)), ('to i32', dict(output_dtype='i32')), ('ties up', dict(ties='up'))):
        s.check('quantize', what, {'in': q((2, 3), rng)}, **p)
    s.check('quantize', 'i32', {'in': ints('i32', (2,), rng)})
    s.check('quantize', 'no elements', {'in': spec('q16', (0, 2), [])})
    for d in ('i8', 'u8', 'i16', 'i32'):
        lo, hi = bounds(d)
        zeros = (0, lo, hi, 3)
        for bits in SCALES: s.check('dequantize', f'{d} scale {bits:#x}', {'in': spec(d, (8,), [lo, lo + 1, 1, 2, 3, 4, hi - 1, hi])}, scale=[bits], zero=[rng.choice(zeros)])
        for bits in (0x37800000, 0x37000000, 0x36800000, 0x37400000): s.check('dequantize', f'{d} ties {bits:#x}', {'in': spec(d, (20,), range(20))}, scale=[bits], zero=[9])
        for axis in (0, 1, 2, -1): s.check('dequantize', f'{d} axis {axis}', {'in': ints(d, (3, 4, 5), rng)}, axis=axis, scale=[rng.randint(0x37000000, 0x3f000000) for _ in range((3, 4, 5)[axis])],
                                           **({} if axis == 1 else dict(zero=[rng.choice(zeros) for _ in range((3, 4, 5)[axis])])))
    x = ints('i8', (2, 3), rng)
    for what, p in (('one scale, zeros', dict(scale=[ONE << 14], zero=[1, 2])), ('no scale', {}), ('scales 3', dict(scale=[1, 2, 3])), ('zeros 3', dict(scale=[1], zero=[1, 2, 3])), ('axis 2', dict(scale=[1, 2], axis=2)), ('scale 0', dict(scale=[0])),
                    ('scale NaN', dict(scale=[0x7fc00000])), ('zero 128', dict(scale=[1], zero=[128]))): s.check('dequantize', what, {'in': x}, **p)
    s.check('dequantize', 'q16', {'in': q((2,), rng)}, scale=[1])
    s.check('dequantize', 'scalar', {'in': spec('i8', (), [5])}, scale=[0x3f800000])


def rule_params(rule, real):
    if rule == 'xnnpack': return dict(rule=rule, scale=[real])
    m, e = quantize_multiplier(real)
    return dict(multiplier=[m], shift=[e])


def scales_of_rules(rng): return [('tflm', r) for r in (1.0, .5, 1 / 3, 2.0, 1e-3, 100.0, rng.uniform(.01, 2))] + [('xnnpack', b) for b in (0x3f800000, 0x3f000000, 0x3eaaaaab, 0x40000000, 0x3a83126f, 0x42c80000, 0x7f7fffff)]


def requantized(s, rng):
    for a, b in itertools.product(('i8', 'u8', 'i16'), ('i8', 'u8', 'i16')):
        (lo, hi), (ylo, yhi) = bounds(a), bounds(b)
        for rule, real in scales_of_rules(rng):
            if rule == 'xnnpack' and 'i16' in (a, b): continue
            what = spec(a, (256,), range(lo, lo + 256)) if a != 'i16' else ints(a, (200,), rng)
            s.check('requantize', f'{a} to {b} {rule} {real}', {'in': what}, output_dtype=b, input_zero=rng.choice((lo, 0, hi)), output_zero=rng.choice((ylo, 0, yhi)), **rule_params(rule, real))
    x, p = ints('i8', (3,), rng), dict(multiplier=[1 << 30], shift=[1])
    for what, e in (('default', {}), ('to i32', dict(output_dtype='i32')), ('input_zero 128', dict(input_zero=128)), ('output_zero 128', dict(output_zero=128)), ('two', dict(multiplier=[1, 2], shift=[0, 0])), ('shift 31', dict(shift=[31])),
                    ('xnnpack without scale', dict(rule='xnnpack')), ('xnnpack to i16', dict(rule='xnnpack', scale=[0x3f800000], output_dtype='i16'))): s.check('requantize', what, {'in': x}, **dict(p, **e))
    s.check('requantize', 'i32', {'in': ints('i32', (2,), rng)}, **p)
    for d in ('i8', 'u8', 'i16'):
        lo, hi = bounds(d)
        for rule, real in scales_of_rules(rng):
            if rule == 'xnnpack' and d == 'i16': continue
            axes = rng.choice(([1, 2], [-1], [0, 3], [], [2, 0, 1]))
            s.check('q_mean', f'{d} {rule} {real} {axes}', {'in': ints(d, (2, 3, 4, 5), rng)}, axes=axes, keepdims=rng.random() < .5, input_zero=rng.choice((lo, 0, hi)), output_zero=rng.choice((lo, 0, 3)), **rule_params(rule, real))
        s.check('q_mean', f'{d} clamped', {'in': ints(d, (4, 9), rng)}, axes=[0], act_min=10, act_max=20, **p)
    for what, e in (('axis twice', dict(axes=[0, -2])), ('axis 2', dict(axes=[2])), ('act', dict(act_min=1, act_max=0)), ('two', dict(multiplier=[1, 2], shift=[0, 0]))): s.check('q_mean', what, {'in': ints('i8', (2, 3), rng)}, **dict(p, **e))
    s.check('q_mean', 'no elements', {'in': spec('i8', (2, 0), [])}, axes=[1], **p)
    s.check('q_mean', 'q16', {'in': q((2,), rng)}, **p)


# ---- reductions and the rest ---------------------------------------------------------------------------
def rest(s, rng):
    for op in ('reduce_sum', 'reduce_mean', 'reduce_max', 'reduce_min'):
        for shape in ((7,), (3, 5), (2, 3, 4), (2, 3, 2, 3, 2, 2)):
            for axes in ([], [0], [-1], [0, len(shape) - 1] if len(shape) > 1 else [0], list(range(len(shape)))):
                s.check(op, f'{shape} {axes}', {'in': full(shape, rng)}, axes=axes, keepdims=rng.random() < .5)
        for d in ([LO] * 3, [HI] * 3, [LO, HI], [1, 2], [-1, -2], [-1, 0], [LO], EXTREMES): s.check(op, f'values {d[:3]} {len(d)}', {'in': spec('q16', (len(d),), d)})
        for shape, p in (((2, 0, 3), dict(axes=[1])), ((2, 0, 3), dict(axes=[0])), ((0,), {}), ((), {}), ((2, 3), dict(axes=[2])), ((2, 3), dict(axes=[0, 0]))): s.check(op, f'{shape} {p}', {'in': q(shape, rng)}, **p)
        s.check(op, 'i32', {'in': ints('i32', (2,), rng)})
    for i in range(20):
        n = rng.randint(1, 40)
        s.check('reduce_mean', f'ties {i}', {'in': q((4, n), rng, -3, 3)}, axes=[1])
    for d in ('q16', 'i8', 'u8', 'i16', 'u16', 'i32', 'i64'):
        for axis, p in itertools.product((0, 1, -1), (dict(), dict(select_last=True, keepdims=False))): s.check('argmin', f'{d} axis {axis} {p}', {'in': spec(d, (3, 4, 5), seed=rng.getrandbits(40), lo=0, hi=5)}, axis=axis, **p)
        s.check('argmin', f'{d} ends', {'in': spec(d, (3,), [bounds(d)[1], bounds(d)[0], 1])}, output_dtype='i32')
    for what, t, p in (('axis 1', q((2,), rng), dict(axis=1)), ('no elements', q((0,), rng), {}), ('f32', spec('f32', (1,), [0]), {}), ('to i16', q((2,), rng), dict(output_dtype='i16'))): s.check('argmin', what, {'in': t}, **p)
    for op in ('abs', 'neg'):
        s.check(op, 'extremes', {'in': spec('q16', (len(EXTREMES),), EXTREMES)})
        for shape in ((), (0, 2), (3, 67)): s.check(op, f'{shape}', {'in': full(shape, rng)})
        s.check(op, 'i8', {'in': ints('i8', (2,), rng)})
    for a, b in (((3,), [2, 3]), ((2, 1, 3), [2, 4, 3]), ((2, 1, 3), [4, 1]), ((), [2, 2]), ((1,), [0]), ((2, 3), []), ((1, 2, 1, 2, 1, 2), [2, 1, 2, 1, 2, 1]), ((2,), [3]), ((2, 3), [2]), ((1,), [-1]), ((1,), [1] * 7), ((0, 1), [3])):
        s.check('expand', f'{a} to {b}', {'in': ints('i16', a, rng)}, shape=b)
    for d in ('i8', 'q16', 'i64', 'f16', 'f32'): s.check('expand', d, {'in': ints(d, (2, 1), rng) if d[0] != 'f' else spec(d, (2, 1), [1, 2])}, shape=[3, 2, 4])
    for b, layout, d in itertools.product((1, 2, 3), ('NHWC', 'NCHW'), ('q16', 'i8')):
        s.check('space_to_depth', f'{b} {layout} {d}', {'in': ints(d, (2, 2 * b, 3 * b, 5) if layout == 'NHWC' else (2, 5, 2 * b, 3 * b), rng)}, block=b, layout=layout)
    for what, shape, p in (('block 0', (1, 2, 2, 1), dict(block=0)), ('block 3', (1, 3, 4, 1), dict(block=3)), ('rank 3', (2, 2, 1), {}), ('no rows', (1, 0, 2, 1), dict(block=2))): s.check('space_to_depth', what, {'in': q(shape, rng)}, **p)


def normalised(s, rng):
    op = 'instance_norm'
    eps = 42950                                                                       # 1e-5
    for layout, shape in itertools.product(('NHWC', 'NCHW'), ((1, 3, 4, 4), (2, 2, 3, 4), (1, 1, 1, 4), (2, 5, 4), (1, 2, 2, 2, 3), (0, 2, 2, 2), (2, 4, 0, 3))):
        c = shape[1] if layout == 'NCHW' else shape[-1]
        for e, (lo, hi) in itertools.product((0, eps), ((LO, HI), (-4 * ONE, 4 * ONE), (-2, 2), (7, 7))):
            s.check(op, f'{layout} {shape} {e} {hi}', {'in': q(shape, rng, lo, hi), 'scale': q((c,), rng, lo, hi), 'bias': q((c,), rng)}, epsilon=e, layout=layout)
    two = lambda x, a, b, **p: s.check(op, f'{x[:4]} {len(x)} {a} {b} {p}', {'in': spec('q16', (1, len(x), 1), x), 'scale': spec('q16', (1,), [a]), 'bias': spec('q16', (1,), [b])}, **p)
    for x, a, b in itertools.product(([LO, HI], [HI, HI], [0, 1], [LO] + [HI] * 500, [1] + [0] * 1000, [3, 1, 2, 5]), (LO, HI, 1, -1, ONE), (LO, 0, HI)): two(x, a, b)
    for a in range(-3, 4): two([1, -1], a, 0, epsilon=3), two([1, -1, 1, -1], a, 5, epsilon=3)                              # halves
    two([1, -1], ONE, 0, epsilon=2 ** 63 - 1), two([LO, HI], HI, 0, epsilon=2 ** 63 - 1), two([1, 2], ONE, 0, epsilon=-1)
    for what, shape, n, d in (('rank 2', (2, 3), 3, 'q16'), ('scale length', (1, 2, 3), 2, 'q16'), ('i32', (1, 2, 3), 3, 'i32')): s.check(op, what, {'in': ints(d, shape, rng), 'scale': q((n,), rng), 'bias': q((n,), rng)})


def quantize(rng):
    s = Suite('quantize')
    for part in (scaled, requantized): part(s, rng)
    return s


def reduce(rng):
    s = Suite('reduce')
    for part in (rest, normalised): part(s, rng)
    return s
