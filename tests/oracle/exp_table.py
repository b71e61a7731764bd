#!/usr/bin/env python3
"""Writes core/src/kernels/reference/exp_table.h to stdout. --check: compares it with the file. --margins: how close any input
comes to where its rounding turns, as powers of two of the last place (15 s)."""
import math
import sys
from decimal import Decimal, getcontext
from pathlib import Path

getcontext().prec = 60
BITS = 21
HEADER = Path(__file__).parents[2] / 'core/src/kernels/reference/exp_table.h'
EXP_11 = 65536 * Decimal(11).exp()


def nearest(x): return int((x + Decimal('0.5')).to_integral_value('ROUND_FLOOR'))


def header():
    factors = [nearest((1 - (Decimal(-2 ** k) / 65536).exp()) * 2 ** 64) for k in range(BITS)]
    rows = [', '.join(f'0x{f:016x}' for f in factors[i:i + 5]) for i in range(0, BITS, 5)]
    return f"""// Written by tests/oracle/exp_table.py.
#pragma once
#include <cstdint>

namespace bitexact {{

/// Element k of kExpLoss is 2^64 * (1 - exp(-2^k / 65536)), rounded to nearest.
inline constexpr int kExpBits = {BITS};
inline constexpr uint64_t kExpLoss[kExpBits] = {{
    {''',
    '''.join(rows)}}};
/// 2^32 * 65536 * exp(11), rounded to nearest.
inline constexpr uint64_t kExp11 = 0x{nearest(EXP_11 * 2 ** 32):016x};

}}  // namespace bitexact
"""


def margins():
    closest = {}

    def see(name, x, value):
        closest[name] = min(closest.get(name, (1, 0)), (abs(value % 1 - Decimal('0.5')), x))
    e, step = Decimal(1), (Decimal(-1) / 65536).exp()
    for t in range(2 ** BITS):
        see('exp', 11 * 65536 - t, EXP_11 * e)
        see('softmax', -t, 2 ** 31 * e)
        if t: see('sigmoid', t, 65536 / (1 + e))
        if t % 2 == 0: see('tanh', t // 2, 65536 * (1 - e) / (1 + e))
        e *= step
    for name, (distance, x) in closest.items(): print(f'{name}: 2^{math.log2(distance):.2f} at {x}')


if __name__ == '__main__':
    if '--margins' in sys.argv: margins()
    elif '--check' in sys.argv:
        if HEADER.read_text() != header(): sys.exit(f'{HEADER} is not what {sys.argv[0]} writes')
    else: print(header(), end='')
