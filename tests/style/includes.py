#!/usr/bin/env python3
"""Checks who includes whom: the rule of core/README.md as a table. usage: includes.py [ROOT]"""
import pathlib
import re
import sys

SHARED_BY_KERNELS = [f"kernels/{name}.h" for name in ("element", "exact", "exp_table", "kernels", "requant", "taps")]

# Folder (the longest match counts) -> prefixes of the private headers it may include, beside its own folder's.
# Public headers ("bitexact/...") are open to all.
MAY_INCLUDE = {
    "core/include/bitexact": [],
    "core/src/base": [],
    "core/src/kernels": ["base/", "kernels/"],
    # What both share; neither reads the other.
    "core/src/kernels/reference": ["base/", *SHARED_BY_KERNELS],
    "core/src/kernels/simd": ["base/", *SHARED_BY_KERNELS, "hwy/"],
    "core/src/fx": ["base/", "kernels/exact.h", "kernels/kernels.h", "kernels/reference/"],
    "core/src/ops": ["base/", "kernels/exact.h", "kernels/kernels.h"],
    "core/src/runtime": ["base/", "image/size.h", "kernels/exact.h", "kernels/kernels.h", "ops/"],
    "core/src/image": ["base/"],
    "core/src/import": ["base/", "flatbuffers/", "ops/"],
    "core/app": [],
    "wasm": [],
    "tests": [],
    "tests/fuzz": ["import/"],
    # protozero, whose reading throws, writes the ONNX files of tests and judges our reader of the wire format.
    "tests/unit": ["import/", "kernels/requant.h", "protozero/", "runtime/plan.h"],
}
PRIVATE = ("base/", "kernels/", "ops/", "runtime/", "image/", "import/", "fx/", "hwy/", "flatbuffers/", "protozero/")

# A kernel has no heap, no I/O and no locale, so it has no use for the headers that bring them.
KERNEL_STANDARD = {"algorithm", "array", "bit", "cfenv", "cmath", "concepts", "cstddef", "cstdint", "cstring", "limits",
                   "span", "type_traits", "utility"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
IMPORT = re.compile(r'''(?:from|import)\s*\(?\s*['"]([^'"]+)['"]''')


def folder_of(path):
    return max((f for f in MAY_INCLUDE if path.startswith(f + "/")), key=len, default=None)


def own_prefix(folder):
    return folder.removeprefix("core/src/") + "/"


def complaint(path, bracket, header):
    """Why `path` must not include `header`, or None."""
    folder = folder_of(path)
    if ".." in header.split("/"):
        return "a path upwards hides what is included"
    if folder is None:
        return "its folder is not in the table of this script" if path.startswith("core/") else None
    if header.startswith("bitexact/"):
        return None
    if folder.startswith("core/src/kernels") and bracket == '"' and "/" not in header:
        return "private headers are named from core/src on"
    if folder.startswith("core/src/kernels") and bracket == "<" and not header.startswith("hwy/"):
        return None if header in KERNEL_STANDARD else "a kernel has no use for this standard header"
    if not header.startswith(PRIVATE):
        return None
    allowed = MAY_INCLUDE[folder] + ([own_prefix(folder)] if folder.startswith("core/src/") else [])
    return None if header.startswith(tuple(allowed)) else f"{folder} may not include it"


def web_complaint(path, module):
    """The page uses the package as a stranger would: nothing beyond its own folder by a path. Its self-test also runs
    the package's own reader of vectors."""
    if not module.startswith("."):
        return None
    target = pathlib.PurePosixPath(path).parent
    for part in module.split("/"):
        target = target.parent if part == ".." else target / part if part != "." else target
    runner = path.startswith("web/src/selftest/") and str(target) in ("wasm/test/vectors.ts", "wasm/test/model_cases.ts")
    return None if runner or target.parts[:1] == ("web",) else "the page reaches beyond its own folder"


def self_test():
    assert complaint("core/src/base/a.cc", '"', "ops/ops.h")
    assert complaint("core/src/kernels/reference/a.cc", '"', "kernels/simd/a.h")
    assert complaint("core/src/kernels/reference/a.cc", "<", "vector")
    assert complaint("core/src/ops/a.cc", "<", "hwy/highway.h")
    assert complaint("core/app/a.cc", '"', "runtime/plan.h")
    assert complaint("tests/unit/a.cc", '"', "kernels/kernels.h")
    assert complaint("core/app/a.cc", '"', "../src/runtime/json.h")
    assert complaint("core/src/ops/a.cc", '"', "kernels/simd/simd.h")
    assert complaint("core/src/new/a.cc", '"', "base/size.h")
    assert complaint("core/src/import/a.cc", "<", "protozero/pbf_reader.hpp")
    assert complaint("core/src/runtime/a.cc", "<", "flatbuffers/flatbuffers.h")
    assert not complaint("core/src/ops/a.cc", '"', "kernels/kernels.h")
    assert not complaint("core/src/runtime/a.cc", '"', "bitexact/fx.h")
    assert web_complaint("web/src/main.ts", "../../wasm/src/index.js")
    assert not web_complaint("web/src/features/a.ts", "../worker.js")


def complaints(root):
    for path in sorted(p for top in ("core", "wasm", "tests") for p in (root / top).rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".h", ".cc", ".c") and "node_modules" not in path.parts:
            for bracket, header in INCLUDE.findall(path.read_text()):
                yield name, header, complaint(name, bracket, header)
    for path in sorted((root / "web" / "src").rglob("*.ts*")):
        name = path.relative_to(root).as_posix()
        for module in IMPORT.findall(path.read_text()):
            yield name, module, web_complaint(name, module)


def main():
    self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parents[2]
    found = list(complaints(root))
    bad = [c for c in found if c[2]]
    for name, header, why in bad:
        print(f"{name}: {header}: {why}")
    print(f"{len(found)} includes of {len({c[0] for c in found})} files, {len(bad)} against the rule")
    return bool(bad) or not found


if __name__ == "__main__":
    sys.exit(main())
