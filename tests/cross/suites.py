#!/usr/bin/env python3
"""Gathers every suite of vectors in build/suites, with an index: tests/vectors, and where it is present the third-party
conformance data (BITEXACT_SHARED, else the folder shared beside the project); in build/suites/models sets of models.
usage: suites.py"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

from model_cases import gather_models

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = ROOT / "build" / "suites"
CONFORMANCE = ("cmsis-nn", "tflm", "max_pool_ext2")


def third_party(shared):
    """Cases that nobody here computed."""
    folder = shared / "conformance"
    absent = [name for name in CONFORMANCE if not (folder / f"{name}.json").exists()]
    if absent:
        print(f"SKIPPED: {', '.join(absent)} and raw: no conformance data in {folder}")
        return
    for name in CONFORMANCE:
        shutil.copyfile(folder / f"{name}.json", SUITES / f"{name}.json")
    subprocess.run([sys.executable, ROOT / "tests/oracle/raw_to_vectors.py", shared, SUITES / "raw.json"], check=True)


def gather():
    """Paths of all suites."""
    shutil.rmtree(SUITES, ignore_errors=True)
    SUITES.mkdir(parents=True)
    for path in (ROOT / "tests" / "vectors").glob("*.json"):
        shutil.copyfile(path, SUITES / path.name)
    shared = pathlib.Path(os.environ.get("BITEXACT_SHARED", ROOT.parent / "shared"))
    third_party(shared)
    gather_models(SUITES / "models", shared)
    paths = sorted(SUITES.glob("*.json"))
    (SUITES / "index.json").write_text(json.dumps([path.stem for path in paths]))
    return paths


if __name__ == "__main__":
    for path in gather():
        print(path.relative_to(ROOT))
