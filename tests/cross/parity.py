#!/usr/bin/env python3
"""Runs the golden vectors and the image pipelines on every platform and demands one answer. Prints a table and checks
that web/public/parity.json, which the page shows, is what this run made; with --write it writes that file instead.
usage: parity.py [--write] [--only PATTERN]"""
import argparse
import collections
import concurrent.futures
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

from suites import SUITES, gather

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "web" / "public" / "parity.json"
# Sets of models, and the only platforms that run the large ones: emulators would take hours.
MODELS = SUITES / "models"
LARGE_ON = ("x86_64 reference", "x86_64 AVX2", "x86_64 AVX3", "wasm32 SIMD fastest")
ROWS = ROOT / "build" / "parity-rows.json"  # for table.py
PIPELINES = ROOT / "tests" / "pipelines.json"
# `command` is a `bitexact`; `options` choose its kernels; the page shows the published ones.
Platform = collections.namedtuple("Platform", "name command options published")
Row = collections.namedtuple("Row", "platform suite cases digest")


def kernels(name):
    return ["--kernels", name]


def platforms():
    native = ["build/release/bitexact"]
    for target in ("reference", "SSE4", "AVX2", "AVX3"):
        options = kernels(target) if target == "reference" else ["--target", target]
        yield Platform(f"x86_64 {target}", native, options, True)
    for arch, emulator in (("aarch64", "aarch64"), ("armhf", "arm"), ("riscv64", "riscv64"), ("s390x", "s390x"),
                           ("ppc64le", "ppc64le")):
        command = [f"qemu-{emulator}-static", f"build/cross-{arch}/bitexact"]
        for which in ("reference", "fastest"):
            yield Platform(f"{arch} {which}", command, kernels(which), True)
    package = ["node", "tests/cross/node.mjs"]
    yield Platform("wasm32 scalar", [*package, "scalar"], kernels("reference"), False)
    for which in ("reference", "fastest"):
        yield Platform(f"wasm32 SIMD {which}", [*package, "simd"], kernels(which), False)


def call(platform, *arguments):
    """The JSON that a platform's program prints, whatever its verdict."""
    command = [*platform.command, *arguments, *platform.options, "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    try:
        return json.loads(run.stdout)
    except ValueError:
        sys.exit(f"{' '.join(command)}: exit {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")


def digest(values):
    return hashlib.sha256("\n".join(values).encode()).hexdigest()


def cpu_has(platform):
    if platform.name.startswith("x86_64") and os.uname().machine != "x86_64":
        return False
    flags = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    needed = {"x86_64 SSE4": "sse4_2", "x86_64 AVX2": "avx2", "x86_64 AVX3": "avx512bw"}.get(platform.name)
    return needed is None or f" {needed} " in flags


def model_sets(platform):
    sets = json.loads((MODELS / "index.json").read_text())
    return [name for name in sets if name != "large" or platform.name in LARGE_ON]


def measure(platform, suites):
    """The rows of the table and the entry of parity.json."""
    rows, digits = [], None
    for name in model_sets(platform):
        result = call(platform, "parity", MODELS / f"{name}.json", "--images", MODELS)
        rows.append(Row(platform.name, f"models {name}", len(result["outputs"]), digest(result["outputs"] + result["receipts"])))
        digits = result["receipts"] if name == "digits" else digits
    for path in suites:
        result = call(platform, "vectors", path)
        if result["failed"]:
            sys.exit(f"{platform.name}: {path}: {result['failed']} of {result['passed'] + result['failed']} cases fail")
        rows.append(Row(platform.name, path.stem, result["passed"], result["all"]))
    result = call(platform, "parity", PIPELINES, "--images", "web/public/samples")
    rows.append(Row(platform.name, "pipelines", len(result["outputs"]), digest(result["outputs"] + result["receipts"])))
    entry = {"name": platform.name, **result["platform"], "outputs": result["outputs"], "receipts": result["receipts"], "models": digits}
    return rows, entry


def assemble(entries):
    """parity.json with this run's entries; a platform that this machine cannot be keeps its published entry."""
    old = json.loads(PUBLISHED.read_text()) if PUBLISHED.exists() else {"platforms": []}
    made = {entry["name"]: entry for entry in entries}
    kept = {entry["name"]: entry for entry in old["platforms"] if entry["name"] not in made}
    version = json.loads(subprocess.check_output([ROOT / "build/release/bitexact", "version", "--json"]))
    names = [p.name for p in platforms() if p.published]
    return {"schema": "bitexact-parity/1", "engine": version["engine"], "contract": version["contract"],
            "pipelines": json.loads(PIPELINES.read_text())["pipelines"],
            "models": json.loads((MODELS / "digits.json").read_text())["cases"],
            "platforms": [{**kept, **made}[name] for name in names if name in made or name in kept]}


def published_disagreements(document):
    """Names of platforms whose published digests, made now or kept from another machine, differ from the first one's."""
    digests = [(p["outputs"], p["receipts"], p.get("models")) for p in document["platforms"]]
    return [p["name"] for p, mine in zip(document["platforms"], digests) if mine != digests[0]]


def text_of(document):
    """JSON with a line for each pipeline and platform."""
    def block(key):
        return f'"{key}":[\n' + ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in document[key]) + "\n]"
    head = json.dumps({key: document[key] for key in ("schema", "engine", "contract")}, separators=(",", ":"))
    return f"{head[:-1]},\n{block('pipelines')},\n{block('models')},\n{block('platforms')}}}\n"


