#!/usr/bin/env python3
"""Pixels: luma, resizing and normalising of the contract's section 10, on exact integers. usage: image_oracle.py OUT_DIR

Images are Tensors of dtype u8 or u16 and shape [height, width, channels]. Writes image.json (../vectors/SCHEMA.md).
"""
import os, random, sys
from make_vectors import Suite, spec
import oracle
from oracle import Error, R, Rdiv, Tensor, bounds, fixed_div, need, sat


def clamp(i, n): return min(max(i, 0), n - 1)


def image_luma(t):
    h, w, c = t.shape
    if c == 1: return t
    need(c == 3, 'argument')
    d = t.data
    return Tensor(t.dtype, (h, w, 1), [R(19595 * d[i] + 38470 * d[i + 1] + 7471 * d[i + 2], 16) for i in range(0, len(d), 3)])


def bilinear_taps(n_in, n_out):
    """For each output position: [(source index, 16-bit weight)]; each neighbour is clamped by itself."""
    taps = []
    for i in range(n_out):
        c = ((2 * i + 1) * n_in * 2**16) // (2 * n_out) - 2**15
        taps.append([(clamp(c >> 16, n_in), 65536 - (c & 65535)), (clamp((c >> 16) + 1, n_in), c & 65535)])
    return taps


def area_taps(n_in, n_out):
    """Overlaps of [i * n_in, (i + 1) * n_in) with [j * n_out, (j + 1) * n_out): both axes in units of 1 / n_out source samples."""
    taps = []
    for i in range(n_out):
        lo, hi = i * n_in, (i + 1) * n_in
        taps.append([(j, min(hi, (j + 1) * n_out) - max(lo, j * n_out)) for j in range(lo // n_out, -(-hi // n_out))])
    return taps


def image_resize(t, width, height, method):
    need(method in ('bilinear', 'area') and width >= 1 and height >= 1, 'argument')
    h, w, c = t.shape
    taps = bilinear_taps if method == 'bilinear' else area_taps
    columns, rows = taps(w, width), taps(h, height)
    out = []
    for row in rows:
        for column in columns:
            for k in range(c):
                total = sum(t.data[(y * w + x) * c + k] * wy * wx for y, wy in row for x, wx in column)
                out.append(R(total, 32) if method == 'bilinear' else Rdiv(total, w * h))
    return Tensor(t.dtype, (height, width, c), out)


def image_to_q16(t, mean=(), std=()):
    h, w, c = t.shape
    need((not mean and not std) or (len(mean) == len(std) == c and 0 not in std), 'argument')
    top = bounds(t.dtype)[1]
    out = []
    for k in range(c):
        for i in range(h * w):
            x = Rdiv(t.data[i * c + k] * 65536, top)
            out.append(fixed_div(sat(x - mean[k]), std[k]) if mean else x)
    return Tensor('q16', (c, h, w), out)


OPS = dict(image_luma=image_luma, image_resize=image_resize, image_to_q16=image_to_q16)
run_matrix_op = oracle.run


def run(op, inputs, params):
    return OPS[op](inputs['in'], **params) if op in OPS else run_matrix_op(op, inputs, params)


def picture(rng, h, w, c, bits): return spec(f'u{bits}', (h, w, c), seed=rng.getrandbits(48), lo=0, hi=2**bits - 1)


def resizes(s, rng):
    sizes = [((1, 1), (1, 1)), ((1, 1), (5, 3)), ((7, 5), (1, 1)), ((2, 2), (3, 3)), ((3, 3), (2, 2)), ((1, 9), (1, 4)), ((9, 1), (31, 1)),
             ((13, 17), (7, 11)), ((11, 7), (17, 13)), ((16, 16), (8, 8)), ((8, 8), (16, 16)), ((31, 29), (30, 28)), ((64, 48), (5, 61)),
             ((2, 97), (89, 3)), ((101, 103), (47, 53))]
    for method in ('bilinear', 'area'):
        for i, ((h, w), (oh, ow)) in enumerate(sizes):
            for bits in (8, 16):
                c = 1 + (i + bits) % 4
                s.add(f'{method} u{bits} {w}x{h}x{c} to {ow}x{oh}', 'image_resize', {'in': picture(rng, h, w, c, bits)}, width=ow, height=oh, method=method)
        s.add(f'{method} step 0 255 doubled', 'image_resize', {'in': spec('u8', (1, 2, 1), [0, 255])}, width=4, height=1, method=method)
        s.add(f'{method} white 16 bit', 'image_resize', {'in': spec('u16', (40, 30, 3), [65535] * 3600)}, width=7, height=77, method=method)
        s.add(f'{method} to width 0', 'image_resize', {'in': picture(rng, 2, 2, 1, 8)}, width=0, height=1, method=method)


def pixels(s, rng):
    corners = [v for r in (0, 255) for g in (0, 255) for b in (0, 255) for v in (r, g, b)]
    s.add('luma corners', 'image_luma', {'in': spec('u8', (2, 4, 3), corners)})
    s.add('luma corners u16', 'image_luma', {'in': spec('u16', (2, 4, 3), [257 * v for v in corners])})
    ties = [p for p in ((r, g, b) for r in range(0, 256, 5) for g in range(256) for b in range(256)) if (19595 * p[0] + 38470 * p[1] + 7471 * p[2]) % 65536 == 32768]
    s.add('luma ties', 'image_luma', {'in': spec('u8', (1, len(ties), 3), [v for p in ties for v in p])})
    for bits in (8, 16):
        for h, w, c in ((1, 1, 3), (5, 7, 3), (60, 80, 3), (3, 3, 1), (2, 2, 2), (2, 2, 4)):
            s.add(f'luma u{bits} {w}x{h}x{c}', 'image_luma', {'in': picture(rng, h, w, c, bits)})
        top = 2**bits
        s.add(f'to_q16 every u{bits}', 'image_to_q16', {'in': spec(f'u{bits}', (top // 16, 16, 1), range(top)) if bits == 8 else
              (dict(dtype='u16', shape=[4096, 16, 1], range=0), Tensor('u16', (4096, 16, 1), range(top)))})
        for h, w, c in ((1, 1, 1), (5, 3, 3), (4, 4, 4), (33, 20, 3)):
            s.add(f'to_q16 u{bits} {w}x{h}x{c}', 'image_to_q16', {'in': picture(rng, h, w, c, bits)})
            mean, std = [rng.randint(20000, 40000) for _ in range(c)], [rng.choice([14745, -7, 1, 65536, 2**31 - 1, -2**31]) for _ in range(c)]
            s.add(f'to_q16 normalised u{bits} {w}x{h}x{c}', 'image_to_q16', {'in': picture(rng, h, w, c, bits)}, mean=mean, std=std)
    s.add('to_q16 ImageNet', 'image_to_q16', {'in': picture(rng, 8, 8, 3, 8)}, mean=[31785, 29884, 26608], std=[15008, 14680, 14745])
    s.add('to_q16 extreme mean', 'image_to_q16', {'in': spec('u8', (1, 2, 1), [0, 255])}, mean=[-2**31], std=[3])
    for name, mean, std in (('std 0', [1], [0]), ('mean alone', [1], []), ('too many', [1, 1], [1, 1])):
        s.add(f'to_q16 {name}', 'image_to_q16', {'in': spec('u8', (1, 1, 1), [5])}, mean=mean, std=std)


if __name__ == '__main__':
    import make_vectors
    make_vectors.run = run
    suite, rng = Suite('image'), random.Random(10)
    resizes(suite, rng)
    pixels(suite, rng)
    os.makedirs(sys.argv[1], exist_ok=True)
    suite.write(sys.argv[1])
