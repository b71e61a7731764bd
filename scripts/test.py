#!/usr/bin/env python3
"""Runs the steps below in order, each with its own log, and ends with a table and one total.
usage: test.py [--list] [STEP...]"""
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "logs"
JOBS = os.environ.get("BITEXACT_JOBS", str(min(os.cpu_count() or 2, 8)))
ABSENT = {"BITEXACT_SHARED": str(ROOT / "build" / "absent")}
FUZZ_SECONDS = os.environ.get("BITEXACT_FUZZ_SECONDS", "30")


def build(preset, *targets):
    target = f" --target {' '.join(targets)}" if targets else ""
    return f"cmake --preset {preset} && cmake --build --preset {preset} -j {JOBS}{target}"


def ctest(preset):
    return f"ctest --preset {preset} -j {JOBS}"


# (name, command, extra environment). The page is built after the parity table, which it shows.
STEPS = [
    ("format", "tests/style/format.sh", {}),
    ("include-rule", "python3 tests/style/includes.py", {}),
    ("operators-listed", "python3 tests/style/operators.py", {}),
    ("dev-build", build("dev"), {}),
    ("dev-tests", ctest("dev"), {}),
    ("program-sanitized", "python3 tests/cli/cli_test.py build/dev/bitexact", {}),
    ("models-sanitized", "python3 tests/cli/model_cli_test.py build/dev/bitexact", {}),
    ("lint", "tests/style/tidy.sh", {}),
    ("release-build", build("release"), {}),
    ("release-tests", ctest("release"), {}),
    ("release-tests-without-shared", ctest("release"), ABSENT),
    ("vectors", "build/release/bitexact vectors $(python3 tests/cross/suites.py | tee /dev/stderr | grep ^build/)", {}),
    ("program", "python3 tests/cli/cli_test.py build/release/bitexact", {}),
    ("model-program", "python3 tests/cli/model_cli_test.py build/release/bitexact", {}),
    ("oracle", "python3 tests/oracle/photo_check.py build/release/bitexact tests/pipelines.json web/public/samples", {}),
    ("stack-usage", "tests/cross/stack_usage.sh", {}),
    ("symbols", "python3 tests/cross/symbols.py build/release/core/libbitexact_fx.a", {}),
    ("instruction-counts", "python3 tests/cross/instruction_counts.py build/release/tests/cross/bitexact_constant_time", {}),
    ("models", "python3 models/check.py", {}),
    ("consumer", "tests/consumer/run.sh build/release", {}),
    ("fuzz", f"tests/fuzz/run.sh {FUZZ_SECONDS}", {}),
    ("cross-builds", "tests/cross/build.sh", {}),
    ("cortex-m4", "python3 tests/cross/cortex_m4.py", {}),
    ("symbols-32-bit", "python3 tests/cross/symbols.py build/cross-armhf/core/libbitexact_fx.a arm-linux-gnueabihf-nm", {}),
    ("package", "scripts/build-wasm.sh && npm --prefix wasm test", {}),
    ("readme", "python3 tests/style/readme.py build/prefix build/package/bitexact-*.tgz", {}),
    ("kernel-parity", "tests/cross/kernels.sh", {}),
    ("parity", "tests/cross/run.sh", {}),
    ("page", "scripts/build-page.sh && npm --prefix web test", {}),
    ("browsers", "source scripts/env.sh && python3 tests/cross/suites.py && npm_ci tests/e2e && npm --prefix tests/e2e test", {}),
    ("table", "python3 tests/cross/table.py", {}),
]

# The closing lines of the runners used here, each as (passed, failed, skipped).
NUMBER = r"(\d+)"
CLOSINGS = [
    (rf"^{NUMBER} passed, {NUMBER} failed(?:, {NUMBER} skipped)?$", lambda m: (m[1], m[2], m[3])),
    (rf"^\d+% tests passed, {NUMBER} tests failed out of {NUMBER}", lambda m: (int(m[2]) - int(m[1]), m[1], 0)),
    (rf"^[#ℹ] pass {NUMBER}\n[#ℹ] fail {NUMBER}\n[#ℹ] cancelled \d+\n[#ℹ] skipped {NUMBER}", lambda m: (m[1], m[2], m[3])),
    (rf"^ *Tests +(?:{NUMBER} failed *\| *)?(?:{NUMBER} passed)?(?: *\| *{NUMBER} skipped)?", lambda m: (m[2], m[1], m[3])),
]


def counts(text):
    """The sum over all closing lines; a step without any counts as one test."""
    found = [[int(n or 0) for n in take(match)]
             for pattern, take in CLOSINGS for match in re.finditer(pattern, text, re.M)]
    total = [sum(column) for column in zip(*found)] if found else [0, 0, 0]
    skipped_by_ctest = len(re.findall(r"\*\*\*Skipped", text))
    return [total[0] - skipped_by_ctest, total[1], total[2] + skipped_by_ctest]


def run(name, command, environment):
    log = LOGS / f"{name}.log"
    begin = time.monotonic()
    with log.open("w") as out:
        code = subprocess.call(["timeout", "1800", "bash", "-euo", "pipefail", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out,
                               stderr=subprocess.STDOUT, env={**os.environ, **environment})
    text = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(errors="replace"))
    passed, failed, skipped = counts(text)
    if code != 0 and failed == 0:
        failed = 1
    if passed + failed + skipped == 0:
        passed = 1
    if failed:
        print(f"{name}: exit {code}; the end of {log.relative_to(ROOT)}:")
        print("".join(f"  | {line}\n" for line in text.splitlines()[-40:]), end="")
    if name == "table":
        print(text, end="")
    for line in re.findall(r"^.*\bSKIP(?:PED)?\b.*$", text, re.M)[:5]:
        print(f"  {line.strip()}")
    return passed, failed, skipped, time.monotonic() - begin


def main():
    names = sys.argv[1:]
    if names == ["--list"]:
        print("\n".join(name for name, _, _ in STEPS))
        return 0
    unknown = set(names) - {name for name, _, _ in STEPS}
    if unknown:
        sys.exit(f"unknown step: {', '.join(sorted(unknown))}; ./test.sh --list names them")
    LOGS.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, command, environment in STEPS:
        if not names or name in names:
            rows.append((name, *run(name, command, environment)))
            print("{0:30} {1:6} passed {2:4} failed {3:4} skipped {4:7.1f} s".format(*rows[-1]), flush=True)
    print(f"\n{'step':30} {'passed':>6} {'failed':>6} {'skipped':>7} {'seconds':>8}")
    for name, passed, failed, skipped, seconds in rows:
        print(f"{name:30} {passed:6} {failed:6} {skipped:7} {seconds:8.1f}")
    passed, failed, skipped = (sum(row[i] for row in rows) for i in (1, 2, 3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
