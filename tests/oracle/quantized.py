"""Quantized operators of ../../core/OPERATORS.md that oracle.py lacks, and its q_conv2d in either layout.

q_softmax, q_sigmoid and q_tanh follow what TFLite Micro computes: gemmlowp's fixed-point exp and reciprocal for 8 bits, tables for 16.
"""
import math
from functools import cache

import oracle
from oracle import *
from common import *

INT_MAX = I32[1]


def scaled(multipliers, shifts): need(all(0 <= m <= INT_MAX for m in multipliers) and all(-31 <= s <= 30 for s in shifts), 'argument')
def zero(value, dtype): need(bounds(dtype)[0] <= value <= bounds(dtype)[1], 'argument')


def quant(p, channels, dtype, weight_dtype):
    """The requantisation's lists have one element, or one for each output channel."""
    rule = p.get('rule', 'tflm')
    need(rule in ('tflm', 'xnnpack'), 'argument')
    need(rule == 'tflm' or dtype != 'i16', 'unsupported')
    for name in ('scale',) if rule == 'xnnpack' else ('multiplier', 'shift'):
        need(len(p.get(name, [])) in (1, channels), 'argument')
    if rule == 'xnnpack': need(all(0 < bits < FLOAT['f32']['inf'] for bits in p['scale']), 'argument')
    else: scaled(p['multiplier'], p['shift'])
    for name, d in (('input_zero', dtype), ('weight_zero', weight_dtype), ('output_zero', dtype)): zero(p.get(name, 0), d)


def requant(acc, o, p, wide):
    try: return q_requant(acc, o, p, wide)
    except OverflowError: return 1 << 200 if acc > 0 else -1 << 200      # a binary32 infinity; the clamp ends it


