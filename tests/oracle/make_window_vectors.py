"""Cases of sliding windows around every number of lanes; make_operator_vectors.py writes them."""
import itertools
import struct

from make_operator_vectors import WIDTHS, Suite, full, ints, scales
from make_vectors import HI, LO, ONE, q, spec
from oracle import FLOAT, bounds
from raw_to_vectors import quantize_multiplier

PADS = ['VALID', 'SAME_UPPER', 'SAME_LOWER', 'FULL', [1, 2, 0, 1]]
LAYOUTS = ('NHWC', 'NCHW')


def image(layout, n, h, w, c): return (n, h, w, c) if layout == 'NHWC' else (n, c, h, w)
def weights(layout, o, kh, kw, i): return (o, kh, kw, i) if layout == 'NHWC' else (o, i, kh, kw)


# ---- pooling ------------------------------------------------------------------------------------
def pool_more(rng):
    s = Suite('pool_more')
    pads = itertools.cycle(PADS)
    for op, d, layout in itertools.product(('max_pool2d', 'avg_pool2d'), ('i8', 'q16'), LAYOUTS):
        data = lambda h, w, c: {'in': ints(d, image(layout, 1, h, w, c), rng)}
        for w in WIDTHS:
            pad = next(pads)
            s.check(op, f'{d} {layout} width {w} {pad}', data(4, w, 2), kernel=[3, 3], stride=[1 + w % 2, 1], pad=pad, layout=layout)
            if layout == 'NCHW': s.check(op, f'{d} 2x2/2 width {2 * w}', data(2, 2 * w, 1), kernel=[2, 2], stride=[2, 2], layout=layout)
            else: s.check(op, f'{d} channels {w} {pad}', data(3, 4, w), kernel=[3, 3], stride=[1, 2], pad=pad)
        next(pads)
        for pad in PADS: s.check(op, f'{d} {layout} {pad} dilated', data(9, 10, 3), kernel=[3, 2], dilation=[2, 3], stride=[2, 1], pad=pad, layout=layout)
        for end in bounds(d): s.check(op, f'{d} {layout} all {end}', {'in': spec(d, image(layout, 1, 3, 33, 2), seed=1, lo=end, hi=end)}, kernel=[3, 3], pad='SAME_UPPER', layout=layout)
    for pad, cm in itertools.product(PADS, (False, True)):
        s.check('avg_pool2d', f'q16 count_include_pad {pad} {cm}', {'in': full((1, 7, 19, 2), rng)}, kernel=[3, 3], stride=[2, 2], pad=pad, count_include_pad=True, **({'ceil_mode': True} if cm and isinstance(pad, list) else {}))
    for d in ('i8', 'u8', 'i16', 'q16'):
        lo, hi = bounds(d)
        s.check('max_pool2d', f'{d} clamped', {'in': ints(d, (1, 4, 17, 3), rng)}, kernel=[2, 2], act_min=lo // 2 + 10, act_max=hi // 2)
        s.check('avg_pool2d', f'{d} clamped', {'in': ints(d, (1, 4, 17, 3), rng)}, kernel=[2, 2], act_min=lo // 9 + 50, act_max=hi // 2)
    for op, d in (('max_pool2d', 'i32'), ('max_pool2d', 'f32'), ('avg_pool2d', 'f32')): s.check(op, f'{d} does not clamp', {'in': spec(d, (1, 1, 1, 1), [0])}, kernel=[1, 1], act_min=0)
    global_pools(s, rng)
    return s


def global_pools(s, rng):
    dtypes = ('q16', 'i8', 'u8', 'i16', 'f32', 'i32', 'u16', 'i64', 'f16')
    for op, count in (('max_pool2d', 9), ('avg_pool2d', 5)):
        for d, layout, (h, w) in itertools.product(dtypes[:count], LAYOUTS, ((1, 1), (3, 5), (8, 8))):
            shape = image(layout, 2, h, w, 3)
            if op == 'max_pool2d' and d in FLOAT: data = spec(d, shape, seed=rng.getrandbits(48), lo=0, hi=(1 << FLOAT[d]['bits']) - 1)
            elif d == 'f32': data = spec(d, shape, [rng.getrandbits(1) << 31 | rng.randint(110, 140) << 23 | rng.getrandbits(23) for _ in range(6 * h * w)])
            else: data = ints(d, shape, rng)
            s.add(f'{op} global {d} {layout} {h}x{w}', op, {'in': data}, **{'layout': layout, 'global': True})
        for c in WIDTHS:
            s.add(f'{op} global channels {c}', op, {'in': ints('i8', (1, 7, 7, c), rng)}, **{'global': True})
            s.add(f'{op} global width {c}', op, {'in': full((1, 2, 3, c), rng)}, **{'global': True, 'layout': 'NCHW'})
        s.add(f'{op} global, the rest is not looked at', op, {'in': ints('i8', (1, 3, 4, 2), rng)}, **{'global': True, 'kernel': [9, 9], 'stride': [3, 3], 'dilation': [2, 2], 'pad': [1, 1, 1, 1]})
        s.add(f'{op} global clamped', op, {'in': ints('i8', (1, 3, 4, 2), rng)}, **{'global': True, 'act_min': 5, 'act_max': 9})
        for end in (LO, HI): s.add(f'{op} global all {end}', op, {'in': spec('q16', (1, 64, 64, 1), seed=1, lo=end, hi=end)}, **{'global': True})
        for shape in ((0, 3, 4, 2), (1, 0, 4, 2), (1, 3, 0, 2), (3, 4, 2)): s.add(f'{op} global {shape}', op, {'in': ints('i8', shape, rng)}, **{'global': True})
    s.add('avg_pool2d global i32', 'avg_pool2d', {'in': ints('i32', (1, 2, 2, 1), rng)}, **{'global': True})
    for nan in ('ignore', 'propagate'):
        s.add(f'max_pool2d global NaN {nan}', 'max_pool2d', {'in': spec('f32', (1, 1, 4, 2), [0x7fc00000, 0x7f800001, 0x3f800000, 0xffc00001, 0x80000000, 0xff800000, 0, 0x7fc12345])}, **{'global': True, 'nan': nan})


# ---- convolution ----------------------------------------------------------------------------------
def conv_more(rng):
    s, op, pads = Suite('conv_more'), 'conv2d', itertools.cycle(PADS)

    def case(what, layout, h, w, ci, co, k, lo=-8 * ONE, hi=8 * ONE, g=1, bias=True, **p):
        ins = {'in': q(image(layout, 1, h, w, ci), rng, lo, hi), 'weights': q(weights(layout, co, *k, ci // g), rng, lo // 8, hi // 8)}
        if bias: ins['bias'] = q((co,), rng, lo, hi)
        s.check(op, f'{what} {layout}', ins, layout=layout, **({'groups': g} if g > 1 else {}), **p)
    for layout, w in itertools.product(LAYOUTS, WIDTHS):
        pad = next(pads) if w > 2 else next(pads) and 'SAME_UPPER'
        case(f'3x3 width {w} {pad}', layout, 4, w, 2, 3, (3, 3), pad=pad)
        case(f'3x3 full range width {w + 2}', layout, 3, w + 2, 1, 2, (3, 3), LO, HI)
        case(f'3x3/2 width {w} {pad}', layout, 4, w, 3, 2, (3, 3), stride=[2, 2], pad=pad)
        case(f'1x1 inputs {w}', layout, 1, 3, w, 5, (1, 1), LO, HI)
        case(f'3x3 inputs {w}', layout, 3, 4, w, 2, (3, 3))
        case(f'3x3 depthwise {w} {pad}', layout, 3, 4, w, w, (3, 3), g=w, pad=pad)
        if layout == 'NHWC':
            case(f'1x1 outputs {w}', layout, 1, 3, 5, w, (1, 1), act_min=0)
            case(f'3x3 outputs {w}', layout, 3, 4, 2, w, (3, 3), act_min=0, act_max=6 * ONE)
        else:
            case(f'1x1 width {w}', layout, 1, w, 3, 4, (1, 1), bias=False)
            case(f'3x3 depthwise width {w}', layout, 3, w, 2, 4, (3, 3), g=2, pad='SAME_UPPER', stride=[1, 1 + w % 2])
        next(pads)
    for layout, pad in itertools.product(LAYOUTS, PADS):
        case(f'5x3 dilated {pad}', layout, 11, 9, 4, 4, (5, 3), g=2, dilation=[2, 2], stride=[1, 2], pad=pad)
    limits(s, rng)
    bad = lambda what, a, b, **p: s.check(op, what, {'in': a, 'weights': b}, **p)
    x, k = q((1, 4, 4, 2), rng), q((2, 3, 3, 2), rng)
    bad('weights i8', x, ints('i8', (2, 3, 3, 2), rng)), bad('act_min above act_max', x, k, act_min=1, act_max=0), bad('pad of three', x, k, pad=[1, 1, 1])
    bad('NCHW weights for NHWC', x, q((2, 2, 3, 3), rng)), bad('no weights', x, spec('q16', (0, 3, 3, 2), [])), bad('no channels', spec('q16', (1, 4, 4, 0), []), spec('q16', (2, 3, 3, 0), []))
    bad('kernel larger than a padded input', q((1, 2, 2, 2), rng), q((2, 5, 5, 2), rng), pad=[1, 1, 1, 1])
    return s


def limits(s, rng):
    """Sums of |w| at 2^32 - 1, where a 64-bit sum is exact for every input, and one above, where it is not."""
    for name, tail in (('at', [HI, 1]), ('above', [HI, 2]), ('far above', [HI, HI, HI, HI, HI, HI, HI])):
        w = [HI] + tail
        for sign, x in itertools.product((1, -1), (LO, HI)):
            for shape, layout in (((1, 1, 17, len(w)), 'NHWC'), ((1, len(w), 1, 17), 'NCHW')):
                ins = {'in': spec('q16', shape, seed=1, lo=x, hi=x), 'weights': spec('q16', (1, 1, 1, len(w)) if layout == 'NHWC' else (1, len(w), 1, 1), [sign * v for v in w])}
                s.check('conv2d', f'sum of |w| {name} the limit, {sign} {x} {layout}', ins, layout=layout)
                ins['bias'] = spec('q16', (1,), [LO if sign * x > 0 else HI])
                s.check('conv2d', f'sum of |w| {name} the limit, {sign} {x} {layout}, bias', ins, layout=layout)
    alternate = [HI if i % 2 else LO for i in range(9)]
    for a, b in itertools.product(([LO] * 9, [HI] * 9, alternate), repeat=2):
        s.check('conv2d', f'extremes {a[0]} {a[1]} by {b[0]} {b[1]}', {'in': spec('q16', (1, 3, 3, 1), a), 'weights': spec('q16', (1, 3, 3, 1), b)})
    for b in (LO, -1, 0, 1, HI): s.check('conv2d', f'bias {b} alone', {'in': spec('q16', (1, 1, 9, 1), [0] * 9), 'weights': spec('q16', (1, 1, 1, 1), [ONE]), 'bias': spec('q16', (1,), [b])})
    s.check('conv2d', 'ties', {'in': spec('q16', (1, 1, 9, 1), [-65536 * 2 + 32768, -98304, -32769, -32768, -32767, 32767, 32768, 32769, 98304]), 'weights': spec('q16', (1, 1, 1, 1), [1])})


# ---- quantized -------------------------------------------------------------------------------------
def quant_params(d, rule, co, terms, rng):
    lo, hi = bounds(d)
    p = dict(rule=rule, input_zero=0 if d == 'i16' else rng.choice([lo, hi, 0 if lo else 128, rng.randint(lo, hi)]), output_zero=0 if d == 'i16' else rng.choice([lo, hi, rng.randint(lo, hi)]))
    if d == 'u8': p['weight_zero'] = rng.choice([0, 255, 128])
    real = [scales(rng) * (hi - lo) / ((hi - lo) * 128 * terms ** .5) for _ in range(rng.choice([1, co]) if co <= 20 or co == 33 else 1)]
    if rule == 'xnnpack': p['scale'] = [struct.unpack('<I', struct.pack('<f', r))[0] for r in real]
    else: p['multiplier'], p['shift'] = map(list, zip(*map(quantize_multiplier, real)))
    return p


def quantized_more(rng):
    s, op, pads = Suite('quantized_more'), 'q_conv2d', itertools.cycle(PADS)
    kinds = itertools.cycle([('i8', 'tflm'), ('i8', 'xnnpack'), ('u8', 'tflm'), ('i16', 'tflm'), ('i8', 'tflm'), ('u8', 'xnnpack')])

    def case(what, layout, h, w, ci, co, k, g=1, **extra):
        d, rule = next(kinds)
        wd = 'u8' if d == 'u8' else 'i8'
        ins = {'in': ints(d, image(layout, 1, h, w, ci), rng), 'weights': ints(wd, weights(layout, co, *k, ci // g), rng)}
        if rng.random() < .7: ins['bias'] = spec('i64' if d == 'i16' and rng.random() < .6 else 'i32', (co,), seed=rng.getrandbits(48), lo=-40000, hi=40000)
        p = quant_params(d, rule, co, k[0] * k[1] * ci // g, rng)
        if rule == 'tflm' and rng.random() < .5: del p['rule']
        s.check(op, f'{d} {rule} {what} {layout}', ins, **dict(p, layout=layout, **({'groups': g} if g > 1 else {}), **extra))
    for layout, w in itertools.product(LAYOUTS, WIDTHS):
        pad = next(pads) if w > 2 else 'SAME_LOWER'
        case(f'4x2 width {w} {pad}', layout, 4, w, 2, 3, (4, 2), pad=pad)
        case(f'1x1 inputs {w}', layout, 1, 3, w, 5, (1, 1))
        case(f'3x3 inputs {w} {pad}', layout, 3, 4, w, 2, (3, 3), pad=pad)
        if layout == 'NCHW': case(f'1x1 width {w}', layout, 1, w, 3, 4, (1, 1), act_min=3)
        else: case(f'1x1 outputs {w}', layout, 1, 3, 5, w, (1, 1), act_min=-5), case(f'3x3 outputs {w}', layout, 3, 4, 2, w, (3, 3))
        case(f'3x3 depthwise {w} {pad}', layout, 3, 4, w, w, (3, 3), w, pad=pad)
    for d, rule in (('i8', 'tflm'), ('u8', 'xnnpack'), ('i16', 'tflm')):
        for k in WIDTHS:
            wd = 'u8' if d == 'u8' else 'i8'
            s.check('q_fully_connected', f'{d} {rule} depth {k}', {'in': ints(d, (2, k), rng), 'weights': ints(wd, (3, k), rng), 'bias': spec('i32', (3,), seed=k, lo=-9999, hi=9999)}, **quant_params(d, rule, 3, k, rng))
    quant_extremes(s, rng)
    quant_errors(s, rng)
    return s


def quant_extremes(s, rng):
    fc = lambda what, d, x, wd, w, bias=None, **p: s.check('q_fully_connected', what, dict({'in': spec(d, (1, len(x)), x), 'weights': spec(wd, (1, len(w)), w)}, **({'bias': spec(*bias)} if bias else {})), **p)
    small = dict(multiplier=[1 << 30], shift=[-13])
    for (x, zx), (w, zw), zy in itertools.product(((-128, 127), (127, -128), (-128, -128), (127, 0)), ((-128, 0), (127, 0)), (-128, 127)):
        for rule, p in (('tflm', small), ('xnnpack', dict(scale=[0x38000000]))):
            fc(f'{rule} all {x} zero {zx} weights {w} output_zero {zy}', 'i8', [x] * 65, 'i8', [w] * 65, rule=rule, input_zero=zx, weight_zero=zw, output_zero=zy, **p)
    for x, zx, w, zw in ((0, 255, 255, 0), (255, 0, 0, 255), (255, 0, 255, 0), (0, 255, 0, 255)): fc(f'u8 all {x} zero {zx} weights {w} zero {zw}', 'u8', [x] * 65, 'u8', [w] * 65, input_zero=zx, weight_zero=zw, output_zero=128, **small)
    for x, w in itertools.product((-32768, 32767), (-128, 127)):
        fc(f'i16 all {x} weights {w}', 'i16', [x] * 65, 'i8', [w] * 65, multiplier=[1 << 30], shift=[-12])
        fc(f'i16 all {x} weights {w} bias i64', 'i16', [x] * 65, 'i8', [w] * 65, ('i64', (1,), [1 << 40 if x * w > 0 else -(1 << 40)]), multiplier=[1 << 30], shift=[-26])
    units = lambda what, xs, x=1, d='i8', bias=None, **p: s.check('q_fully_connected', what, dict({'in': spec(d, (1, 1), [x]), 'weights': spec('i8', (len(xs), 1), xs)}, **({'bias': spec(bias, (len(xs),), [0] * len(xs))} if bias else {})), **p)
    codes = [*range(-128, 128, 5), 127]
    for shift in (-31, -30, -8, -1, 0, 1, 2, 8): units(f'tflm shift {shift}', codes, multiplier=[(1 << 31) - 1], shift=[shift])
    for shift in (16, 23): units(f'tflm shift {shift}', codes, multiplier=[1 << 30], shift=[shift])
    units('tflm shift 30', [-1, 0, 1], multiplier=[1 << 30], shift=[30])
    for shift in (-31, -16, -1, 0, 7): units(f'i16 bias i64 shift {shift}', codes, 77, 'i16', 'i64', multiplier=[0x7fff0001], shift=[shift])
    for m in (1 << 30, (1 << 30) + 1, 0x7ffeffff, 0x7fff0000, (1 << 31) - 1): units(f'i16 bias i64 multiplier {m}', codes, 3333, 'i16', 'i64', multiplier=[m], shift=[-3])
    for m in (0, 1): units(f'tflm multiplier {m}', codes, multiplier=[m], shift=[0])
    for name, bits in (('least denormal', 1), ('denormal', 0x00400000), ('least normal', 0x00800000), ('tiny', 0x10000000), ('half', 0x3f000000), ('one', 0x3f800000), ('1 - ulp', 0x3f7fffff), ('2^24', 0x4b800000), ('2^31', 0x4f000000), ('huge', 0x60000000), ('largest', 0x7f7fffff)):
        units(f'xnnpack scale {name}', codes, rule='xnnpack', scale=[bits], output_zero=-3)
    big = ('i32', (1,), [(1 << 31) - 20000])
    for bits in (0x30000000, 0x33000000, 0x33800000): fc(f'xnnpack accumulator rounds to binary32, scale {bits:x}', 'i8', [127], 'i8', [127], big, rule='xnnpack', scale=[bits])
    for b in ((1 << 24) + 1, (1 << 24) + 3, -(1 << 24) - 1, (1 << 25) + 2, (1 << 25) + 6): fc(f'xnnpack bias {b} ties in binary32', 'i8', [0], 'i8', [0], ('i32', (1,), [b]), rule='xnnpack', scale=[0x33000000])
    for acc, bits in ((3, 0x3e2aaaab), (7, 0x3d924925), (1001, 0x3b23ad24), (16129, 0x38c30918)):       # exactly near k + 1/2, in binary32 a tie
        for sign in (1, -1): fc(f'xnnpack product {sign * acc} * {bits:x} rounds to a tie', 'i8', [0], 'i8', [0], ('i32', (1,), [sign * acc]), rule='xnnpack', scale=[bits])
    s.check('q_conv2d', 'padding equals the zero point', {'in': ints('i8', (1, 2, 2, 1), rng), 'weights': ints('i8', (1, 3, 3, 1), rng)}, pad='FULL', input_zero=-77, weight_zero=3, **small)


def quant_errors(s, rng):
    x, w, one = ints('i8', (1, 3, 3, 2), rng), ints('i8', (4, 2, 2, 2), rng), dict(multiplier=[1 << 30], shift=[-5])
    def bad(what, a=x, b=w, bias=None, quant=one, **p): s.check('q_conv2d', what, dict({'in': a, 'weights': b}, **({'bias': bias} if bias else {})), **dict(quant, **p))
    bad('in q16', q((1, 3, 3, 2), rng)), bad('weights i16', b=ints('i16', (4, 2, 2, 2), rng)), bad('bias i8', bias=ints('i8', (4,), rng)), bad('bias i64 of i8', bias=ints('i64', (4,), rng))
    bad('bias length', bias=ints('i32', (3,), rng)), bad('multiplier length', quant=dict(multiplier=[1 << 30] * 2, shift=[0])), bad('shift length', quant=dict(multiplier=[1 << 30], shift=[0] * 3)), bad('no multiplier', quant={})
    bad('no scale', quant={}, rule='xnnpack'), bad('scale length', quant=dict(scale=[1 << 29] * 3), rule='xnnpack'), bad('rule unknown', rule='onnx'), bad('act_min above act_max', act_min=3, act_max=2), bad('groups 0', groups=0)
    for name, value in (('input_zero', 128), ('weight_zero', -129), ('output_zero', -129), ('multiplier', [-1]), ('shift', [31]), ('shift', [-32])): bad(f'{name} {value}', **{name: value})
    for bits in (0, 0x7f800000, 0x7fc00000, 0xbf800000): bad(f'xnnpack scale of bits {bits:x}', quant=dict(scale=[bits]), rule='xnnpack')
    bad('xnnpack i16', a=ints('i16', (1, 3, 3, 2), rng), quant=dict(scale=[1 << 29]), rule='xnnpack')
    bad('groups do not divide', groups=3), bad('weight channels', b=ints('i8', (4, 2, 2, 3), rng)), bad('kernel larger', b=ints('i8', (4, 4, 2, 2), rng)), bad('stride 0', stride=[1, 0]), bad('layout unknown', layout='HWC'), bad('rank 3', a=ints('i8', (3, 3, 2), rng))
    fc = lambda what, a, b, bias=None, **p: s.check('q_fully_connected', what, dict({'in': ints('i8', a, rng), 'weights': ints('i8', b, rng)}, **({'bias': ints('i32', bias, rng)} if bias else {})), **dict(one, **p))
    fc('depths differ', (2, 3), (4, 5)), fc('rank 3', (2, 3, 1), (4, 3)), fc('bias length', (2, 3), (4, 3), (2,)), fc('multiplier length', (2, 3), (4, 3), multiplier=[1, 2]), fc('no rows', (0, 3), (4, 3)), fc('no depth', (2, 0), (4, 0))
