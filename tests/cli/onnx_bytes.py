"""Just enough of ONNX, written by hand, to make small models for tests."""
import struct


def varint(n):
    out = b''
    n &= 2**64 - 1
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int): return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, shape, floats):
    return b''.join(field(1, d) for d in shape) + field(2, 1) + field(8, name) + field(9, struct.pack(f'<{len(floats)}f', *floats))


def external(name, shape, **entries):
    """A tensor of floats whose data are elsewhere: location, offset, length."""
    data = b''.join(field(13, field(1, k) + field(2, str(v))) for k, v in entries.items())
    return b''.join(field(1, d) for d in shape) + field(2, 1) + field(8, name) + data + field(14, 1)


def value(name, shape, dtype=1):
    """Of shape's dimensions those that are texts are open."""
    dims = b''.join(field(1, field(2 if isinstance(d, str) else 1, d)) for d in shape)
    return field(1, name) + field(2, field(1, field(1, dtype) + field(2, dims)))


def node(op, inputs, outputs, **ints):
    attributes = b''.join(field(5, field(1, k) + (field(3, v) + field(20, 2) if isinstance(v, int) else
                                                 b''.join(field(8, i) for i in v) + field(20, 7))) for k, v in ints.items())
    return b''.join(field(1, i) for i in inputs) + b''.join(field(2, o) for o in outputs) + field(3, outputs[0]) + field(4, op) + attributes


def model(nodes, inputs, outputs, constants=()):
    graph = (b''.join(field(1, n) for n in nodes) + field(2, 'made by hand') + b''.join(field(5, c) for c in constants) +
             b''.join(field(11, i) for i in inputs) + b''.join(field(12, o) for o in outputs))
    return field(1, 8) + field(7, graph) + field(8, field(1, '') + field(2, 13))


def npy(descr, shape, data, order='False'):
    """Version 1.0 of numpy's own format."""
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + data
