#!/usr/bin/env python3
"""Writes core/src/kernels/reference/sigmoid_table.h to stdout. --check: compares it with the file.

The table is TFLite Micro's for 16-bit sigmoid and tanh (quantized.sigmoid_table). No entry lies so close to a tie that
binary64 could round it otherwise; the last, which is past the last interval's start, is TFLite's own 65535.
"""
import sys
from math import exp
from pathlib import Path

import quantized

HEADER = Path(__file__).parents[2] / 'core/src/kernels/reference/sigmoid_table.h'


def header():
    sigmoid = lambda x: 65536 / (1 + exp(-x / 24))
    moved = [sigmoid(i) + (sigmoid(i + .5) - (sigmoid(i) + sigmoid(i + 1)) / 2) / 2 for i in range(255)]
    assert min(abs(x % 1 - .5) for x in moved) > 1e-3
    values = quantized.sigmoid_table()
    rows = [', '.join(map(str, values[i:i + 16])) for i in range(0, 256, 16)]
    return f"""// Written by tests/oracle/sigmoid_table.py.
#pragma once
#include <cstdint>

namespace bitexact {{

// clang-format off
/// 65536 * sigmoid(i / 24), each moved by half the error of a straight line to the next.
inline constexpr uint16_t kSigmoidTable[256] = {{
    {(','+chr(10)+'    ').join(rows)}}};
// clang-format on

}}  // namespace bitexact
"""


if __name__ == '__main__':
    if '--check' not in sys.argv: print(header(), end='')
    elif HEADER.read_text() != header(): sys.exit(f'{HEADER} is not what {sys.argv[0]} writes')
