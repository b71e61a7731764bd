#!/usr/bin/env python3
"""Shows that every function of the certifiable part keeps to a small, constant stack, from the compiler's own account.
usage: stack_usage.py FOLDER [LIMIT]   (a build with -fstack-usage)"""
import pathlib
import sys


def frames(folder):
    """(bytes, kind, function) of each line of each .su file."""
    for report in sorted(pathlib.Path(folder).rglob("*.su")):
        for line in report.read_text().splitlines():
            function, size, kind = line.rsplit("\t", 2)
            yield int(size), kind, function


def main():
    folder, limit = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 256
    found = sorted(frames(folder), reverse=True)
    bad = [frame for frame in found if frame[0] > limit or frame[1] != "static"]
    for size, kind, function in bad or found[:3]:
        print(f"SRS-008.5: {size:6} bytes, {kind}: {function}")
    print(f"{len(found) - len(bad)} passed, {len(bad)} failed")
    return bool(bad) or not found


if __name__ == "__main__":
    sys.exit(main())
