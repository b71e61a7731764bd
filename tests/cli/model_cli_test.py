#!/usr/bin/env python3
"""The program's commands for models as their users meet them. usage: model_cli_test.py BITEXACT"""
import hashlib
import json
import os
import pathlib
import struct
import unittest

import onnx_bytes as onnx
from program import Case, main, run

LENET = pathlib.Path(__file__).resolve().parents[2] / 'models'
PGM = b'P5\n2 2\n255\n' + bytes([0, 51, 102, 255])


def sha(data): return hashlib.sha256(data).hexdigest()
def floats(*values): return struct.pack(f'<{len(values)}f', *values)
def q16(*values): return struct.pack(f'<{len(values)}i', *values)


WEIGHTS = (1, 0, 0, 1, 0, -1, 0.5, 0)


def classifier(shape=(1, 1, 2, 2), weights=onnx.tensor('w', [2, 1, 2, 2], WEIGHTS)):
    """Two sums over a picture of 2 x 2: p0 + p3 + 1/4 and p2 / 2 - p1 + 1, then a ReLU."""
    nodes = [onnx.node('Conv', ['x', 'w', 'b'], ['conv']), onnx.node('Relu', ['conv'], ['relu']), onnx.node('Flatten', ['relu'], ['scores'])]
    return onnx.model(nodes, [onnx.value('x', shape)], [onnx.value('scores', [1, 2])], [weights, onnx.tensor('b', [2], [0.25, 1])])


def two_inputs():
    nodes = [onnx.node('Add', ['a', 'b'], ['sum']), onnx.node('Relu', ['a'], ['positive'])]
    return onnx.model(nodes, [onnx.value('a', [3]), onnx.value('b', [3])], [onnx.value('sum', [3]), onnx.value('positive', [3])])


