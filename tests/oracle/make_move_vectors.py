"""Cases of the operators that move elements, and of shape inference; make_operator_vectors.py writes them."""
import itertools

import make_vectors
import shapes
from make_operator_vectors import EXTREMES, WIDTHS, Suite, full, ints
from make_vectors import HI, LO, ONE, q, spec
from oracle import FLOAT, Error, bounds

DTYPES = ['i8', 'u16', 'q16', 'i64', 'f32', 'u8', 'i16', 'f16', 'i32']


def any_data(d, shape, rng):
    bits = FLOAT[d]['bits'] if d in FLOAT else 0
    return spec(d, shape, seed=rng.getrandbits(48), lo=0, hi=(1 << bits) - 1) if bits else ints(d, shape, rng)


def concat(s, rng):
    op = 'concat'
    for d in DTYPES:
        for sizes, rest, axis in (((3, 1, 4), (2, 5), 1), ((1, 2), (3,), 0), ((2, 0, 3), (2,), -1), ((7,), (2, 2), 0)):
            where = axis % (len(rest) + 1)
            tensors = {f'in{i}': any_data(d, rest[:where] + (n,) + rest[where:], rng) for i, n in enumerate(sizes)}
            s.check(op, f'{d} {sizes} of {rest} axis {axis}', tensors, axis=axis)
    for w in WIDTHS: s.check(op, f'width {w}', {'in0': any_data('i8', (2, w), rng), 'in1': any_data('i8', (2, 3), rng), 'in2': any_data('i8', (2, w), rng)}, axis=1)
    s.check(op, 'axis default, twelve inputs', {f'in{i}': any_data('i8', (1, 3), rng) for i in range(12)})
    s.check(op, 'rank 6', {f'in{i}': q((2, 1, 2, 1, 2, 1), rng) for i in range(2)}, axis=3)
    a = q((2, 3), rng)
    for what, b, p in (('axis 2', q((2, 3), rng), dict(axis=2)), ('axis -3', q((2, 3), rng), dict(axis=-3)), ('dimensions differ', q((2, 4), rng), {}),
                       ('ranks differ', q((2, 3, 1), rng), {}), ('dtypes differ', ints('i32', (2, 3), rng), {})): s.check(op, what, {'in0': a, 'in1': b}, **p)


def pad(s, rng):
    op = 'pad'
    for d in DTYPES:
        value = {'u8': 200, 'i8': -100, 'f16': 0xfc00, 'f32': 0xff800000, 'i64': 1 << 40, 'q16': LO}.get(d, 77)
        s.check(op, f'{d} constant', {'in': any_data(d, (2, 3, 4), rng)}, pads=[1, 0, 2, 0, 1, 3], value=value)
        s.check(op, f'{d} edge', {'in': any_data(d, (2, 3, 4), rng)}, pads=[1, 0, 5, 0, 4, 3], mode='edge')
        s.check(op, f'{d} reflect', {'in': any_data(d, (2, 3, 4), rng)}, pads=[1, 2, 3, 0, 1, 3], mode='reflect')
    for w in WIDTHS: s.check(op, f'width {w}', {'in': any_data('i8', (2, w), rng)}, pads=[0, w % 4, 1, w % 3], mode=('constant', 'edge')[w % 2])
    for shape, pads, p in (((), [], {}), ((3,), [0, 0], {}), ((1, 1, 1, 1, 1, 2), [0, 1, 0, 1, 0, 1] * 2, {}), ((0, 2), [2, 0, 0, 1], {}), ((0, 2), [0, 1, 0, 1], dict(mode='edge')),
                           ((1,), [2, 3], dict(mode='edge')), ((1,), [0, 0], dict(mode='reflect')), ((2,), [1, 1], dict(mode='reflect'))):
        s.check(op, f'{shape} {pads} {p}', {'in': q(shape, rng)}, pads=pads, **p)
    for what, p in (('negative', dict(pads=[-1, 0, 0, 0])), ('too few', dict(pads=[1, 1])), ('absent', {}), ('mode unknown', dict(pads=[0] * 4, mode='wrap')),
                    ('reflect of the dimension', dict(pads=[0, 3, 0, 0], mode='reflect')), ('value beyond the dtype', dict(pads=[0] * 4, value=1 << 31))):
        s.check(op, what, {'in': q((2, 3), rng)}, **p)
    s.check(op, 'edge of nothing', {'in': q((0, 3), rng)}, pads=[1, 0, 0, 0], mode='edge')
    s.check(op, 'huge', {'in': q((2, 3), rng)}, pads=[-(1 << 62), 0, 0, 0])


