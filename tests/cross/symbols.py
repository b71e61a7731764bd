#!/usr/bin/env python3
"""Shows that the certifiable part stands alone: all it asks of the system is to move bytes (and, with contracts on, to
stop). No allocator, no I/O, no C++ runtime. usage: symbols.py ARCHIVE [NM]"""
import subprocess
import sys

ALLOWED = {"memcpy", "memmove", "memset", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"}
# 32-bit ARM calls these for the divisions of dimensions. Data would need the 64-bit ones, which stay foreign.
ALLOWED |= {"__aeabi_idiv", "__aeabi_idivmod", "__aeabi_uidiv", "__aeabi_uidivmod"}


def symbols(archive, nm, *options):
    lines = subprocess.run([nm, *options, archive], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if line and not line.endswith(":")}


def main():
    archive, nm = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "nm"
    wanted = symbols(archive, nm, "--undefined-only") - symbols(archive, nm, "--defined-only")
    foreign = sorted(wanted - ALLOWED)
    for name in foreign:
        print(f"needs {name}")
    print(f"{len(symbols(archive, nm, '--defined-only'))} symbols, needing {', '.join(sorted(wanted)) or 'nothing'}")
    print(f"{int(not foreign)} passed, {len(foreign)} failed")
    return bool(foreign)


if __name__ == "__main__":
    sys.exit(main())
