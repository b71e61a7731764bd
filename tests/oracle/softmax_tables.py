#!/usr/bin/env python3
"""Writes core/src/kernels/reference/softmax_tables.h to stdout. --check: compares it with the file.

The tables are TFLite Micro's for 16-bit softmax: samples of exp over [-10, 0] and of 1/(1+x) over [0, 1], by binary32
arithmetic (quantized.table). Constants are right only if that arithmetic has one answer. So here exp is moved by a unit
in the last place either way, and multiply-adds are fused: nothing may change. 1/(1+x) needs no library, IEEE 754 fixes
it. (TFLite itself computes in binary64, and differs at two places of the second table.)
"""
import math
import struct
import sys
from fractions import Fraction
from pathlib import Path

import oracle
import quantized
from oracle import f32

HEADER = Path(__file__).parents[2] / 'core/src/kernels/reference/softmax_tables.h'


def moved(x, ulps): return struct.unpack('<f', struct.pack('<I', struct.unpack('<I', struct.pack('<f', x))[0] + ulps))[0]
def nearest(x): return f32(float(x))       # of a Fraction of few bits: float() is exact or far from a tie


def table(fn, scale, zero, fused):
    """quantized.table again, with the sums that a compiler may fuse: `a * b + c` in one rounding."""
    half = quantized.half_away
    first, last, out_scale = f32(scale * (-32768 - zero)), f32(scale * (32767 - zero)), f32(2 / 65535)
    step = f32(f32(last - first) / 512)
    unit = f32(65536 / f32(f32(out_scale * 32767) - f32(out_scale * -32768)))
    product_sum = lambda a, b, c: nearest(Fraction(a) * Fraction(b) + Fraction(c)) if fused else f32(f32(a * b) + c)
    at = lambda i, more=0.0: fn(f32(product_sum(i, step, first) + more))
    out = []
    for i in range(512):
        sample = half(f32(at(i) * unit))
        middle = half(f32(product_sum(at(i + 1), unit, sample) / 2)) - half(f32(at(i, step / 2) * unit))
        out.append(oracle.sat(sample - half(middle / 2), 'i16'))
    return out + [oracle.sat(half(f32(fn(last) * unit)), 'i16')]


def reciprocal(x): return f32(1 / f32(1 + x))


def array(name, values):
    rows = [', '.join(map(str, values[i:i + 16])) for i in range(0, len(values), 16)]
    return f'inline constexpr int16_t {name}[513] = {{\n    ' + ',\n    '.join(rows) + '};'


def header():
    exp, one_over = quantized.tables()
    for fused in (False, True):
        for ulps in (-1, 0, 1):
            assert exp == table(lambda x: moved(f32(math.exp(x)), ulps), f32(10 / 65535), 32767, fused)
        assert one_over == table(reciprocal, f32(1 / 65535), -32768, fused)
    return f"""// Written by tests/oracle/softmax_tables.py.
#pragma once
#include <cstdint>

namespace bitexact {{

// clang-format off
/// 32767.5 * exp(x) over [-10, 0], each moved by half the error of a straight line to the next.
{array('kExpTable', exp)}

/// 32767.5 / (1 + x) over [0, 1], moved alike.
{array('kReciprocalTable', one_over)}
// clang-format on

}}  // namespace bitexact
"""


if __name__ == '__main__':
    if '--check' not in sys.argv: print(header(), end='')
    elif HEADER.read_text() != header(): sys.exit(f'{HEADER} is not what {sys.argv[0]} writes')