def transpose_reshape(s, rng):
    for d in DTYPES:
        s.check('transpose', f'{d} NHWC to NCHW', {'in': any_data(d, (2, 3, 4, 5), rng)}, perm=[0, 3, 1, 2])
        s.check('reshape', d, {'in': any_data(d, (2, 3, 4), rng)}, shape=[4, -1])
    for perm in itertools.permutations(range(3)): s.check('transpose', f'{list(perm)}', {'in': q((2, 3, 4), rng)}, perm=list(perm))
    for w in WIDTHS: s.check('transpose', f'width {w}', {'in': any_data('i8', (3, w), rng)}, perm=[1, 0])
    for shape, p in (((2, 3), {}), ((), {}), ((0, 3), {}), ((5,), {}), ((2, 1, 3, 1, 2, 2), {}), ((2, 1, 3, 1, 2, 2), dict(perm=[5, 0, 4, 1, 3, 2])), ((2, 3), dict(perm=[])),
                     ((2, 3), dict(perm=[0, 0])), ((2, 3), dict(perm=[0])), ((2, 3), dict(perm=[0, 2])), ((2, 3), dict(perm=[-1, 0])), ((2, 3), dict(perm=[0, 1, 2]))):
        s.check('transpose', f'{shape} {p}', {'in': q(shape, rng)}, **p)
    for shape, to in (((2, 3, 4), [24]), ((2, 3, 4), [0, -1]), ((2, 3, 4), [4, 0, 2]), ((2, 3, 4), [2, 1, 3, 1, 4, 1]), ((1,), []), ((), [1, 1]), ((1,), [1] * 6), ((1,), [1] * 7), ((2, 3), [-1]), ((0, 3), [0, 3]), ((0, 3), [3, 0]),
                      ((0, 3), [-1, 3]), ((2, 3), [4, -1]), ((2, 3), [5]), ((2, 3), [-1, -1]), ((2, 3), [-2, 3]), ((2, 3), [2, 3, 0]), ((2, 3), []), ((2, 3), [1 << 32, 1 << 32])):
        s.check('reshape', f'{shape} to {to}', {'in': q(shape, rng)}, shape=to)


