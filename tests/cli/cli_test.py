#!/usr/bin/env python3
"""The program as its users meet it: outputs, exit codes, messages. usage: cli_test.py BITEXACT"""
import hashlib
import json
import pathlib
import subprocess
import unittest

from program import PROGRAM, Case, main, run

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'web' / 'public' / 'samples'
PGM = b'P5\n4 4\n255\n' + bytes(range(0, 256, 16))


class Program(Case):
    def setUp(self):
        super().setUp()
        (self.folder / 'p.pgm').write_bytes(PGM)

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
        for command in ('conv', 'verify', 'vectors', 'kernels', 'parity'):
            got = run(command, '--help')
            self.assertEqual(got.returncode, 0)
            self.assertIn('Example', got.stdout)

    def test_hostile_vectors_fail_and_never_crash(self):
        def q16(shape, **more): return dict(dtype='q16', shape=shape, **(more or dict(fill=dict(seed=1, lo=-9, hi=9))))
        m22, four = q16([2, 2]), q16([1, 4, 4, 1])
        good = dict(dtype='q16', shape=[2, 2], data=[0, 0, 0, 0])
        image = dict(dtype='u8', shape=[2, 2, 1], data=[1, 2, 3, 4])
        deep = []
        for _ in range(25): deep = [deep]

        def case(op, params=None, output=good, **inputs): return dict(name='c', op=op, params=params or {}, inputs=inputs, output=output)
        def relu(output, **more): return dict(case('fx_relu', None, output, **{'in': q16([2, 2], data=[1, -2, 3, -4])}), **more)
        def node(**params): return case('max_pool2d', dict(dict(kernel=[2, 2]), **params), **{'in': four})
        def fx(op, second=None, **params): return case(op, params, **{'in': m22}, **(second or {}))
        def img(op, **params): return case(op, params, **{'in': image})
        right = [1, 0, 3, 0]
        digest = hashlib.sha256(b''.join(v.to_bytes(4, 'little') for v in right)).hexdigest()
        self.assertEqual(self.vectors(relu(dict(good, data=right)))[0], 0)
        self.assertEqual(self.vectors(relu(dict(dtype='q16', shape=[2, 2], sha256=digest, head=right)))[0], 0)
        hostile = [
            *(relu(dict(good, data=d)) for d in ([], right[:3], right + [0], {'a': 1}, 'x', 5, None, [1, 0, 3, 2**64], [1, 0, 3, 0.0], ['x'] * 4)),
            *(relu(dict(dtype='q16', shape=[2, 2], sha256=digest, head=h)) for h in (right + [0], 'x', {}, [2], [None])),
            *(relu(dict(dtype='q16', shape=[2, 2], sha256=s)) for s in (7, None, [], '')),
            relu(dict(good, data=right, dtype=1)), relu(dict(good, data=right, shape='x')), relu(None), relu([]), relu(dict(good, data=right), error=3),
            relu(dict(good, data=right), name=5), relu(dict(good, data=right), params=5), relu(dict(good, data=right), inputs=[1]),
            relu(dict(good, data=right), op=[]), 5, None, [], {},
            fx('fx_matrix_mul'), fx('fx_matrix_add'), fx('fx_conv2d'), fx('fx_matrix_add_bias'),
            *(fx(op, {key: bad}) for op, key in (('fx_matrix_mul', 'b'), ('fx_conv2d', 'kernel'), ('fx_matrix_add_bias', 'bias'))
              for bad in (dict(dtype='i8', shape=[2, 2], data=[1] * 4), q16([2]), q16([2, 2, 1]), q16([65538, 2]), q16([1, 65537]), q16([65536, 0]))),
            *(case('fx_relu', None, **{'in': t}) for t in (q16([65537, 1]), q16([2]), q16([-1, 2]), q16([2**62, 4]), q16(['a', 1]), q16([2, 2], data=[2**31, 0, 0, 0]),
                                                          q16([8193, 8193]), q16([2, 2], range=2**31 - 2), q16([2, 2], fill=dict(seed='x', lo=0, hi=1)),
                                                          q16([2, 2], fill=dict(seed=1, lo=5, hi=1)), q16([2, 2], fill=[]), 5, 'x')),
            fx('fx_maxpool_stride', pool_size=-2**63 + 1, stride=-1), fx('fx_maxpool_stride', pool_size=2, stride='x'), fx('fx_maxpool_stride'),
            fx('fx_maxpool_generic', pool_h=65538, pool_w=2), fx('fx_maxpool_generic', pool_h=2), fx('fx_pad_zeros', rows=2**40, cols=2),
            fx('fx_pad_zeros', rows=65535, cols=65535), fx('fx_leaky_relu', alpha=2**31), fx('fx_relu', frobnicate=1), fx('fx_frobnicate'),
            img('image_resize', width='x', height=2), img('image_resize', width=1e300, height=2), img('image_resize', width=2),
            img('image_resize', width=2, height=2, method='cubic'), img('image_resize', width=2, height=2, method=5), img('image_resize', width=2**33, height=1),
            img('image_resize', width=2**31 - 1, height=2**31 - 1), img('image_to_q16', mean=['x'], std=[1]), img('image_to_q16', mean=5), img('image_to_q16', std={'a': 1}),
            img('image_luma', frobnicate=1), img('image_frobnicate'), case('image_luma', None, **{'in': m22}), case('image_luma'),
            node(kernel=['a', 1]), node(kernel=5), node(kernel=[1]), node(pad=['a', 1, 1, 1]), node(pad=7), node(pad=[1, 1]), node(pad='SIDEWAYS'), node(ceil_mode=1),
            node(nan='bogus'), node(nan=0), node(act_max=2**31), node(act_min=-2**31 - 1), node(layout=7), node(frobnicate=1), node(kernel=deep),
            *(node(**{key: [v, v]}) for key in ('kernel', 'stride', 'dilation') for v in (-2**63, -1, 2**31, 2**63 - 1, 2**64 - 1)),
            *(node(pad=[v] * 4) for v in (-2**63, -1, 2**31, 2**40, 2**63 - 1)),
            case('conv2d', None, **{'in': four}), case('conv2d', None, **{'in': four, 'weights': m22}), case('conv2d', None, **{'in': m22, 'weights': four}),
            *(case('conv2d', dict(groups=g), **{'in': four, 'weights': four}) for g in (0, -1, 2**63 - 1, -2**63, 'x')),
            case('conv2d', None, **{'in': four, 'weights': four, 'bias': q16([7])}), case('conv2d', None, **{'in': four, 'weights': dict(four, dtype='i64')}),
        ]
        for wrong in hostile:
            for kernels in ('reference', 'fastest'):
                with self.subTest(json.dumps(wrong)[:300]):
                    code, tally = self.vectors(wrong, '--kernels', kernels)
                    self.assertEqual((code, tally['passed'], tally['failed']), (1, 0, 1))

    def vectors(self, case, *args):
        self.at('v.json').write_text(json.dumps(dict(schema='bitexact-vectors/1', suite='x', cases=[case])))
        got = run('vectors', self.at('v.json'), '--json', *args)
        return got.returncode, json.loads(got.stdout or 'null')

    def test_parameters_that_break_the_case_are_not_the_error_it_expects(self):
        for params in (dict(pool_h=65538, pool_w=1), dict(pool_h=1), dict(pool_h=0, pool_w=1, more=1), dict(pool_h='x', pool_w=1)):
            case = dict(name='c', op='fx_maxpool_generic', params=params, error='argument', inputs={'in': dict(dtype='q16', shape=[2, 2], data=[0] * 4)})
            self.assertEqual(self.vectors(case)[0], 1, params)
        case['params'] = dict(pool_h=0, pool_w=1)
        self.assertEqual(self.vectors(case)[0], 0)

    def test_deep_nesting_is_refused_everywhere(self):
        deep = '[' * 10**6 + ']' * 10**6
        p, f = self.at('p.pgm'), self.at('deep.json')
        vectors = '{"schema":"bitexact-vectors/1","cases":[{"name":"c","op":"fx_relu","params":%s}]}'
        pipelines = '{"schema":"bitexact-pipelines/1","pipelines":[{"name":"a","image":"p.pgm","task":%s}]}'
        short = deep[10**6 - 10**5:10**6 + 10**5]
        for text, args in ((vectors % deep, ('vectors', f)), (pipelines % deep, ('parity', f)), ('{"rows":%s}' % short, ('conv', p, '--kernel', f)),
                           ('{"kernel":%s}' % short, ('conv', p, '--task', f)), ('{"bitexact":%s}' % short, ('verify', f, '--input', p))):
            with self.subTest(args[0]):
                f.write_text(text)
                self.fails(2, 'bitexact', *args)
        self.fails(2, '32 deep', 'conv', p, '--kernel', deep[10**6 - 100:10**6 + 100])
        self.fails(2, 'numbers', 'conv', p, '--mean', deep[10**6 - 100:10**6 + 100], '--std', '1')

    def test_hostile_pipelines(self):
        for suite in ({}, {'pipelines': 5}, {'pipelines': [5]}, {'pipelines': [{'name': 1, 'image': 2, 'task': 3}]}, {'pipelines': [{'name': 'a', 'image': 'p.pgm', 'task': 3}]},
                      {'pipelines': [{'name': 'a', 'image': 'p.pgm'}]}, {'pipelines': {'a': 1}}):
            with self.subTest(str(suite)):
                self.at('s.json').write_text(json.dumps(dict(suite, schema='bitexact-pipelines/1')))
                self.fails(2, 'bitexact parity', 'parity', self.at('s.json'), '--images', self.folder)

    def test_large_texts_are_refused(self):
        p, big = self.at('p.pgm'), self.at('big.json')
        big.write_text('{"name": "%s"}' % ('x' * (1 << 20)))
        for args in (('conv', p, '--kernel', big), ('conv', p, '--task', big), ('verify', big, '--input', p)):
            with self.subTest(str(args)): self.fails(2, 'at most 1048576', *args)

    def test_limit_of_megapixels(self):
        p = self.at('p.pgm')
        self.at('wide.pgm').write_bytes(b'P5\n1001 1\n255\n' + bytes(1001))
        self.fails(2, 'limit of 1000 pixels', 'conv', self.at('wide.pgm'), '--max-megapixels', '0.001', '--kernel', '1')
        self.conv('--max-megapixels', '0.001', '--receipt', self.at('r.json'))
        for wrong in ('0', '-1', '2001', 'nan', 'inf', 'x'):
            with self.subTest(wrong): self.fails(2, '--max-megapixels', 'conv', p, '--max-megapixels', wrong)
        self.fails(2, '--max-megapixels', 'verify', self.at('r.json'), '--input', p, '--max-megapixels', 'nan')

    def test_control_characters_are_escaped(self):
        self.fails(2, r'\x1b[31m\x7f\x0a', 'conv', self.at('\x1b[31m\x7f\n'))
        self.fails(2, r'\x1b', 'conv', self.at('p.pgm'), '\x1b')
        self.at('v.json').write_text(json.dumps(dict(schema='bitexact-vectors/1', cases=[dict(name='\x1b[2J\n', op='\x07')])))
        got = run('vectors', self.at('v.json'))
        self.assertEqual((got.returncode, got.stdout), (1, 'FAILED \\x1b[2J\\x0a: unknown op \\x07\n0 passed, 1 failed\n'))
        self.conv('--receipt', self.at('r.json'))
        receipt = json.loads(self.at('r.json').read_text())
        receipt['input']['file'] = '\x1b[2J'
        self.at('r.json').write_text(json.dumps(receipt))
        got = run('verify', self.at('r.json'), '--input', self.at('p.pgm'))
        self.assertEqual((got.returncode, got.stdout[:36]), (1, r'differs at file: expected \x1b[2J, got'[:36]))

    @unittest.skipUnless(pathlib.Path('/dev/full').exists(), 'no /dev/full')
    def test_full_disk(self):
        for args in (('conv', self.at('p.pgm')), ('version',), ('--help',), ('conv', '--help')):
            with open('/dev/full', 'w') as full:
                got = subprocess.run([PROGRAM, *map(str, args)], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((got.returncode, got.stderr.count('\n')), (2, 1), args)
        self.fails(2, 'No space left', 'conv', self.at('p.pgm'), '--dump', '/dev/full')

    def test_files_are_written_whole_or_not_at_all(self):
        self.at('d').mkdir()
        self.fails(2, 'directory', 'conv', self.at('p.pgm'), '--receipt', self.at('d'))
        self.at('r.json').write_text('old')
        self.conv('--receipt', self.at('r.json'))
        self.assertEqual(json.loads(self.at('r.json').read_text())['bitexact'], 1)
        self.at('link').symlink_to('target')
        self.conv('--receipt', self.at('link'))
        self.assertTrue(self.at('link').is_symlink() and self.at('target').exists())
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['d', 'link', 'p.pgm', 'r.json', 'target'])

    def test_picture_name_is_checked_first(self):
        self.fails(2, 'expected a name ending', 'conv', self.at('none.png'), '-o', self.at('x.gif'))

    def test_task_stands_alone(self):
        self.conv('--receipt', self.at('r.json'))
        self.at('t.json').write_text(json.dumps(json.loads(self.at('r.json').read_text())['task']))
        for option in ('--kernel', '--activation', '--pool', '--channels', '--pad', '--stride', '--resize', '--background', '--mean', '--std', '--resize-method'):
            value = {'--channels': 'luma', '--resize-method': 'area'}.get(option, '1')
            with self.subTest(option): self.fails(2, option, 'conv', self.at('p.pgm'), '--task', self.at('t.json'), option, value)

    def test_verify_a_file_on_which_the_task_cannot_run(self):
        self.conv('--receipt', self.at('r.json'), '--kernel', 'box')
        self.at('p.pgm').write_bytes(b'P5\n1 1\n255\n0')
        got = run('verify', self.at('r.json'), '--input', self.at('p.pgm'))
        self.assertEqual((got.returncode, got.stderr), (1, ''))
        self.assertIn('differs at file', got.stdout)

    def test_kernels_are_listed_and_explain_themselves(self):
        names = [k['name'] for k in json.loads(run('kernels', '--json').stdout)]
        self.assertIn('conv2d_q16', names)
        self.assertEqual(len(names), len(set(names)))
        def conv(name, weight):
            inputs = {'in': dict(dtype='q16', shape=[1, 1, 9, 1], data=[1] * 9), 'weights': dict(dtype='q16', shape=[1, 1, 1, 1], data=[weight])}
            return dict(name=name, op='conv2d', params={}, inputs=inputs)
        self.at('v.json').write_text(json.dumps(dict(schema='bitexact-vectors/1', suite='x', cases=[conv('one', 1), conv('most', -2**31)])))
        one, most = json.loads(run('kernels', '--explain', self.at('v.json'), '--json').stdout)
        # |x| <= 2^31 times |w|, and half of 2^16 to round: 2^31 + 2^15 and 2^62 + 2^15, with a sign.
        self.assertEqual((one['bits'], most['bits']), (33, 64))
        self.assertEqual([k['verdict'] for k in one['kernels'] if k['verdict'] == 'chosen'], ['chosen'])
        text = run('kernels', '--explain', self.at('v.json'), '--case', 'most').stdout
        for word in ('most\n', 'sum|w|', '64 bits', 'path'): self.assertIn(word, text)
        self.fails(2, 'no such case', 'kernels', '--explain', self.at('v.json'), '--case', 'none')

    def test_help_names_the_kernels(self):
        words = run('conv', '--help').stdout.replace(',', ' ').split()
        for name in 'identity sobel-x sobel-y scharr-x scharr-y laplacian gaussian box sharpen emboss'.split(): self.assertIn(name, words)


if __name__ == '__main__':
    main(Program)
