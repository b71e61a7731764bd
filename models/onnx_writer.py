"""Writes the part of ONNX (onnx.proto3) that a small network needs: nodes, initializers, one input and one output."""
import struct

OPSET, IR_VERSION = 13, 7
ELEMENT = {'float32': 1, 'uint8': 2, 'int8': 3, 'int32': 6, 'int64': 7}
FLOAT, INT, INTS = 1, 2, 7  # AttributeProto.type


def varint(n):
    out = b''
    while n > 0x7f:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """A protobuf field; its wire type follows from the value's."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack('<f', value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def repeated(number, values):
    return b''.join(field(number, v) for v in values)


def tensor(name, array):
    """TensorProto of a numpy array."""
    raw = array.astype(array.dtype.newbyteorder('<')).tobytes()
    return repeated(1, array.shape) + field(2, ELEMENT[array.dtype.name]) + field(8, name) + field(9, raw)


def attribute(name, value):
    """AttributeProto of a float, an int or a list of ints, none of them negative."""
    number, kind = {float: (2, FLOAT), int: (3, INT), list: (8, INTS)}[type(value)]
    body = repeated(number, value) if kind == INTS else field(number, value)
    return field(1, name) + body + field(20, kind)


def node(op, inputs, output, **attributes):
    named = repeated(5, (attribute(*a) for a in attributes.items()))
    return repeated(1, inputs) + field(2, output) + field(3, output) + field(4, op) + named


def value_info(name, shape):
    """ValueInfoProto of a float32 tensor."""
    dims = repeated(1, (field(1, d) for d in shape))
    return field(1, name) + field(2, field(1, field(1, ELEMENT['float32']) + field(2, dims)))


def model(name, nodes, initializers, inputs, outputs):
    """ModelProto's bytes; every part is one of the above."""
    graph = (repeated(1, nodes) + field(2, name) + repeated(5, initializers) + repeated(11, inputs)
             + repeated(12, outputs))
    opset = field(1, '') + field(2, OPSET)
    return field(1, IR_VERSION) + field(2, 'bitexact') + field(7, graph) + field(8, opset)