def slices(s, rng):
    op = 'slice'
    for d in DTYPES: s.check(op, d, {'in': any_data(d, (4, 5, 6), rng)}, starts=[1, 5], ends=[3, -7], axes=[0, 2], steps=[1, -2])
    for w in WIDTHS: s.check(op, f'width {w}', {'in': any_data('i8', (2, w + 2), rng)}, starts=[1], ends=[w + 1], axes=[1])
    far = (1 << 63) - 1
    for p in (dict(starts=[1], ends=[3]), dict(starts=[0, 1], ends=[2, 4]), dict(starts=[-3], ends=[-1], axes=[1]), dict(starts=[0], ends=[far], axes=[-1], steps=[2]),
              dict(starts=[-1], ends=[-far - 1], axes=[1], steps=[-1]), dict(starts=[far], ends=[-far], axes=[1], steps=[-3]), dict(starts=[3], ends=[1], axes=[1]), dict(starts=[2], ends=[2]),
              dict(starts=[-100], ends=[100], axes=[2], steps=[4]), dict(starts=[-100], ends=[-101], axes=[1], steps=[-1]), dict(starts=[100], ends=[200]), dict(starts=[4, 0], ends=[0, 6], axes=[1, 2], steps=[-2, 5]),
              dict(starts=[0], ends=[6], axes=[2], steps=[far]), dict(starts=[5], ends=[-7], axes=[2], steps=[-far - 1]), dict(starts=[1], ends=[2], axes=[], steps=[]), dict(starts=[], ends=[]),
              dict(starts=[0], ends=[1], steps=[0]), dict(starts=[0, 0], ends=[1, 1], axes=[1, 1]), dict(starts=[0, 0], ends=[1, 1], axes=[1, -2]), dict(starts=[0], ends=[1], axes=[3]), dict(starts=[0], ends=[1], axes=[-4]),
              dict(starts=[0, 0], ends=[1]), dict(starts=[0], ends=[1], axes=[0, 1]), dict(starts=[0], ends=[1], steps=[1, 1]), dict(starts=[0] * 4, ends=[1] * 4)):
        s.check(op, str(p), {'in': q((4, 5, 6), rng)}, **p)
    for step in (1, -1): s.check(op, f'nothing, step {step}', {'in': q((0, 3), rng)}, starts=[0], ends=[5], steps=[step])


def resize(s, rng):
    op = 'resize'
    for coordinates in ('half_pixel', 'asymmetric', 'align_corners', 'pytorch_half_pixel'):
        for i, (n, m) in enumerate(((3, 7), (7, 3), (4, 8), (8, 4), (5, 1), (1, 5), (4, 6), (6, 6), (2, 17))):
            layout = ('NHWC', 'NCHW')[i % 2]
            shape = lambda c: (1, n, 5, c) if layout == 'NHWC' else (1, c, n, 5)
            s.check(op, f'bilinear {coordinates} {n} to {m}', {'in': full(shape(3), rng) if i % 3 else q(shape(3), rng)}, mode='bilinear', coordinates=coordinates, size=[m, 4], layout=layout)
            for rounding in ('round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'):
                s.check(op, f'nearest {coordinates} {rounding} {n} to {m}', {'in': any_data(DTYPES[i], shape(1), rng)}, coordinates=coordinates, rounding=rounding, size=[m, 7], layout=layout)
    for w, layout in itertools.product(WIDTHS[::2], ('NHWC', 'NCHW')):
        s.check(op, f'bilinear width {w} {layout}', {'in': full((1, 2, w, 2) if layout == 'NHWC' else (1, 2, 2, w), rng)}, size=[3, 2 * w], mode='bilinear', layout=layout)
        s.check(op, f'nearest to width {w} {layout}', {'in': any_data('i8', (2, 2, 5, 2) if layout == 'NHWC' else (2, 2, 2, 5), rng)}, size=[3, w], layout=layout)
    for w in WIDTHS[::2]: s.check(op, f'bilinear channels {w}', {'in': full((1, 2, 3, w), rng)}, size=[3, 5], mode='bilinear')
    corner = spec('q16', (1, 2, 2, 1), [LO, HI, HI, LO])
    for m in (3, 5, 64): s.check(op, f'bilinear extremes to {m}', {'in': corner}, size=[m, m], mode='bilinear')
    s.check(op, 'bilinear ties', {'in': spec('q16', (1, 1, 8, 1), [0, 1, 0, -1, -2, -1, 3, 4])}, size=[1, 16], mode='bilinear', coordinates='asymmetric')
    s.check(op, 'no images', {'in': q((0, 2, 2, 1), rng)}, size=[3, 3])
    for what, shape, p in (('size absent', (1, 2, 2, 1), {}), ('size 0', (1, 2, 2, 1), dict(size=[0, 2])), ('size negative', (1, 2, 2, 1), dict(size=[2, -1])), ('mode unknown', (1, 2, 2, 1), dict(size=[2, 2], mode='cubic')),
                           ('coordinates unknown', (1, 2, 2, 1), dict(size=[2, 2], coordinates='tf')), ('rounding unknown', (1, 2, 2, 1), dict(size=[2, 2], rounding='up')),
                           ('layout unknown', (1, 2, 2, 1), dict(size=[2, 2], layout='CHWN')), ('rank 3', (2, 2, 1), dict(size=[2, 2])), ('no rows', (1, 0, 2, 1), dict(size=[2, 2]))):
        s.check(op, what, {'in': q(shape, rng)}, **p)
    s.check(op, 'bilinear i8', {'in': ints('i8', (1, 2, 2, 1), rng)}, size=[3, 3], mode='bilinear')


