"""Quantization after training, and the exact integers a quantized layer computes (core/ARITHMETIC.md 7, `xnnpack`)."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Codes:
    """How uint8 codes stand for reals: scale * (code - zero)."""
    scale: np.float32
    zero: np.uint8


@dataclass
class Layer:
    """A convolution (weight of rank 4) or fully connected layer. Quantized: weight int8, bias int32, weight_scale per
    output channel, input and output the codes on both sides; in floats those three are None."""
    weight: np.ndarray
    bias: np.ndarray
    pad: int
    weight_scale: np.ndarray = None
    input: Codes = None
    output: Codes = None


PIXELS = Codes(np.float32(1 / 255), np.uint8(0))


def codes_for(low, high):
    """The codes that span [low, high] and hold 0 exactly."""
    low, high = min(low, 0), max(high, 0)
    scale = np.float32((high - low) / 255)
    return Codes(scale, np.uint8(np.rint(-low / scale)))


def quantize(layer, given, wanted):
    per_channel = (-1,) + (1,) * (layer.weight.ndim - 1)
    largest = np.abs(layer.weight).reshape(len(layer.weight), -1).max(axis=1)
    scale = (largest / 127).astype(np.float32)
    weight = np.rint(layer.weight / scale.reshape(per_channel)).clip(-127, 127).astype(np.int8)
    bias = np.rint(layer.bias / (given.scale * scale)).astype(np.int32)
    return Layer(weight, bias, layer.pad, scale, given, wanted)


def sums(layer, x):
    """The exact sums of a batch of codes, channels last."""
    x, w = x.astype(np.int64) - int(layer.input.zero), layer.weight.astype(np.int64)
    if w.ndim == 2:
        return x.reshape(len(x), -1) @ w.T + layer.bias
    x = np.pad(x, [(0, 0), (0, 0)] + [(layer.pad, layer.pad)] * 2)
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))
    return np.tensordot(windows, w, axes=((1, 4, 5), (1, 2, 3))) + layer.bias


def forward(layer, x):
    """The codes a layer gives for a batch of codes; a ReLU is the clamp, as its output has zero 0."""
    scale = (layer.input.scale * layer.weight_scale) / layer.output.scale
    y = np.rint(sums(layer, x).astype(np.float32) * scale).astype(np.int64) + int(layer.output.zero)
    return np.moveaxis(y.clip(0, 255).astype(np.uint8), -1, 1)


def max_pool(x):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))


def run(layers, pixels):
    """Codes of the scores [N, 10] of uint8 pixels [N, 1, 28, 28]."""
    x = pixels
    for layer in layers:
        x = forward(layer, x)
        x = max_pool(x) if layer.weight.ndim == 4 else x
    return x