def comparable(document):
    """Without the compilers' versions, which another machine's distribution decides."""
    return {**document, "platforms": [{k: v for k, v in p.items() if k != "compiler"} for p in document["platforms"]]}


def disagreements(rows):
    """The rows that differ from the first of their suite."""
    first = {}
    for row in rows:
        first.setdefault(row.suite, row)
    return [row for row in rows if (row.cases, row.digest) != (first[row.suite].cases, first[row.suite].digest)]


def print_table(rows, bad):
    """A line for each platform, and one more for each of its suites that differs."""
    suites = sorted({row.suite for row in rows})
    print(f"V-006.3: bit-identical results on all platforms; suites: {', '.join(suites)}")
    print(f"{'platform':32} {'suites':>6} {'cases':>6} digest of all digests")
    for name, group in itertools.groupby(rows, lambda row: row.platform):
        mine = sorted(group, key=lambda row: row.suite)
        print(f"{name:32} {len(mine):6} {sum(row.cases for row in mine):6} {digest([row.digest for row in mine])}")
        for row in mine:
            if row in bad:
                print(f"{name:32} {row.suite}: {row.cases} cases, {row.digest}  DIFFERS")


def arguments():
    parser = argparse.ArgumentParser(description="One answer on every platform.")
    parser.add_argument("--write", action="store_true", help="write web/public/parity.json instead of checking it")
    parser.add_argument("--only", default="", metavar="PATTERN", help="platforms whose name matches")
    return parser.parse_args()


def main():
    wanted = arguments()
    runnable, skipped = [], []
    for platform in (p for p in platforms() if re.search(wanted.only, p.name)):
        (runnable if cpu_has(platform) else skipped).append(platform)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(functools.partial(measure, suites=gather()), runnable))
    rows = [row for platform_rows, _ in results for row in platform_rows]
    bad = disagreements(rows)
    print_table(rows, bad)
    ROWS.parent.mkdir(exist_ok=True)
    ROWS.write_text(json.dumps([row._asdict() for row in rows]))
    for platform in skipped:
        print(f"SKIPPED {platform.name}: this CPU lacks it")

    document = assemble([entry for platform, (_, entry) in zip(runnable, results) if platform.published])
    divergent = published_disagreements(document)
    for name in divergent:
        print(f"{name}: its published digests differ from the first platform's")
    if wanted.write:
        PUBLISHED.write_text(text_of(document))
    stale = not PUBLISHED.exists() or comparable(json.loads(PUBLISHED.read_text())) != comparable(document)
    if stale:
        print(f"{PUBLISHED.relative_to(ROOT)} is stale: tests/cross/run.sh --write makes it new")
    failed = len(bad) + len(divergent) + stale
    print(f"{len(rows) - len(bad) + (not stale)} passed, {failed} failed, {len(skipped)} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