def depth_argmax(s, rng):
    for d, mode, layout in itertools.product(DTYPES, ('DCR', 'CRD'), ('NHWC', 'NCHW')):
        s.check('depth_to_space', f'{d} {mode} {layout}', {'in': any_data(d, (2, 2, 3, 12) if layout == 'NHWC' else (2, 12, 2, 3), rng)}, block=2, mode=mode, layout=layout)
    for w, layout in itertools.product(WIDTHS[::2], ('NHWC', 'NCHW')):
        s.check('depth_to_space', f'width {w} {layout}', {'in': any_data('i8', (1, 2, w, 9) if layout == 'NHWC' else (1, 9, 2, w), rng)}, block=3, layout=layout)
    for shape, p in (((1, 2, 3, 4), {}), ((0, 2, 3, 4), dict(block=2)), ((1, 0, 3, 4), dict(block=2)), ((1, 2, 3, 6), dict(block=2)), ((1, 2, 3, 4), dict(block=0)), ((1, 2, 3, 4), dict(block=-2)), ((2, 3, 4), dict(block=2)),
                     ((1, 2, 3, 4), dict(block=2, mode='RCD')), ((1, 2, 3, 4), dict(block=2, layout='CHW'))):
        s.check('depth_to_space', f'{shape} {p}', {'in': q(shape, rng)}, **p)
    op = 'argmax'
    for d in ('q16', 'i8', 'u8', 'i16', 'u16', 'i32', 'i64'):
        lo, hi = bounds(d)
        for i, p in enumerate(({}, dict(axis=1, keepdims=False), dict(axis=-1, select_last=True), dict(axis=2, output_dtype='i32'))):
            few = spec(d, (3, 4, 5), seed=rng.getrandbits(48), lo=max(lo, -1), hi=1)
            s.check(op, f'{d} {i}', {'in': ints(d, (3, 4, 5), rng) if i % 2 else few}, **p)
        s.check(op, f'{d} ends', {'in': spec(d, (2, 3), [lo, hi, hi, lo, lo, lo])}, axis=1)
    for w in WIDTHS: s.check(op, f'width {w}', {'in': ints('i8', (2, w), rng)}, axis=1), s.check(op, f'axis 0, width {w}', {'in': spec('u8', (3, w), seed=w, lo=0, hi=1)}, select_last=bool(w % 2))
    s.check(op, 'rank 1 to rank 0', {'in': q((9,), rng)}, keepdims=False)
    for shape, p in (((2, 0), {}), ((0, 3), dict(axis=1)), ((0, 2), dict(axis=0)), ((2, 3), dict(axis=2)), ((2, 3), dict(axis=-3)), ((2, 3), dict(output_dtype='i16')), ((2, 3), dict(output_dtype='f32'))):
        s.check(op, f'{shape} {p}', {'in': q(shape, rng)}, **p)
    s.check(op, 'f32', {'in': any_data('f32', (3,), rng)})


def move(rng):
    s = Suite('move')
    for part in (concat, pad, transpose_reshape, slices, resize, depth_argmax): part(s, rng)
    return s


