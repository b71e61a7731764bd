#!/usr/bin/env python3
"""Builds examples/cortex-m4 for a Cortex-M4 and for this machine (there with sanitizers), runs both, the first under
qemu-system-arm, and demands the oracle's digests of each. Measures flash, RAM and stack, and shows that nothing is linked
but the example and bitexact::fx. usage: cortex_m4.py"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
import oracle
from symbols import symbols

BOARD, HOST = ROOT / "build" / "cortex-m4", ROOT / "build" / "cortex-m4-host"
PROGRAM = "bitexact_cortex_m4.elf"
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "none",
        "-chardev", "stdio,id=out", "-semihosting-config", "enable=on,target=native,chardev=out", "-kernel"]

# Bytes: what GCC 12.2 needs (examples/cortex-m4/README.md) and about a tenth more.
LIMITS = {"flash": 4352, "static RAM": 768, "stack": 544, "stack_with_digests": 720}

# What must not be linked, and a name that would show it.
FORBIDDEN = [
    ("heap", r"^_?(malloc|calloc|realloc|free|sbrk)(_r)?$|^_Z(nw|na|dl|da)", "_Znwj"),
    ("exceptions, unwinder", r"^__cxa_|^_Unwind_|_personality_|unwind_cpp|exidx|extab", "__aeabi_unwind_cpp_pr0"),
    ("static constructors", r"^_GLOBAL__sub_I|^__aeabi_atexit$|^__libc_init_array$", "_GLOBAL__sub_I_main"),
    ("float arithmetic", r"^__aeabi_([fd]|c[fd]|u?[il]2[fd])|[sd]f[23]?$|^__(fix|float)", "__aeabi_fadd"),
    ("64-bit division", r"^__aeabi_u?ldivmod$|^__u?(div|mod|divmod)di[34]$", "__udivmoddi4"),
    ("contracts", r"^fx_contract_violated$", "fx_contract_violated"),
]


def build():
    commands = [
        "cmake --preset cortex-m4", "cmake --build --preset cortex-m4",
        f"cmake --preset release -B {HOST} -DBITEXACT_CORE=OFF -DBITEXACT_SANITIZE=ON", f"cmake --build {HOST}"]
    for command in commands:
        result = subprocess.run(command.split(), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"{command}: exit {result.returncode}\n{result.stdout}")


def run(*command):
    """What the program prints, as {name: value}."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{command[-1]}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return dict(line.split() for line in result.stdout.splitlines())


def oracle_digests():
    """The input of main.c and what the contract makes of it."""
    state, data = 1, []
    for _ in range(64):
        state = (state * 1664525 + 1013904223) % 2**32
        data.append((state >> 11) - 16 * 65536)
    picture = oracle.Tensor("q16", (8, 8), data)
    sobel = oracle.Tensor("q16", (3, 3), [65536 * n for n in (-1, 0, 1, -2, 0, 2, -1, 0, 1)])
    edges = oracle.fx_conv2d(picture, sobel)
    tensors = {"input": picture, "fx_maxpool_2x2": oracle.fx_maxpool_2x2(picture), "fx_conv2d": edges,
               "fx_relu": oracle.fx_relu(edges), "fx_avgpool_2x2": oracle.fx_avgpool_2x2(picture)}
    return {name: tensor.sha256() for name, tensor in tensors.items()}


def check_digests(board, host):
    for name, digest in oracle_digests().items():
        yield f"{name}: {digest[:16]}... on the board", board.get(name) == digest
        yield f"{name}: the same on this machine", host.get(name) == digest


def check_sizes(program, board):
    sizes = subprocess.run(["arm-none-eabi-size", program], check=True, capture_output=True, text=True).stdout
    text, data, bss = map(int, sizes.splitlines()[1].split()[:3])
    print(f"text {text} data {data} bss {bss}")
    found = {"flash": text + data, "static RAM": data + bss} | {name: int(board[name]) for name in LIMITS if name in board}
    for name, limit in LIMITS.items():
        yield f"{name}: {found[name]} bytes, at most {limit}", 0 < found[name] <= limit


def check_linked(program):
    linked = symbols(program, "arm-none-eabi-nm")
    for what, pattern, example in FORBIDDEN:
        assert re.search(pattern, example)
        bad = sorted(name for name in linked if re.search(pattern, name))
        yield f"no {what} {' '.join(bad)}", not bad
    inputs = re.findall(r"^LOAD (.+)$", (BOARD / "bitexact_cortex_m4.map").read_text(), re.M)
    foreign = [name for name in inputs if name != "linker stubs" and (os.path.isabs(name) or not (BOARD / name).is_file())]
    yield f"linked from what was built here and nothing else {' '.join(foreign)}", inputs and not foreign
    sections = subprocess.run(["arm-none-eabi-readelf", "-SW", program], check=True, capture_output=True, text=True).stdout
    yield "no unwind tables", ".text" in sections and not re.search(r"\.ARM\.ex(idx|tab)|\.eh_frame", sections)


def check_library():
    """All of fx.h, not only what the example uses."""
    archive = BOARD / "core" / "libbitexact_fx.a"
    defined = symbols(archive, "arm-none-eabi-nm", "--defined-only")
    wanted = symbols(archive, "arm-none-eabi-nm", "--undefined-only") - defined
    yield f"all of bitexact::fx needs {' '.join(sorted(wanted))}", "fx_conv2d" in defined and wanted <= {"memcpy", "memset"}


def main():
    build()
    program = BOARD / PROGRAM
    board, host = run(*QEMU, program), run(HOST / PROGRAM)
    checks = [*check_digests(board, host), *check_sizes(program, board), *check_linked(program), *check_library()]
    for what, ok in checks:
        print(what.rstrip() if ok else f"WRONG: {what}")
    failed = sum(not ok for _, ok in checks)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
