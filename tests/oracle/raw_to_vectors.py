#!/usr/bin/env python3
"""raw_to_vectors.py SHARED OUT.json: the unprepared third-party cases (SHARED/conformance/raw-*.json) as vectors.

What a model's file leaves to its reader is computed here from its scales, as TFLite prepares ADD, MUL and SOFTMAX;
inputs and expected outputs are copied. The oracle must give every output, or this ends with an error.
"""
import collections, glob, json, math, os, sys
import operators
from oracle import Tensor


def quantize_multiplier(real):
    """(multiplier, shift) with real = multiplier * 2^(shift - 31)."""
    if real == 0: return 0, 0
    fraction, shift = math.frexp(real)
    q = math.floor(fraction * (1 << 31) + .5)
    if q == 1 << 31: q, shift = q // 2, shift + 1
    if shift < -31: return 0, 0
    return ((1 << 31) - 1, 30) if shift > 30 else (q, shift)


def prepare_add(dtype, scales, out_scale):
    left = 15 if dtype == 'i16' else 20
    twice = 2 * max(scales)
    p = dict(left_shift=left)
    for name, real in (('input', scales[0] / twice), ('b', scales[1] / twice), ('output', twice / ((1 << left) * out_scale))):
        p[name + '_multiplier'], p[name + '_shift'] = quantize_multiplier(real)
    return p


def prepare_softmax(dtype, scale, beta):
    if dtype == 'i16':
        multiplier, shift = quantize_multiplier(scale * beta / (10 / 65535))
        return dict(input_multiplier=multiplier, input_left_shift=shift)
    multiplier, shift = quantize_multiplier(min(beta * scale * (1 << 26), (1 << 31) - 1.0))
    return dict(input_multiplier=multiplier, input_left_shift=shift, diff_min=-math.floor(31 * (1 << 26) / (1 << shift)))


def tensor(dtype, shape, data): return dict(dtype=dtype, shape=shape, data=data)


def from_tflm(c):
    dtype = c['dtype']
    if c['op'] == 'softmax':
        p = prepare_softmax(dtype, c['input_scale'], c['beta'])
        return (dict(p, output_dtype=c['out_dtype']), {'in': tensor(dtype, c['input_shape'], c['input'])},
                tensor(c['out_dtype'], c['input_shape'], c['expected']))
    p = prepare_add(dtype, (c['input1_scale'], c['input2_scale']), c['output_scale'])
    p.update(input_zero=c['input1_zero_point'], b_zero=c['input2_zero_point'], output_zero=c['output_zero_point'],
             act_min=c['act_min'], act_max=c['act_max'])
    ins = {'in': tensor(dtype, c['input1_shape'], c['input1']), 'b': tensor(dtype, c['input2_shape'], c['input2'])}
    return p, ins, tensor(dtype, c['output_shape'], c['expected'])


def from_cmsis(c):
    k, a, dtype, out = c['config'], {n: x['data'] for n, x in c['arrays'].items()}, c['in_dtype'], c['out_dtype']
    expected = a[c['expected_array']]
    if c['op'] == 'softmax':
        shape = [k['NUM_ROWS'], k['ROW_SIZE']]
        p = dict(input_multiplier=k['INPUT_MULT'], input_left_shift=k['INPUT_LEFT_SHIFT'], diff_min=k['DIFF_MIN'], output_dtype=out)
        return p, {'in': tensor(dtype, shape, a['input'])}, tensor(out, shape, expected)
    p = dict(input_zero=-k['INPUT1_OFFSET'], b_zero=-k['INPUT2_OFFSET'], output_zero=k['OUTPUT_OFFSET'],
             output_multiplier=k['OUTPUT_MULT'], output_shift=k['OUTPUT_SHIFT'], act_min=k['OUT_ACTIVATION_MIN'], act_max=k['OUT_ACTIVATION_MAX'])
    if c['op'] == 'add':
        p.update(left_shift=k['LEFT_SHIFT'], input_multiplier=k['INPUT1_MULT'], input_shift=k['INPUT1_SHIFT'],
                 b_multiplier=k['INPUT2_MULT'], b_shift=k['INPUT2_SHIFT'])
    n = [len(expected)]
    return p, {'in': tensor(dtype, n, a['input1']), 'b': tensor(dtype, n, a['input2'])}, tensor(out, n, expected)


def convert(files):
    cases, skipped = [], collections.Counter()
    for path in files:
        for c in json.load(open(path))['cases']:
            dtype = c.get('dtype', c.get('in_dtype'))
            if dtype not in ('i8', 'i16'):
                skipped[f'{dtype}: no quantized operator'] += 1
                continue
            if c['op'] == 'softmax' and c.get('tolerance') and c['out_dtype'] == 'i16':
                skipped['16-bit softmax: the float result is given, with a tolerance'] += 1
                continue
            params, inputs, output = (from_tflm if 'dtype' in c else from_cmsis)(c)
            s = c['source']
            cases.append(dict(name=f"q_{c['op']} {c['id']}", op='q_' + c['op'], source=f"{s['repo']}@{s['commit'][:12]}:{s['path']}",
                              params=params, inputs=inputs, output=output))
    return cases, skipped


def disagrees(case):
    got = operators.run(case['op'], {k: Tensor(*v.values()) for k, v in case['inputs'].items()}, case['params'])
    return dict(dtype=got.dtype, shape=list(got.shape), data=got.data) != case['output']


def main(shared, out):
    files = sorted(glob.glob(os.path.join(shared, 'conformance', 'raw-*.json')))
    if not files:
        return print(f'SKIPPED: no conformance/raw-*.json under {shared}')
    cases, skipped = convert(files)
    wrong = [c['name'] for c in cases if disagrees(c)]
    if wrong: sys.exit(f'the oracle disagrees with {", ".join(wrong)}')
    with open(out, 'w') as f: json.dump(dict(schema='bitexact-vectors/1', suite='raw', cases=cases), f)
    print(f'{len(cases)} cases, {sum(skipped.values())} skipped ({"; ".join(f"{n} {why}" for why, n in skipped.items())})')


if __name__ == '__main__': main(*sys.argv[1:])
