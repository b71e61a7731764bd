"""LeNet-5 as ONNX: float32, or quantized, where a DequantizeLinear feeds and a QuantizeLinear follows each operator."""
import numpy as np

import onnx_writer as onnx

NAMES = ('conv1', 'relu1', 'pool1'), ('conv2', 'relu2', 'pool2'), ('fc1', 'relu3'), ('fc2', 'relu4'), ('scores',)


class Graph:
    def __init__(self):
        self.nodes, self.initializers = [], []

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(onnx.node(op, inputs, output, **attributes))
        return output

    def constant(self, name, array):
        self.initializers.append(onnx.tensor(name, np.asarray(array)))
        return name

    def weights(self, name, layer):
        """Weight and bias of a layer: two names of reals."""
        weight, bias = name + '_weight', name + '_bias'
        if layer.output is None:
            return self.constant(weight, layer.weight), self.constant(bias, layer.bias)
        scale = layer.weight_scale
        zeros = np.zeros(len(scale), np.int8)
        of_weight = [self.constant(weight + '_q', layer.weight), self.constant(weight + '_scale', scale),
                     self.constant(weight + '_zero', zeros)]
        of_bias = [self.constant(bias + '_q', layer.bias), self.constant(bias + '_scale', layer.input.scale * scale)]
        return (self.node('DequantizeLinear', of_weight, weight, axis=0),
                self.node('DequantizeLinear', of_bias, bias, axis=0))

    def operator(self, op, inputs, output, codes, **attributes):
        """A node whose output passes through codes if there are any; `output` then names the reals after them."""
        if codes is None:
            return self.node(op, inputs, output, **attributes)
        return self.through_codes(self.node(op, inputs, output + '_real', **attributes), output, codes)

    def through_codes(self, real, output, codes):
        how = [self.constant(output + '_scale', codes.scale), self.constant(output + '_zero', codes.zero)]
        quantized = self.node('QuantizeLinear', [real] + how, output + '_q')
        return self.node('DequantizeLinear', [quantized] + how, output)


def add_layer(g, x, layer, names):
    """names: of the layer's output, then of its ReLU's and its pooling's, where it has them."""
    dense, relu = layer.weight.ndim == 2, len(names) > 1
    inputs = [x, *g.weights(names[0], layer)]
    here = None if relu else layer.output  # a ReLU fuses with what it follows: no codes in between
    x = (g.operator('Gemm', inputs, names[0], here, transB=1) if dense else
         g.operator('Conv', inputs, names[0], here, kernel_shape=[5, 5], pads=[layer.pad] * 4))
    if relu:
        x = g.operator('Relu', [x], names[1], layer.output)
    if not dense:
        x = g.operator('MaxPool', [x], names[2], layer.output, kernel_shape=[2, 2], strides=[2, 2])
    return x


def lenet5(layers, name):
    """The bytes of an ONNX file."""
    g, x = Graph(), 'input'
    if layers[0].input is not None:
        x = g.through_codes(x, 'pixels', layers[0].input)
    for layer, names in zip(layers, NAMES):
        if names[0] == 'fc1':
            x = g.operator('Flatten', [x], 'flatten', layer.input, axis=1)
        x = add_layer(g, x, layer, names)
    return onnx.model(name, g.nodes, g.initializers, [onnx.value_info('input', [1, 1, 28, 28])],
                      [onnx.value_info('scores', [1, 10])])