class Models(Case):
    def setUp(self):
        super().setUp()
        self.m, self.p, self.r = self.file('m.onnx', classifier()), self.file('p.pgm', PGM), self.folder / 'r.json'
        self.two = self.file('two.onnx', two_inputs())

    def file(self, name, data):
        self.at(name).write_bytes(data)
        return self.at(name)

    def ok(self, *args):
        got = run(*args)
        self.assertEqual((got.returncode, got.stderr), (0, ''), got)
        return got.stdout

    def receipt(self, *args):
        self.ok('run', self.m, self.p, '--receipt', self.r, *args)
        return json.loads(self.r.read_text())

    # Pixels 0, 51, 102, 255 are 0, 13107, 26214, 65536 in Q16.16 (ARITHMETIC 10).
    def test_scores_of_a_picture(self):
        out = json.loads(self.ok('run', self.m, self.p, '--json', '--raw-out', self.at('o')))
        self.assertEqual([(t['index'], t['value'], t['real']) for t in out['top']], [(0, 81920, 1.25), (1, 65536, 1.0)])
        self.assertEqual(out['receipt']['outputs'][0]['sha256'], sha(q16(81920, 65536)))
        self.assertEqual((self.at('o') / '0.bin').read_bytes(), floats(1.25, 1))
        self.assertEqual(out['saturated'], {})

    def test_every_form_of_a_tensor_gives_the_same(self):
        data = floats(0, 0.5, 0.25, 1)
        forms = [self.file('x.bin', data), self.file('x.f32', data), self.file('x.npy', onnx.npy('<f4', '(2, 2)', data)),
                 self.file('x.pb', onnx.tensor('x', [1, 1, 2, 2], [0, 0.5, 0.25, 1]))]
        outs = [json.loads(self.ok('run', self.m, f, '--json'))['receipt'] for f in forms]
        for out in outs:
            self.assertEqual(out['inputs'][0]['tensor'], sha(q16(0, 32768, 16384, 65536)))
            self.assertEqual(out['outputs'], outs[0]['outputs'])
            self.assertIsNone(out['task']['image'])
        self.assertEqual(outs[0]['outputs'][0]['sha256'], sha(q16(81920, 40960)))

    def test_receipt_is_canonical_json(self):
        receipt = self.receipt()
        text = self.r.read_text()
        self.assertEqual(text, json.dumps(receipt, sort_keys=True, separators=(',', ':')))
        self.assertEqual(receipt['model'], dict(file=sha(classifier()), format='onnx', requant='tflm'))
        self.assertEqual((receipt['inputs'][0]['file'], receipt['inputs'][0]['pixels']), (sha(PGM), sha(PGM[-4:])))
        self.assertEqual([l['name'] for l in receipt['layers']], ['relu', 'scores'])
        out = self.ok('run', self.m, self.p)
        self.assertIn(sha(text.encode()), out)
        self.assertIn('architecture', self.receipt('--made-by')['made_by'])

    def test_digests_are_sha256_of_the_dumps(self):
        receipt = self.receipt('--dump-layers', self.at('d'))
        dumps = sorted(self.at('d').iterdir())
        self.assertEqual([d.name for d in dumps], ['00-x.bin', '01-relu.bin', '02-scores.bin'])
        self.assertEqual([sha(d.read_bytes()) for d in dumps],
                         [receipt['inputs'][0]['tensor']] + [l['sha256'] for l in receipt['layers']])

    def test_verify_same_and_different(self):
        receipt = self.receipt('--dump-layers', self.at('d'))
        verify = ('verify', self.r, '--model', self.m, '--input', self.p)
        self.assertEqual(self.ok(*verify), 'same\n')
        self.assertEqual(self.ok('verify', self.r, '--model', self.m, '--layer', 'scores', '--dumps', self.at('d')), 'same\n')
        wrong = q16(81921, 65536)
        (self.at('d') / '02-scores.bin').write_bytes(wrong)
        receipt['layers'][1]['sha256'] = sha(wrong)
        self.r.write_text(json.dumps(receipt))
        got = run(*verify)
        self.assertEqual(got.returncode, 1)
        self.assertRegex(got.stdout, r'^differs at scores: expected [0-9a-f]{64}, got [0-9a-f]{64}\n$')
        for args in (verify, verify[:4] + ('--layer', 'scores')):
            got = run(*args, '--dumps', self.at('d'))
            self.assertEqual((got.returncode, got.stdout), (1, 'differs at scores, element 0: expected 81921, got 81920\n'))

        # What differs first is named, not the layer that has a dump.
        receipt['inputs'][0]['pixels'] = '0' * 64
        self.r.write_text(json.dumps(receipt))
        self.assertTrue(run(*verify, '--dumps', self.at('d')).stdout.startswith('differs at pixels: expected 000'))

    def test_a_layer_alone_is_computed_from_the_dumps(self):
        receipt = self.receipt('--dump-layers', self.at('d'))
        layer = ('verify', self.r, '--model', self.m, '--dumps', self.at('d'), '--layer')
        # Its input, not the model's, decides: the receipt now tells of another, consistent, pair of layers.
        (self.at('d') / '01-relu.bin').write_bytes(q16(1, 2))
        self.fails(2, 'digest differs', *layer, 'scores')
        receipt['layers'][0]['sha256'] = receipt['layers'][1]['sha256'] = sha(q16(1, 2))
        self.r.write_text(json.dumps(receipt))
        self.assertEqual(self.ok(*layer, 'scores'), 'same\n')
        self.assertEqual(run(*layer, 'relu').returncode, 1)
        self.fails(2, 'no layer', *layer, 'conv')
        (self.at('d') / '00-x.bin').unlink()
        self.fails(2, 'No such file', *layer, 'relu')

    def test_verify_other_files(self):
        self.receipt()
        other, picture = self.file('other.onnx', classifier() + b'\x08\x08'), self.file('q.pgm', PGM[:-1] + b'x')
        for model, file, stage in ((other, self.p, 'model'), (self.m, picture, 'file')):
            got = run('verify', self.r, '--model', model, '--input', file)
            self.assertEqual(got.returncode, 1)
            self.assertIn('differs at ' + stage, got.stdout)
        self.fails(2, '--model', 'verify', self.r, '--input', self.p)
        self.fails(2, '1 inputs; 0 files', 'verify', self.r, '--model', self.m)
        self.fails(2, '--dumps', 'verify', self.r, '--model', self.m, '--layer', 'relu')

    def test_compare(self):
        self.receipt('--dump-layers', self.at('a'))
        self.ok('run', self.m, self.p, '--invert', '--receipt', self.at('b.json'), '--dump-layers', self.at('b'))
        self.assertEqual(self.ok('compare', self.r, self.r), 'same\n')
        got = run('compare', self.r, self.at('b.json'), '--dumps', self.at('a'), self.at('b'))
        self.assertEqual((got.returncode, got.stdout), (1, 'differs at input, element 0: expected 0, got 65536\n'))
        self.fails(2, 'JSON', 'compare', self.r, self.p)
        self.fails(2, 'No such file', 'compare', self.r, self.at('none'))

    def test_batch_and_jobs(self):
        files = [self.file(f'{i}.pgm', PGM[:-1] + bytes([i])) for i in range(20)]
        one = self.ok('run', self.m, *files, '--json', '--raw-out', self.at('o'))
        self.assertEqual(self.ok('run', self.m, *files, '--json', '--jobs', 4), one)
        lines = [json.loads(l) for l in one.splitlines()]
        self.assertEqual([l['inputs'] for l in lines], [[str(f)] for f in files])
        self.assertEqual((self.at('o') / '19' / '0.bin').read_bytes()[4:], floats(1))
        self.assertEqual(lines[7], json.loads(self.ok('run', self.m, files[7], '--json')))
        self.fails(2, '--receipt', 'run', self.m, *files, '--receipt', self.r)
        # One that cannot be run does not hide the others.
        files[3].write_bytes(b'P5')
        got = run('run', self.m, *files, '--json', '--jobs', 2)
        self.assertEqual((got.returncode, got.stdout.count('\n'), got.stderr.count('\n')), (2, 19, 1))
        self.assertIn('3.pgm', got.stderr)

    def test_several_inputs_and_outputs(self):
        a, b = self.file('a.bin', floats(1, -2, 3)), self.file('b.npy', onnx.npy('<f4', '(3,)', floats(0.5, 0.5, 40000)))
        out = json.loads(self.ok('run', self.two, a, b, '--json', '--raw-out', self.at('o'), '--receipt', self.r, '--dump-layers', self.at('d')))
        self.assertEqual((self.at('o') / '0.bin').read_bytes(), floats(1.5, -1.5, 32768))
        self.assertEqual((self.at('o') / '1.bin').read_bytes(), floats(1, 0, 3))
        self.assertEqual(out['saturated'], dict(sum=1))
        self.assertEqual(self.ok('verify', self.r, '--model', self.two, '--input', a, '--input', b), 'same\n')
        self.fails(2, '2 inputs; 1 files', 'run', self.two, a)
        got = run('verify', self.r, '--model', self.two, '--input', a, '--input', a)
        self.assertEqual((got.returncode, got.stdout[:20]), (1, 'differs at b: file: '))

    def test_labels_and_top(self):
        labels = self.file('l.txt', b'cat\r\n\x1b[2Jdog\n')
        out = self.ok('run', self.m, self.p, '--labels', labels)
        self.assertIn('0 cat 1.250000 (81920)', out)
        self.assertIn('\\x1b[2Jdog', out)
        self.assertNotIn('top', self.ok('run', self.m, self.p, '--top', 0))

    def test_inspect(self):
        j = json.loads(self.ok('inspect', self.m, '--json'))
        self.assertEqual((j['macs'], j['parameters'], j['format'], j['file_nodes']), (8, 10, 'onnx', 3))
        step = j['steps'][0]
        self.assertEqual((step['name'], step['shape']), ('relu', [1, 2, 1, 1]))
        self.assertGreater(step['accumulator']['bits'], 16)
        self.assertIn('relu', self.ok('inspect', self.m))

    def test_a_constant_that_is_read_twice_is_there_once(self):
        nodes = [onnx.node('Mul', ['x', 'two'], ['a']), onnx.node('Mul', ['a', 'two'], ['y'])]
        m = self.file('twice.onnx', onnx.model(nodes, [onnx.value('x', [3])], [onnx.value('y', [3])], [onnx.tensor('two', [1], [2])]))
        j = json.loads(self.ok('inspect', m, '--json'))
        self.assertEqual((j['parameters'], [step['parameters'] for step in j['steps']]), (1, [1, 1]))

    def test_inspect_notes_what_exporters_confuse(self):
        pool = onnx.node('AveragePool', ['x'], ['y'], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        m = self.file('pool.onnx', onnx.model([pool], [onnx.value('x', [1, 1, 2, 2])], [onnx.value('y', [1, 1, 2, 2])]))
        note, = json.loads(self.ok('inspect', m, '--json'))['notes']
        self.assertEqual((note['name'], note['node'], note['op']), ('y', 0, 'AveragePool'))
        self.assertIn('count_include_pad', note['text'])
        self.assertEqual(json.loads(self.ok('inspect', self.m, '--json'))['notes'], [])

    def test_inspect_lists_what_cannot_be_run(self):
        nodes = [onnx.node('Teleport', ['x'], ['y']), onnx.node('Frobnicate', ['y'], ['z'])]
        bad = self.file('bad.onnx', onnx.model(nodes, [onnx.value('x', [1])], [onnx.value('z', [1])]))
        got = run('inspect', bad)
        self.assertEqual(got.returncode, 2)
        self.assertIn('Teleport', got.stdout)
        self.assertIn('Frobnicate', got.stdout)
        got = run('inspect', bad, '--json')
        self.assertEqual([p['op'] for p in json.loads(got.stdout)['problems']], ['Teleport', 'Frobnicate'])

    def test_open_dimensions(self):
        m = self.file('open.onnx', classifier(['n', 1, 'h', 'w']))
        self.ok('run', m, self.p, '--shape', 'x=1,1,2,2', '--receipt', self.r)
        self.assertEqual(json.loads(self.r.read_text())['task']['shapes'], dict(x=[1, 1, 2, 2]))
        self.assertEqual(self.ok('verify', self.r, '--model', m, '--input', self.p), 'same\n')
        for wrong in ('x', 'x=', 'x=1,1,-2,2', 'x=1.5', 'x=a', 'x=1,1,1,1,1,1,1', 'x=99999999999', 'y=1,1,2,2'):
            with self.subTest(wrong): self.fails(2, 'x', 'run', m, self.p, '--shape', wrong)

    def test_report(self):
        x, y = self.file('x.bin', floats(0, 0.5, 0.25, 1) * 3), self.file('y.npy', onnx.npy('<f4', '(3, 2)', floats(1.25, 0.625, 1.25, 0.625, 1.25, 2.625)))
        j = json.loads(self.ok('report', self.m, x, '--expected', y, '--json'))
        self.assertEqual({k: v for k, v in j['outputs'][0].items() if k not in ('name', 'dtype')},
                         dict(runs=3, elements=6, equal=5, max_error=2, mean_error=2 / 6, argmax_agrees=2))
        self.assertEqual(run('report', self.m, x, '--expected', y, '--tolerance', '1.9').returncode, 1)
        self.ok('report', self.m, x, '--expected', y, '--tolerance', '2')
        a, s = self.file('a.bin', floats(30000, 0, 0)), self.file('s.bin', floats(60000, 0, 0))
        out = self.ok('report', self.two, a, a, '--expected', s, a)
        self.assertIn('layer sum saturated: 1 elements', out)
        self.fails(2, 'are needed', 'report', self.m, x, '--expected', y, y)
        self.fails(2, 'rows', 'report', self.m, x, '--expected', self.file('z.bin', floats(1, 2)))
        self.fails(2, 'for each run', 'report', self.m, x, '--expected', self.file('z.bin', floats(1)))

    def external(self, location='data/w.bin', **entries):
        """A model in a folder of its own, whose weights lie 8 bytes into a file."""
        (self.at('e') / 'data').mkdir(parents=True, exist_ok=True)
        weights = onnx.external('w', [2, 1, 2, 2], **dict(dict(location=location, offset=8, length=32), **entries))
        return self.file('e/m.onnx', classifier(weights=weights)), self.file('e/data/w.bin', floats(9, 9, *WEIGHTS, 9))

    def test_external_data(self):
        m, w = self.external()
        self.receipt()
        inside = self.r.read_text().replace(sha(classifier()), sha(m.read_bytes()))
        self.ok('run', m, self.p, '--receipt', self.at('e.json'))
        self.assertEqual(self.at('e.json').read_text(), inside)
        verify = ('verify', self.at('e.json'), '--model', m, '--input', self.p)
        self.assertEqual(self.ok(*verify), 'same\n')
        self.assertEqual(json.loads(self.ok('inspect', m, '--json'))['parameters'], 10)
        self.ok('report', m, self.file('x.bin', floats(0, 0.5, 0.25, 1)), '--expected', self.file('y.bin', floats(1.25, 0.625)), '--tolerance', 0)
        self.assertEqual(run('run', 'm.onnx', self.p, cwd=self.at('e')).returncode, 0)
        w.write_bytes(floats(9, 9, *WEIGHTS[:3], 2, *WEIGHTS[4:], 9))
        self.assertTrue(run(*verify).stdout.startswith('differs at relu: '))

    def test_external_data_of_conformance_tests(self):
        m, _ = self.external('./data//w.bin')
        m.rename(self.at('e') / 'model.onnx')
        self.file('e/input_0.pb', onnx.tensor('x', [1, 1, 2, 2], [0, 0.5, 0.25, 1]))
        self.file('e/output_0.pb', onnx.tensor('scores', [1, 2], [1.25, 0.625]))
        self.assertEqual(self.ok('conformance', self.at('e')), '1 passed, 0 failed, 0 skipped\n')

    def test_external_data_that_are_not_there(self):
        m, w = self.external()
        self.ok('run', m, self.p, '--receipt', self.r)
        w.unlink()
        for command in (('run', m, self.p), ('report', m, self.p, '--expected', self.p), ('verify', self.r, '--model', m, '--input', self.p)):
            with self.subTest(command[0]): self.fails(2, "m.onnx: external data are missing: tensor 'w' in 'data/w.bin' offset 8 length 32", *command)
        self.assertIn("tensor 'w' in 'data/w.bin'", run('inspect', m).stderr)
        w.write_bytes(floats(9, 9, *WEIGHTS)[:-1])
        self.fails(2, "'data/w.bin' offset 8 length 32 lie beyond the file's 39 bytes", 'run', m, self.p)
        w.write_bytes(b'')
        os.truncate(w, 3 << 30)
        self.fails(2, "at most 2147483648 are read", 'run', m, self.p)
        w.unlink()
        os.mkfifo(w)
        self.fails(2, "external data 'data/w.bin'", 'run', m, self.p)
        w.unlink()
        w.mkdir()
        self.fails(2, "external data 'data/w.bin'", 'run', m, self.p)
        w.rmdir()
        self.fails(2, "are missing: tensor 'w' in 'm.onnx/w'", 'run', self.external('m.onnx/w')[0], self.p)

    def test_external_data_stay_in_the_folder(self):
        outside = self.file('secret.bin', floats(9, 9, *WEIGHTS, 9))
        for location in ('../secret.bin', str(outside), 'data/../../secret.bin'):
            with self.subTest(location): self.fails(2, 'refused for security', 'run', self.external(location)[0], self.p)
        m, w = self.external()
        w.rename(self.at('e') / 'real.bin')
        w.symlink_to('../real.bin')
        self.ok('run', m, self.p)
        w.unlink()
        for target in (outside, '../../secret.bin'):
            w.symlink_to(target)
            self.fails(2, "external data 'data/w.bin': the link leads out of the model's folder", 'run', m, self.p)
            w.unlink()
        w.symlink_to('w.bin')
        self.fails(2, "external data 'data/w.bin'", 'run', m, self.p)
        w.unlink()
        w.parent.rmdir()
        w.parent.symlink_to(self.folder)
        self.file('w.bin', outside.read_bytes())
        self.fails(2, 'refused for security', 'run', m, self.p)
        # A neighbour whose name begins like the folder's.
        self.at('e2').mkdir()
        w.parent.unlink()
        w.parent.symlink_to(self.at('e2'))
        self.file('e2/w.bin', outside.read_bytes())
        self.fails(2, 'refused for security', 'run', m, self.p)

    def test_presets(self):
        task = lambda *a: self.receipt(*a)['task']['image']
        self.assertEqual((task('--preset', 'mnist')['channels'], task()['values'], task('--preset', 'raw')['values']), ('luma', 'unit', 'bytes'))
        self.assertEqual(task('--mean', '0.5', '--std', '0.25')['std'], [16384])
        first = self.receipt('--mean', '0.5', '--std', '0.25')
        self.assertEqual(first['inputs'][0]['tensor'], sha(q16(-131072, -78644, -26216, 131072)))
        wide = self.file('wide.pgm', b'P5\n4 2\n255\n' + bytes([0, 0, 51, 51, 102, 102, 255, 255]))
        out = json.loads(self.ok('run', self.m, wide, '--json', '--resize', 'area'))
        self.assertEqual(out['receipt']['inputs'][0]['resized'], sha(PGM[-4:]))
        for option, words in (('--values', 'unit | bytes'), ('--channels', 'luma | rgb'), ('--layout', 'NCHW'), ('--resize', 'bilinear'), ('--background', 'background')):
            for wrong in ('x', '1],[2', '1,2', '[' * 99):
                with self.subTest(option + wrong): self.fails(2, words, 'run', self.m, self.p, option, wrong)
        self.fails(2, 'nothing is resized', 'run', self.m, wide, '--resize', 'none')

    def test_bad_input_exits_with_2_and_one_line(self):
        m, p = self.m, self.p
        bad = self.file('bad.bin', floats(1, 2, 3))
        nan = self.file('nan.bin', floats(1, 2, float('nan'), 4))
        for words, args in [('No such file', (m, self.at('none.png'))), ('No such file', (self.at('none.onnx'), p)), ('directory', (self.folder, p)),
                            ('p.pgm', (p, p)), ('bytes', (m, bad)), ('element 2', (m, nan)), ('--preset', (m, p, '--preset', 'x')),
                            ('inputs', (m,)), ('mean and std', (m, p, '--mean', '1')), ('std must not be 0', (m, p, '--mean', '1', '--std', '0')),
                            ('makes colours', (m, p, '--channels', 'rgb')), ('2 numbers', (m, p, '--mean', '1,2', '--std', '1,2')),
                            ('No such file', (m, p, '--labels', self.at('none'))), ('--jobs', (m, p, '--jobs', 0)), ('--top', (m, p, '--top', '-1')),
                            ('irectory', (m, p, '--raw-out', p)), ('real numbers', (m, p, '--values', 'reinterpret')), ('this machine has', (m, p, '--target', 'Z80'))]:
            with self.subTest(words): self.fails(2, words, 'run', *args)

    def test_hostile_npy(self):
        data = floats(0, 0.5, 0.25, 1)
        good = onnx.npy('<f4', '(4,)', data)
        hostile = [b'', b'\x93NUMPY', good[:20], good[:-1], good + b'x', good.replace(b'\x01\x00', b'\x09\x00', 1), b'\x93NUMPY\x02\x00\xff\xff\xff\xff' + data,
                   onnx.npy('|O', '(4,)', b'cos\nsystem\n(S"true"\ntR.'), onnx.npy('>f4', '(2, 2)', data), onnx.npy('<f8', '(2,)', data), onnx.npy('<f4', '(2, 2)', data, 'True'),
                   onnx.npy('<f4', '(-4,)', data), onnx.npy('<f4', '(4, 4611686018427387904)', data), onnx.npy('<f4', '(99999999999999999999,)', data), onnx.npy('<f4', '4', data),
                   onnx.npy('<f4', '(1, 1, 1, 1, 1, 1, 4)', data), onnx.npy('<f4', '(2; 2)', data), onnx.npy('<f4', '(2, 2', data), onnx.npy('<u1', '(2, 2)', data[:4]),
                   b'\x93NUMPY\x01\x00\x02\x00{}', onnx.npy("', 'x", '(2, 2)', data), onnx.npy('', '(2, 2)', data), onnx.npy('<f4', '(1, 4)', data)]
        for i, data in enumerate(hostile):
            with self.subTest(i): self.fails(2, 'h.npy' if i < len(hostile) - 5 else 'bitexact run', 'run', self.m, self.file('h.npy', data))

    def test_hostile_models(self):
        whole = classifier()
        for end in range(0, len(whole), 3):
            with self.subTest(end):
                got = run('run', self.file('h.onnx', whole[:end]), self.p)
                self.assertIn(got.returncode, (0, 2), got)
        for at in range(0, len(whole), 5):
            with self.subTest(at):
                got = run('run', self.file('h.onnx', whole[:at] + bytes([whole[at] ^ 0xff]) + whole[at + 1:]), self.p)
                self.assertIn(got.returncode, (0, 2), got)

    def test_hostile_receipts(self):
        good = self.receipt()
        for key, wrong in [('model', 5), ('model', {}), ('model', dict(file=1, requant='tflm')), ('model', dict(file=good['model']['file'], requant='x')), ('inputs', {}),
                           ('inputs', [5]), ('inputs', [{}]), ('layers', 5), ('outputs', None), ('task', 5), ('task', dict(op='conv')), ('contract', 2), ('contract', 'x'),
                           ('bitexact', 2), ('task', dict(image=dict(mean=[1], std=[])))]:
            with self.subTest(f'{key} {wrong}'):
                self.r.write_text(json.dumps(dict(good, **{key: wrong})))
                self.fails(2, 'bitexact verify', 'verify', self.r, '--model', self.m, '--input', self.p)
                got = run('compare', self.r, self.r, '--dumps', self.folder, self.folder)
                self.assertIn(got.returncode, (0, 2), got)

    def test_help_shows_examples(self):
        for command in ('run', 'inspect', 'report', 'compare'): self.assertIn('Example', self.ok(command, '--help'))

    @unittest.skipUnless((LENET / 'lenet5.onnx').exists(), 'no LeNet-5')
    def test_lenet5_knows_its_digits(self):
        golden = json.loads((LENET / 'golden.json').read_text())
        for name, key, most in (('lenet5.onnx', 'scores', 0.01), ('lenet5-int8.onnx', 'scores_q', None)):
            for sample in golden['samples']:
                with self.subTest(f"{name} {sample['file']}"):
                    out = json.loads(self.ok('run', LENET / name, LENET / sample['file'], '--preset', 'mnist', '--top', 10, '--json'))
                    scores = [t['real' if most else 'value'] for t in sorted(out['top'], key=lambda t: t['index'])]
                    if most: self.assertLess(max(abs(a - b) for a, b in zip(scores, sample[key])), most)
                    self.assertEqual(out['top'][0]['index'], max(range(10), key=lambda i: sample[key][i]))


if __name__ == '__main__':
    main(Models)
