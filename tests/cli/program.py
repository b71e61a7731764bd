"""What the tests of the program share. The program is the first argument."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None


def run(*args, **options):
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, errors='backslashreplace', timeout=120, **options)


class Case(unittest.TestCase):
    """Has a folder of its own."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

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


def main(case):
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    failed = len(result.failures) + len(result.errors)
    print(f'{result.testsRun - failed} passed, {failed} failed')
    sys.exit(1 if failed else 0)
