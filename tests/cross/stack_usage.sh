#!/bin/bash
# Builds the certifiable part as for release, with the compiler's account of each function's stack, and checks it.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset release -B build/stack-usage -DBITEXACT_TESTS=OFF -DBITEXACT_APP=OFF \
  -DCMAKE_C_FLAGS=-fstack-usage -DCMAKE_CXX_FLAGS=-fstack-usage
cmake --build build/stack-usage --target bitexact_fx
python3 tests/cross/stack_usage.py build/stack-usage/core/CMakeFiles/bitexact_fx.dir