# ---- shapes ----------------------------------------------------------------------------------------
I8 = ['i8', 'i8']
QUANT = dict(multiplier=[1 << 30], shift=[-3])
INFERRED = [
    ('conv2d', [[1, -1, 8, 3], [4, 3, 3, 3]], {}), ('conv2d', [[-1, 8, -1, 3], [4, 3, 3, 3]], dict(stride=[2, 2], pad='SAME_UPPER')), ('conv2d', [[-1, 6, -1, 9], [6, 3, 3, 2]], dict(layout='NCHW', groups=2, pad=[1, 1, 1, 1])),
    ('conv2d', [[1, 9, 9, -1], [4, 3, 3, 3]], dict(dilation=[2, 2])), ('conv2d', [[-1, -1, -1, -1], [4, 3, 3, 3]], dict(pad='FULL')), ('conv2d', [[-1, 2, 8, 3], [4, 3, 3, 3]], {}), ('conv2d', [[-1, -1, 8, 2], [4, 3, 3, 3]], {}),
    ('conv2d', [[-1, 8, 8], [4, 3, 3, 3]], {}), ('conv2d', [[1, -1, 8, 3], [4, 3, 3, 3]], dict(stride=[0, 1])), ('q_conv2d', [[-1, 7, -1, 3], [4, 3, 3, 3]], dict(QUANT, pad='SAME_LOWER'), I8),
    ('conv_transpose2d', [[-1, 3, -1, 2], [4, 2, 2, 2]], dict(stride=[2, 2])), ('conv_transpose2d', [[1, 2, -1, 5], [2, 4, 3, 3]], dict(layout='NCHW', pad='SAME_UPPER', stride=[2, 3])),
    ('conv_transpose2d', [[1, -1, -1, 2], [4, 2, 2, 2]], dict(output_size=[9, 8], stride=[2, 2], pad='SAME_UPPER')), ('conv_transpose2d', [[1, -1, 3, 3], [4, 2, 2, 2]], {}),
    ('max_pool2d', [[-1, 7, -1, 3]], dict(kernel=[2, 2], stride=[2, 2])), ('max_pool2d', [[2, -1, 7, 8]], dict(kernel=[3, 3], layout='NCHW', pad=[1, 1, 1, 1], ceil_mode=True, stride=[2, 2])),
    ('max_pool2d', [[-1, -1, -1, -1]], {'global': True}), ('avg_pool2d', [[1, -1, 8, 8]], {'global': True, 'layout': 'NCHW'}), ('avg_pool2d', [[-1, 5, 5, -1]], dict(kernel=[6, 2])), ('max_pool2d', [[-1, 5, 5]], dict(kernel=[2, 2])),
    ('fully_connected', [[-1, 5], [3, 5]], {}), ('fully_connected', [[-1, 4], [3, 5]], {}), ('q_fully_connected', [[-1, 5], [3, 5]], QUANT, I8), ('matmul', [[-1, 3, 4], [4, 5]], {}), ('matmul', [[-1, 3, 4], [2, 4, -1]], {}),
    ('matmul', [[-1, -1, 4], [1, 4, 5]], {}), ('matmul', [[-1, 3, 4], [1, 5, 6]], {}), ('batch_norm', [[-1, 3], [3], [3]], {}), ('batch_norm', [[-1, 3], [3], [3]], dict(axis=2)), ('softmax', [[-1, 10]], {}), ('softmax', [[-1, 10]], dict(axis=2)),
    ('q_softmax', [[-1, 10]], dict(input_multiplier=1 << 30, input_left_shift=20, diff_min=-100), ['i8']), ('relu', [[-1, 2, -1]], {}), ('add', [[-1], [5]], {}), ('add', [[-1], [1]], {}), ('add', [[-1], [-1]], {}), ('add', [[-1, 3], [2, 1, 3]], {}),
    ('add', [[4, 1], [-1, 5]], {}), ('add', [[-1, 4], [3]], {}), ('maximum', [[-1, 2], [2]], {}, ['i64', 'i64']), ('concat', [[-1, 2], [3, 2]], {}), ('concat', [[4, 2], [4, -1]], dict(axis=1)), ('concat', [[-1, 2], [5, 3]], dict(axis=-1)),
    ('concat', [[-1, 2], [-1, 3]], dict(axis=1)), ('concat', [[4, 2], [-1, 3]], {}), ('concat', [[-1, 2], [3]], {}), ('pad', [[-1, 3]], dict(pads=[1, 1, 1, 2])), ('pad', [[-1, 3]], dict(pads=[0, 0, 0, 0])), ('pad', [[-1, 3]], dict(pads=[1, 1])),
    ('transpose', [[-1, 2, 3]], dict(perm=[1, 2, 0])), ('transpose', [[2, -1, 3]], {}), ('transpose', [[2, -1]], dict(perm=[0, 0])), ('reshape', [[2, 6]], dict(shape=[3, -1])), ('reshape', [[-1, 8]], dict(shape=[0, 2, 4])), ('reshape', [[-1, 8]], dict(shape=[2, -1])),
    ('reshape', [[-1, 8]], dict(shape=[4, 4])), ('reshape', [[2, 6]], dict(shape=[5, -1])), ('reshape', [[-1, 6]], dict(shape=[-1, -1])), ('slice', [[-1, 6]], dict(starts=[1], ends=[4], axes=[1])), ('slice', [[-1, 6]], dict(starts=[1], ends=[4])),
    ('slice', [[3, -1, 7]], dict(starts=[-1, 0], ends=[-9, 9], axes=[2, 0], steps=[-2, 2])), ('slice', [[-1, 6]], dict(starts=[0], ends=[1], steps=[0])), ('resize', [[-1, -1, 4, 3]], dict(size=[8, 9])), ('resize', [[1, -1, -1, 4]], dict(size=[8, 9], layout='NCHW')),
    ('resize', [[-1, 2, 2, 1]], dict(size=[0, 1])), ('depth_to_space', [[-1, 2, -1, 12]], dict(block=2)), ('depth_to_space', [[1, -1, 2, 3]], dict(block=2, layout='NCHW')), ('depth_to_space', [[-1, 2, 2, 6]], dict(block=2)), ('argmax', [[-1, 3, 4]], dict(axis=1)),
    ('argmax', [[-1, 3, -1]], dict(axis=-3, keepdims=False)), ('argmax', [[-1, 3]], dict(axis=2)),
    ('q_add', [[-1, 4], [1, 4]], dict(left_shift=20, input_multiplier=1 << 30, b_multiplier=1 << 30, output_multiplier=1 << 30, output_shift=-19), I8), ('q_mul', [[-1, 4], [4]], dict(output_multiplier=1 << 30, output_shift=-7), I8),
    ('conv2d_integer', [[-1, 7, -1, 3], [4, 3, 3, 3]], dict(pad='SAME_LOWER', weight_zero=[1, 2, 3, 4]), I8), ('conv2d_integer', [[-1, 2, 8, 3], [4, 3, 3, 3]], {}, I8),
    ('matmul_integer', [[-1, 3, 4], [2, 4, -1]], dict(input_zero=[1, 2, 3], b_zero=[1, 2]), I8), ('matmul_integer', [[2, 3, 4], [-1, 4, 5]], dict(input_zero=[1, 2, 3, 4, 5, 6]), I8), ('matmul_integer', [[-1, 3, 4], [1, 5, 6]], {}, I8),
]


def infer_shape(rng):
    s = Suite('infer_shape')
    for op, dims, attributes, *dtypes in INFERRED:
        params = dict(op=op, attributes=attributes, shapes=dims, **({'dtypes': dtypes[0]} if dtypes else {}))
        case = dict(name=f'{op} {dims} {attributes if op[:2] != "q_" else ""}', op='infer_shape', inputs={}, params=params)
        try: case['output'] = dict(shape=shapes.infer(op, dims, attributes))
        except Error as e: case['error'] = str(e)
        s.cases.append(case)
    return s
