#!/usr/bin/env python3
"""One table of every platform: what parity.py measured natively, under emulators and in Node, and what the self-test page
found in each browser. All rows of a suite must show the same cases and digest. usage: table.py"""
import json
import sys

from parity import PUBLISHED, ROOT, ROWS, Row, digest, disagreements, print_table

BROWSERS = ("chromium", "firefox", "webkit")


def published_digest():
    """The page compares each pipeline with every published platform; where all agree, its digests are these."""
    first = json.loads(PUBLISHED.read_text())["platforms"][0]
    return digest(first["outputs"] + first["receipts"]), len(first["outputs"])


def browser_rows(name):
    result = json.loads((ROOT / "build" / "e2e" / f"selftest-{name}.json").read_text())
    wanted, cases = published_digest()
    for engine in result["engines"]:
        platform = f"{name} {engine['where']} {'SIMD' if engine['simd'] else 'scalar'}"
        for suite, count in engine["counts"].items():
            whole = count["failed"] == 0 and count["passed"] > 0
            if suite == "pipelines":
                yield Row(platform, suite, cases, wanted if whole else "differs from parity.json")
            else:
                yield Row(platform, suite, count["passed"], count["all"])


def main():
    rows = [Row(**row) for row in json.loads(ROWS.read_text())]
    for name in BROWSERS:
        rows += browser_rows(name)
    bad = disagreements(rows)
    print_table(rows, bad)
    print(f"{len(rows) - len(bad)} passed, {len(bad)} failed")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
