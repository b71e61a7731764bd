#!/usr/bin/env python3
"""docs/models.md lists the operators of model files that the importers' tables have, all of them and no others."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = {"ONNX": ("onnx_lower.cc", r'^    \{"(\w+)", \{lower_'), "TFLite": ("tflite.cc", r"^    \{B::(\w+), lower_")}


def listed(title):
    section = re.search(rf"^## Operators of {title}\n\n(.*?)\.\n\n", (ROOT / "docs/models.md").read_text(), re.M | re.S)[1]
    return re.split(r",\s+", section)


def main():
    faults = []
    for title, (source, line) in TABLES.items():
        known = re.findall(line, (ROOT / "core/src/import" / source).read_text(), re.M)
        if not known or listed(title) != sorted(known):
            faults.append(f"docs/models.md, operators of {title}: differ in {sorted(set(known) ^ set(listed(title)))}, or in order")
    print("\n".join(faults) or "docs/models.md lists what the importers have")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
