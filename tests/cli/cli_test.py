#!/usr/bin/env python3
"""The program as its users meet it: outputs, exit codes, messages. usage: cli_test.py BITEXACT"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'web' / 'public' / 'samples'
PGM = b'P5\n4 4\n255\n' + bytes(range(0, 256, 16))


def run(*args, **options):
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, **options)


class Program(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / 'p.pgm').write_bytes(PGM)

    def tearDown(self):
        self.temporary.cleanup()

    def at(self, name): return self.folder / name

    def fails(self, code, words, *args):
        """Exit code, nothing on stdout, one line on stderr that holds the words."""
        got = run(*args)
        self.assertEqual(got.returncode, code, got)
        self.assertEqual(got.stdout, '')
        self.assertEqual(got.stderr.count('\n'), 1, got.stderr)
        self.assertIn(words, got.stderr)

    def conv(self, *args):
        got = run('conv', self.at('p.pgm'), *args)
        self.assertEqual(got.returncode, 0, got.stderr)
        return got.stdout

    def test_digests_are_sha256_of_the_dumps(self):
        out = json.loads(self.conv('--kernel', 'sobel-x', '--activation', 'relu', '--pool', 'max2x2', '--json', '--dump', self.at('out.bin'),
                                   '--dump-layers', self.at('layers')))
        self.assertEqual(out['output'], hashlib.sha256(self.at('out.bin').read_bytes()).hexdigest())
        stages = ['00-pixels', '01-input', '02-conv', '03-activation', '04-pool']
        self.assertEqual(sorted(p.stem for p in self.at('layers').iterdir()), stages)
        self.assertEqual((self.at('layers') / '00-pixels.bin').read_bytes(), PGM[11:])
        self.assertEqual(out['receipt']['input']['file'], hashlib.sha256(PGM).hexdigest())

    def test_receipt_is_canonical_json(self):
        self.conv('--kernel', 'box', '--receipt', self.at('r.json'))
        text = self.at('r.json').read_text()
        self.assertEqual(text, json.dumps(json.loads(text), sort_keys=True, separators=(',', ':')))
        self.assertNotIn('made_by', text)
        self.conv('--kernel', 'box', '--receipt', self.at('m.json'), '--made-by')
        self.assertIn('architecture', json.loads(self.at('m.json').read_text())['made_by'])

    def test_verify_same_and_different(self):
        self.conv('--kernel', 'sobel-y', '--pad', 'same', '--receipt', self.at('r.json'), '--dump-layers', self.at('layers'))
        verify = ('verify', self.at('r.json'), '--input', self.at('p.pgm'))
        same = run(*verify)
        self.assertEqual((same.returncode, same.stdout), (0, 'same\n'))
        receipt = json.loads(self.at('r.json').read_text())
        dump = self.at('layers') / '02-conv.bin'
        wrong = bytearray(dump.read_bytes())
        wrong[4 * 7] ^= 1
        dump.write_bytes(wrong)
        receipt['layers'][0]['sha256'] = hashlib.sha256(wrong).hexdigest()
        self.at('r.json').write_text(json.dumps(receipt))
        differs = run(*verify)
        self.assertEqual(differs.returncode, 1)
        self.assertRegex(differs.stdout, r'^differs at conv: expected [0-9a-f]{64}, got [0-9a-f]{64}\n$')
        located = run(*verify, '--dumps', self.at('layers'), '--json')
        self.assertEqual(located.returncode, 1)
        verdict = json.loads(located.stdout)
        self.assertEqual((verdict['stage'], verdict['element']['index']), ('conv', 7))
        self.assertEqual(verdict['element']['expected'] ^ verdict['element']['got'], 1)

    def test_verify_another_file(self):
        self.conv('--receipt', self.at('r.json'))
        self.at('p.pgm').write_bytes(PGM[:-1] + b'x')
        got = run('verify', self.at('r.json'), '--input', self.at('p.pgm'))
        self.assertEqual(got.returncode, 1)
        self.assertIn('differs at file', got.stdout)

    def test_ways_to_write_a_kernel_agree(self):
        self.at('k.json').write_text('{"name": "custom", "rows": [[-1, 0.5], [0, 2e0]]}')
        digests = {json.loads(self.conv('--json', '--kernel', k))['output']
                   for k in ('-1 0.5; 0 2', '-1,0.5;0,2', '[[-1,0.5],[0,2]]', self.at('k.json'))}
        self.assertEqual(len(digests), 1)

    def test_kernels_and_targets_agree(self):
        known = json.loads(run('version', '--json').stdout)
        outs = {json.loads(self.conv('--json', '--kernels', 'reference'))['output']}
        for target in known['targets']: outs.add(json.loads(self.conv('--json', '--target', target))['output'])
        self.assertEqual(len(outs), 1)

    def test_pictures_can_be_read_again(self):
        self.conv('--kernel', '[[1]]', '-o', self.at('o.pgm'))
        self.assertEqual(self.at('o.pgm').read_bytes(), PGM)
        self.conv('--kernel', '[[1]]', '-o', self.at('o.png'))
        again = run('conv', self.at('o.png'), '--kernel', '[[1]]', '--json')
        first = json.loads(self.conv('--kernel', '[[1]]', '--json'))
        self.assertEqual(json.loads(again.stdout)['output'], first['output'])

    def test_task_of_a_receipt_gives_the_receipt_again(self):
        self.conv('--kernel', 'emboss', '--activation', 'leaky-relu:0.25', '--pool', 'avg:3x2/2x1', '--pad', '1,0,2,1', '--stride', '1x2',
                  '--resize', '9x8', '--receipt', self.at('a.json'))
        self.at('t.json').write_text(json.dumps(json.loads(self.at('a.json').read_text())['task']))
        self.conv('--task', self.at('t.json'), '--receipt', self.at('b.json'))
        self.assertEqual(self.at('a.json').read_text(), self.at('b.json').read_text())

    def test_bad_input_exits_with_2_and_one_line(self):
        p = self.at('p.pgm')
        for words, args in [('No such file', ('conv', self.at('none.png'))), ('Is a directory', ('conv', self.folder)),
                            ('one of identity, sobel-x', ('conv', p, '--kernel', 'nope')), ('rows differ', ('conv', p, '--kernel', '1 2; 3')),
                            ('Q16.16', ('conv', p, '--kernel', '[[40000]]')), ('larger than the input', ('conv', p, '--kernel', '1 ' * 5)),
                            ('max2x2', ('conv', p, '--pool', 'median')), ('--pad', ('conv', p, '--pad', 'sideways')),
                            ('less than the window', ('conv', p, '--pad', '3,3,3,3')), ('WIDTHxHEIGHT', ('conv', p, '--resize', '5')),
                            ('this machine has', ('conv', p, '--target', 'Z80')), ('mean and std', ('conv', p, '--mean', '1,2', '--std', '1,2')),
                            ('too_large', ('conv', p, '--resize', '99999x99999')), ('expected a name ending', ('conv', p, '-o', self.at('x.gif'))),
                            ('subcommand', ()), ('not expected', ('conv', p, '--frobnicate')), ('bitexact-vectors/1', ('vectors', p)),
                            ('not valid JSON', ('verify', p, '--input', p))]:
            with self.subTest(words): self.fails(2, words, *args)

    def test_truncated_photo_names_file_and_byte(self):
        self.at('t.pgm').write_bytes(PGM[:-1])
        self.fails(2, 't.pgm: ', 'conv', self.at('t.pgm'))

    def test_vectors_count_and_unknown_ops_fail(self):
        case = dict(name='made up', op='fx_cube', inputs={}, params={}, error='argument')
        good = dict(name='relu', op='fx_relu', params={}, inputs={'in': dict(dtype='q16', shape=[1, 2], data=[-1, 2])},
                    output=dict(dtype='q16', shape=[1, 2], data=[0, 2]))
        bad = dict(good, name='wrong', output=dict(dtype='q16', shape=[1, 2], data=[0, 3]))
        unknown = dict(good, name='unknown', op='teleport')
        self.at('v.json').write_text(json.dumps(dict(schema='bitexact-vectors/1', suite='x', cases=[case, good, bad, unknown])))
        got = run('vectors', self.at('v.json'))
        self.assertEqual(got.returncode, 1)
        self.assertIn('FAILED wrong: element 1: expected 3, got 2', got.stdout)
        self.assertIn('FAILED unknown: unknown op teleport', got.stdout)
        self.assertTrue(got.stdout.endswith('1 passed, 3 failed\n'), got.stdout)

    def test_help_shows_examples(self):
        for command in ('conv', 'verify', 'vectors', 'parity'):
            got = run(command, '--help')
            self.assertEqual(got.returncode, 0)
            self.assertIn('Example', got.stdout)


if __name__ == '__main__':
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromTestCase(Program))
    failed = len(result.failures) + len(result.errors)
    print(f'{result.testsRun - failed} passed, {failed} failed')
    sys.exit(1 if failed else 0)
