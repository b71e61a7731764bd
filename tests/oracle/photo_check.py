#!/usr/bin/env python3
"""Recomputes photo pipelines from their decoded pixels, on unbounded integers, and compares every later stage.

usage: photo_check.py BITEXACT PIPELINES IMAGES_FOLDER
Each pinned task runs on its photo reduced to 53 x 39 (tasks that resize keep their method), so that Python keeps up.
"""
import array
import json
import pathlib
import subprocess
import sys
import tempfile

from image_oracle import image_luma, image_resize, image_to_q16
from oracle import Tensor, avg_pool2d, conv2d, fixed_mul, max_pool2d

WIDTH, HEIGHT = 53, 39
POOLS = dict(max=max_pool2d, avg=avg_pool2d)


def dumped(folder, index, name, stage):
    """A stage's bytes as a Tensor; dumps are little-endian."""
    code = {'u8': 'B', 'u16': 'H', 'q16': 'i'}[stage['dtype']]
    data = array.array(code, (folder / f'{index:02}-{name}.bin').read_bytes())
    if sys.byteorder == 'big': data.byteswap()
    return Tensor(stage['dtype'], stage['shape'], data)


def planes(pixels, task):
    """The input stage: colours only, luma where asked, Q16.16."""
    h, w, c = pixels.shape
    colours = 3 if c >= 3 else 1
    kept = [pixels.data[i * c + k] for i in range(h * w) for k in range(colours)]
    image = Tensor(pixels.dtype, (h, w, colours), kept)
    if task['channels'] == 'luma': image = image_luma(image)
    return image_to_q16(image, task['mean'], task['std'])


def expected(pixels, task):
    """Every stage after the pixels, by name."""
    resized = image_resize(pixels, **task['resize'])
    q = planes(resized, task)
    n, h, w = q.shape
    kernel = Tensor('q16', (1, 1, *task['kernel']['shape']), task['kernel']['q16'])
    conv = conv2d(Tensor('q16', (n, 1, h, w), q.data), kernel, None,
                  dict(layout='NCHW', stride=task['stride'], pad=task['pad'] if isinstance(task['pad'], str) else tuple(task['pad'])))
    stages, last = dict(resized=resized, input=q, conv=conv), conv
    if task['activation']['kind'] != 'none':
        alpha = task['activation'].get('alpha', 0)
        last = stages['activation'] = Tensor('q16', last.shape, [v if v > 0 else fixed_mul(v, alpha) for v in last.data])
    if task['pool']['kind'] != 'none':
        attributes = dict(layout='NCHW', kernel=task['pool']['kernel'], stride=task['pool']['stride'])
        stages['pool'] = POOLS[task['pool']['kind']](last, attributes)
    return stages


def check(program, photo, task):
    """The first stage that differs, or None."""
    task = dict(task, resize=dict(width=WIDTH, height=HEIGHT, method=(task['resize'] or dict(method='area'))['method']))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / 'task.json').write_text(json.dumps(task))
        command = [program, 'conv', photo, '--task', folder / 'task.json', '--dump-layers', folder, '--json']
        receipt = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)['receipt']
        source = receipt['input']
        shape = (source['height'], source['width'], source['channels'])
        pixels = dumped(folder, 0, 'pixels', dict(dtype=f"u{source['bits']}", shape=shape))
    got = dict(resized=source['resized'], input=source['tensor'], **{layer['name']: layer['sha256'] for layer in receipt['layers']})
    want = {name: tensor.sha256() for name, tensor in expected(pixels, task).items()}
    assert got.keys() == want.keys(), (got.keys(), want.keys())
    return next((name for name in want if want[name] != got[name]), None)


def main(program, pipelines, images):
    failed = 0
    cases = json.loads(pathlib.Path(pipelines).read_text())['pipelines']
    for case in cases:
        different = check(program, pathlib.Path(images) / case['image'], case['task'])
        failed += different is not None
        if different: print(f"FAILED {case['name']}: stage {different} is not what the law says")
    print(f'{len(cases) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
