#!/usr/bin/env python3
"""Shows that the time of fx.h depends on shapes alone: for each function, callgrind must count the same number of
instructions whatever the data. usage: instruction_counts.py PROGRAM"""
import collections
import os
import re
import subprocess
import sys
import tempfile


def instructions(profile):
    with open(profile) as text:
        return int(re.search(r"^(?:summary|totals): (\d+)", text.read(), re.M).group(1))


def measure(program, *arguments):
    """[(workload, pattern, instructions)] of every call, in order."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=measured_call",
                   "--dump-after=measured_call", program, *arguments]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{program} failed:\n{run.stderr}")
        calls = [line.split("\t") for line in run.stdout.splitlines()]
        return [(workload, pattern, instructions(f"{out}.{i}")) for i, (workload, pattern) in enumerate(calls, 1)]


def group(measurements):
    counts = collections.defaultdict(dict)
    for workload, pattern, count in measurements:
        counts[workload][pattern] = count
    return counts


def is_constant(patterns):
    return len(set(patterns.values())) == 1 and min(patterns.values()) > 0


def main():
    program = os.path.abspath(sys.argv[1])
    if is_constant(group(measure(program, "leaky"))["leaky"]):
        sys.exit("the comparison does not notice a function that depends on its data")
    passed = failed = 0
    for workload, patterns in group(measure(program)).items():
        if is_constant(patterns):
            passed += 1
            print(f"SRS-006.5, SRS-008.7: {workload:26} {next(iter(patterns.values())):9} instructions for each of {len(patterns)} patterns")
        else:
            failed += 1
            print(f"SRS-006.5, SRS-008.7: {workload:26} DEPENDS ON DATA: " + ", ".join(f"{p} {n}" for p, n in patterns.items()))
    print(f"{passed} passed, {failed} failed")
    return failed or not passed


if __name__ == "__main__":
    sys.exit(main())