def q_conv2d(t, w, bias, p):
    layout, g = p.get('layout', 'NHWC'), p.get('groups', 1)
    need(t.dtype in ('i8', 'u8', 'i16') and w.dtype in ('i8', 'u8'), 'unsupported')
    need(bias is None or bias.dtype == 'i32' or (bias.dtype, t.dtype) == ('i64', 'i16'), 'unsupported')
    activation(p)
    v, wv = View(t, layout), View(w, layout)
    need(g >= 1, 'argument')
    need(v.c > 0 and wv.n > 0 and v.c % g == 0 and wv.n % g == 0 and wv.c == v.c // g, 'shape')
    need(bias is None or bias.shape == (wv.n,), 'shape')
    quant(p, wv.n, t.dtype, w.dtype)
    zx, zw, zy = p.get('input_zero', 0), p.get('weight_zero', 0), p.get('output_zero', 0)
    oh, ow, top, left, (sh, sw), (dh, dw), _ = geometry(v.h, v.w, p, (wv.h, wv.w), False)
    per = wv.n // g

    def one(n, o, y, x):
        acc = 0 if bias is None else bias.data[o]
        for i in range(wv.h):
            for j in range(wv.w):
                yy, xx = y * sh - top + i * dh, x * sw - left + j * dw
                if not (0 <= yy < v.h and 0 <= xx < v.w): continue
                acc += sum((v.at(n, o // per * wv.c + c, yy, xx) - zx) * (wv.at(o, c, i, j) - zw) for c in range(wv.c))
        return clamp(requant(acc, o, p, bias is not None and bias.dtype == 'i64') + zy, p, t.dtype)
    return build(t.dtype, layout, v.n, wv.n, oh, ow, one)


def q_fully_connected(t, w, bias, p):
    need(len(t.shape) == 2 and len(w.shape) == 2 and t.shape[1] == w.shape[1], 'shape')
    (n, k), m = t.shape, w.shape[0]
    return Tensor(t.dtype, (n, m), q_conv2d(Tensor(t.dtype, (n, 1, 1, k), t.data), Tensor(w.dtype, (m, 1, 1, k), w.data), bias, p).data)


# ---- two quantized inputs --------------------------------------------------------------------------
def q_add(x, y, p):
    """x and y without their zeros; the sum in units of the output, without its zero."""
    left = p.get('left_shift', 0)
    if p.get('rule', 'tflm') == 'xnnpack':
        return (x * p['input_multiplier'] + y * p['b_multiplier'] + (1 << left - 1)) >> left
    total = (requant_tflm(x << left, p['input_multiplier'], p.get('input_shift', 0)) +
             requant_tflm(y << left, p['b_multiplier'], p.get('b_shift', 0)))
    return requant_tflm(total, p['output_multiplier'], p.get('output_shift', 0))


def check_left_shift(dtype, p):
    left = p.get('left_shift', 0)
    if p.get('rule', 'tflm') == 'xnnpack': return need(left >= 1, 'argument')
    need(left >= 0, 'argument')
    for zero in (p.get('input_zero', 0), p.get('b_zero', 0)):
        need(max(abs(end - zero) for end in bounds(dtype)) << left < 1 << 31, 'argument')


def q_binary(op, a, b, p):
    dtypes([a, b], ('i8', 'u8', 'i16'))
    activation(p)
    rule = p.get('rule', 'tflm')
    need(rule in ('tflm', 'xnnpack'), 'argument')
    need(op == 'q_add' or rule == 'tflm', 'unsupported')
    for name in ('input', 'b', 'output'):
        zero(p.get(name + '_zero', 0), a.dtype)
        if rule == 'tflm' and (op == 'q_add' or name == 'output'): scaled([p.get(name + '_multiplier', 0)], [p.get(name + '_shift', 0)])
    if op == 'q_add': check_left_shift(a.dtype, p)
    shape = broadcast(a.shape, b.shape)

    def one(x, y):
        x, y = x - p.get('input_zero', 0), y - p.get('b_zero', 0)
        v = q_add(x, y, p) if op == 'q_add' else requant_tflm(x * y, p['output_multiplier'], p.get('output_shift', 0))
        return clamp(p.get('output_zero', 0) + v, p, a.dtype)
    return Tensor(a.dtype, shape, [one(x, y) for x, y in zip(stretch(a, shape).data, stretch(b, shape).data)])


# ---- softmax of 8 bits: Qm.n is a 32-bit integer with m integer bits ---------------------------------
def shift_left(x, n): return sat(x << n, 'i32')


def exp_near_zero(a):
    """exp of a Q0.31 in [-1/4, 0): Taylor's series about -1/8."""
    at_eighth, third = 1895147668, 715827883
    x = a + (1 << 28)
    x2 = srdhm(x, x)
    x3, x4 = srdhm(x2, x), srdhm(x2, x2)
    return at_eighth + srdhm(at_eighth, x + rdpot(srdhm(rdpot(x4, 2) + x3, third) + x2, 1))


EXP_OF_MINUS_POWERS = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)     # exp(-1/4), exp(-1/2), ... exp(-16)


def exp_negative(a, bits=5):
    """Q5.26, or another number of integer bits, -> Q0.31."""
    if a == 0: return INT_MAX
    quarter = 1 << 29 - bits
    near = (a & quarter - 1) - quarter
    result, rest = exp_near_zero(shift_left(near, bits)), near - a
    for k, factor in enumerate(EXP_OF_MINUS_POWERS[:bits + 2]):
        if rest >> 29 - bits + k & 1: result = srdhm(result, factor)
    return result


def two_over_one_plus(a):
    """2 / (1 + a), a in [0, 1) of Q0.31: three steps of Newton and Raphson in Q2.29."""
    half = (a + INT_MAX + 1) // 2
    x = 1515870810 + srdhm(half, -1010580540)
    for _ in range(3): x += shift_left(srdhm(x, (1 << 29) - srdhm(half, x)), 2)
    return x


def reciprocal_of_one_plus(a): return shift_left(two_over_one_plus(a), 1)


def softmax8(row, out_dtype, p):
    lo = bounds(out_dtype)[0]
    top = max(row)
    diffs = [x - top for x in row]
    exps = [exp_negative(srdhm(wrap32(d << p['input_left_shift']), p['input_multiplier'])) if d >= p['diff_min'] else None for d in diffs]
    total = sum(rdpot(e, 12) for e in exps if e is not None)             # Q12.19
    headroom = 32 - total.bit_length()
    scale = reciprocal_of_one_plus((total << headroom) - (1 << 31))
    shift = 12 - headroom + 31 - 8 * WIDTH[out_dtype][0]
    return [lo if e is None else sat(rdpot(srdhm(scale, e), shift) + lo, out_dtype) for e in exps]


# ---- softmax of 16 bits ------------------------------------------------------------------------------
def half_away(x): return math.floor(abs(x) + .5) * (1 if x >= 0 else -1)


def table(fn, scale, zero):
    """513 samples of fn over the int16 range, as TFLite's binary32 arithmetic finds them; each is moved by half the
    error that linear interpolation would have at the middle of its interval."""
    first, last, out_scale = f32(scale * (-32768 - zero)), f32(scale * (32767 - zero)), f32(2 / 65535)
    step = f32(f32(last - first) / 512)
    unit = f32(65536 / f32(f32(out_scale * 32767) - f32(out_scale * -32768)))
    at = lambda i, more=0.0: f32(fn(f32(f32(first + f32(i * step)) + more)))
    scaled = lambda v: f32(v * unit)
    out = []
    for i in range(512):
        sample = half_away(scaled(at(i)))
        middle = half_away(f32(f32(scaled(at(i + 1)) + sample) / 2)) - half_away(scaled(at(i, step / 2)))
        out.append(sat(sample - half_away(middle / 2), 'i16'))
    return out + [sat(half_away(scaled(f32(fn(last)))), 'i16')]


@cache
def tables():
    return table(math.exp, f32(10 / 65535), 32767), table(lambda x: 1 / f32(1 + x), f32(1 / 65535), -32768)


def look_up(lut, x):
    i = 256 + (x >> 7)
    return lut[i] + ((lut[i + 1] - lut[i]) * (x & 127) + 64 >> 7)


def softmax16(row, p):
    exp, reciprocal = tables()
    top = max(row)
    e = [look_up(exp, sat(requant_tflm(x - top, p['input_multiplier'], p['input_left_shift']) + 32767, 'i16')) for x in row]
    headroom = 32 - sum(e).bit_length()
    total = (sum(e) << headroom - 1) + (1 << 13) >> 14
    scale = look_up(reciprocal, sat(total - (1 << 15) - (1 << 16), 'i16'))
    return [min(max(R(v * scale, 31 - headroom), 0), 32767) for v in e]


def q_softmax(t, p):
    out = p.get('output_dtype', 'i8')
    need((t.dtype, out) in (('i8', 'i8'), ('u8', 'u8'), ('i8', 'i16'), ('u8', 'i16'), ('i16', 'i16')), 'unsupported')
    need(len(t.shape) > 0 and t.shape[-1] > 0, 'shape')
    need(t.dtype == 'i16' or p.get('diff_min', 0) <= 0, 'argument')
    n = t.shape[-1]
    need(n <= (65536 if t.dtype == 'i16' else 8191), 'unsupported')       # the sum has 32 bits
    rows = [t.data[i:i + n] for i in range(0, len(t.data), n)]
    return Tensor(out, t.shape, [y for r in rows for y in (softmax16(r, p) if t.dtype == 'i16' else softmax8(r, out, p))])


# ---- sigmoid and tanh --------------------------------------------------------------------------------
def curve8(op, v, multiplier, shift):
    """Of v, whose real value is v * multiplier * 2^(shift - 31) in Q4.27, the code; beyond 15 either end."""
    radius = math.floor(15 * 2.0 ** (27 - shift))
    if v <= -radius: return -128
    if v >= radius: return 127
    a = requant_tflm(v, multiplier, shift)
    if op == 'q_tanh':
        y = shift_left(two_over_one_plus(exp_negative(-abs(a), 5)) - (1 << 29), 2) if a else 0      # twice as far: a bit more is integer
        return sat(rdpot(-y if a < 0 else y, 24), 'i8')
    y = reciprocal_of_one_plus(exp_negative(-abs(a), 4))
    return sat(rdpot(1 << 30 if a == 0 else INT_MAX - y if a < 0 else y, 23) - 128, 'i8')


@cache
def sigmoid_table():
    """65536 sigmoid(i/24), each moved by half the error of a straight line at the middle of its interval."""
    f = lambda x: 65536 / (1 + math.exp(-x / 24))
    return [math.floor(f(i) + (f(i + .5) - (f(i) + f(i + 1)) / 2) / 2 + .5) for i in range(255)] + [65535]


def curve16(op, v, multiplier, shift):
    at = v * multiplier + (1 << shift >> 1) >> shift
    bits = 8 if op == 'q_tanh' else 9                                     # tanh(x) = 2 sigmoid(2x) - 1
    i, part = divmod(abs(at), 1 << bits)
    lut = sigmoid_table()
    if op == 'q_tanh':
        y = 0xffff << 8 if i >= 255 else (lut[i] << 8) + part * (lut[i + 1] - lut[i])
        return y - (1 << 23) + 128 >> 8 if at >= 0 else -y + (1 << 23) + 127 >> 8
    y = 0x7fff << 10 if i >= 255 else (lut[i] << 9) + part * (lut[i + 1] - lut[i])
    return y + 512 >> 10 if at >= 0 else (1 << 25) - y + 511 >> 10


def q_curve(op, t, p):
    dtypes([t], ('i8', 'i16'))
    z, m, shift = (p.get(k, 0) for k in ('input_zero', 'input_multiplier', 'input_left_shift'))
    zero(z, t.dtype)
    scaled([m], [shift])
    need(t.dtype == 'i8' or (z == 0 and m <= 32767 and shift >= 0), 'argument')
    curve = curve8 if t.dtype == 'i8' else curve16
    return Tensor(t.dtype, t.shape, [curve(op, x - z, m, shift) for x in t.data])


def run(op, inputs, p):
    t, w, bias = inputs.get('in'), inputs.get('weights'), inputs.get('bias')
    if op in ('q_conv2d', 'q_fully_connected'): return globals()[op](t, w, bias, p)
    if op in ('q_add', 'q_mul'): return q_binary(op, t, inputs['b'], p)
    if op == 'q_softmax': return q_softmax(t, p)
    if op in ('q_sigmoid', 'q_tanh'): return q_curve(op, t, p)
    return oracle.run(op, inputs, p)
