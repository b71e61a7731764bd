#!/usr/bin/env python3
"""Runs both networks on the samples as their files say and compares with golden.json; compares each card's sha256 with
its file. Plain Python, and no code in common with the training: its own reader, its own arithmetic."""
import hashlib, json, math, os, struct, sys, zlib
from dataclasses import dataclass
from operator import mul

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = 1e-4  # of float scores: here binary64, there PyTorch's binary32
ELEMENT = {1: 'f', 2: 'B', 3: 'b', 6: 'i', 7: 'q'}


@dataclass
class Tensor:
    """Reals; or, with a scale (one, or one for each channel of an axis), integers that stand for scale * integer."""
    shape: list
    data: list
    scale: list = None
    axis: int = 1

    def scales(self):
        """The scale of each element."""
        inner = math.prod(self.shape[self.axis + 1:])
        return (self.scale[i // inner % len(self.scale)] for i in range(len(self.data)))


def f32(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


# Reading ONNX: protobuf as {field: [values]}.

def varint(data, at):
    value = shift = 0
    while True:
        value, shift, at = value | (data[at] & 0x7f) << shift, shift + 7, at + 1
        if data[at - 1] < 0x80:
            return value, at


def message(data):
    fields, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if key & 7 == 2 else (4, at)
            value, at = data[at:at + size], at + size
        fields.setdefault(key >> 3, []).append(value)
    return fields


def constant(data):
    t = message(data)
    kind, raw = ELEMENT[t[2][0]], t[9][0]
    count = len(raw) // struct.calcsize(kind)
    return t[8][0].decode(), Tensor(t.get(1, []), list(struct.unpack(f'<{count}{kind}', raw)))


def attributes(node):
    """Integers and lists of integers; there are no others."""
    named = {}
    for a in map(message, node.get(5, [])):
        named[a[1][0].decode()] = a[3][0] if 3 in a else a[8]
    return named


# Operators.

def dequantize(x, scale, zero=None, axis=1):
    zero = zero.data[0] if zero else 0  # a weight's zeros are all 0
    return Tensor(x.shape, [v - zero for v in x.data], scale.data, axis)


def quantize(x, scale, zero):
    s = scale.data[0]
    if x.scale is None:
        codes = [round(f32(v / s)) for v in x.data]
    else:
        codes = [round(f32(f32(v) * f32(r / s))) for v, r in zip(x.data, x.scales())]
    return Tensor(x.shape, [min(max(c + zero.data[0], 0), 255) for c in codes])


def products(patches, weight, bias):
    """[channels][patches]: each patch times each row of the weight, plus bias."""
    n = len(weight.data) // weight.shape[0]
    rows = [weight.data[i:i + n] for i in range(0, len(weight.data), n)]
    return [[sum(map(mul, patch, row)) + b for patch in patches] for row, b in zip(rows, bias.data)]


def finish(x, weight, bias, shape, sums):
    scale = None
    if x.scale is not None:
        scale = [f32(x.scale[0] * w) for w in weight.scale]
        assert scale == bias.scale, 'a bias must have the scale of the sums'
    return Tensor(shape, sum(sums, []), scale)


def windows(x, kernel, stride, pad):
    """Each window's elements, channel by channel; 0 outside."""
    _, c, h, w = x.shape
    rows, pitch = h + 2 * pad, w + 2 * pad
    padded = [0] * (c * rows * pitch)
    for i in range(c * h):
        start = (i // h * rows + i % h + pad) * pitch + pad
        padded[start:start + w] = x.data[i * w:(i + 1) * w]
    taps = [(i * rows + y) * pitch for i in range(c) for y in range(kernel)]
    out_h, out_w = (rows - kernel) // stride + 1, (pitch - kernel) // stride + 1
    corners = [(y * pitch + x) * stride for y in range(out_h) for x in range(out_w)]
    return out_h, out_w, [[v for t in taps for v in padded[t + at:t + at + kernel]] for at in corners]


def conv(x, weight, bias, kernel_shape, pads):
    out_h, out_w, patches = windows(x, kernel_shape[0], 1, pads[0])
    return finish(x, weight, bias, [1, weight.shape[0], out_h, out_w], products(patches, weight, bias))


def gemm(x, weight, bias, transB):
    assert transB == 1
    return finish(x, weight, bias, [1, weight.shape[0]], products([x.data], weight, bias))


def max_pool(x, kernel_shape, strides):
    c, h, w = x.shape[1:]
    channels = [Tensor([1, 1, h, w], x.data[i * h * w:(i + 1) * h * w]) for i in range(c)]
    pooled = [windows(channel, kernel_shape[0], strides[0], 0) for channel in channels]
    return Tensor([1, c, *pooled[0][:2]], [max(p) for _, _, patches in pooled for p in patches], x.scale)


def relu(x):
    return Tensor(x.shape, [max(v, 0) for v in x.data], x.scale)


def flatten(x, axis):
    assert axis == 1
    return Tensor([1, len(x.data)], x.data, x.scale)


OPERATORS = {'DequantizeLinear': dequantize, 'QuantizeLinear': quantize, 'Conv': conv, 'Gemm': gemm,
             'MaxPool': max_pool, 'Relu': relu, 'Flatten': flatten}


def run(model, pixels):
    """Every tensor by name."""
    graph = message(message(model)[7][0])
    tensors = dict(map(constant, graph[5]))
    tensors['input'] = Tensor([1, 1, 28, 28], [f32(p / 255) for p in pixels])
    for node in map(message, graph[1]):
        inputs = [tensors[name.decode()] for name in node[1]]
        tensors[node[2][0].decode()] = OPERATORS[node[4][0].decode()](*inputs, **attributes(node))
    return tensors


# Files.

def read(name):
    with open(os.path.join(HERE, name), 'rb') as f:
        return f.read()


def png_pixels(data):
    """Of a 28 x 28 grey PNG whose rows are not filtered, one IDAT."""
    at = data.index(b'IDAT')
    rows = zlib.decompress(data[at + 4:at + 4 + struct.unpack('>I', data[at - 4:at])[0]])
    assert len(rows) == 28 * 29 and not any(rows[::29])
    return [p for i in range(28) for p in rows[i * 29 + 1:i * 29 + 29]]


def faults():
    expected, floats, integers = json.loads(read('golden.json')), read('lenet5.onnx'), read('lenet5-int8.onnx')
    for name, data in ('lenet5', floats), ('lenet5-int8', integers):
        if hashlib.sha256(data).hexdigest() not in read(name + '.md').decode():
            yield f'{name}.md: not the sha256 of {name}.onnx'
    for sample in expected['samples']:
        pixels = png_pixels(read(sample['file']))
        scores, codes = run(floats, pixels)['scores'].data, run(integers, pixels)['scores_q'].data
        if max(abs(a - b) for a, b in zip(scores, sample['scores'], strict=True)) > TOLERANCE:
            yield f'{sample["file"]}: float scores {scores}, expected {sample["scores"]}'
        if codes != sample['scores_q']:
            yield f'{sample["file"]}: int8 scores {codes}, expected {sample["scores_q"]}'
        if any(s.index(max(s)) != sample['label'] for s in (scores, codes)):
            yield f'{sample["file"]}: another class than {sample["label"]}'


if __name__ == '__main__':
    found = list(faults())
    print('\n'.join(found) or 'models: both networks agree with golden.json on every sample')
    sys.exit(bool(found))
