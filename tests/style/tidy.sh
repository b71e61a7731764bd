#!/bin/bash
# Runs clang-tidy (.clang-tidy) on the core with the flags of a debug build, without precompiled headers.
# It reads the units that the build joins of several sources: headers are parsed once for all of these.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset dev -B build/lint -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
cmake --build build/lint --target core/generated/tflite_generated.h >/dev/null
python3 -c 'import json
for unit in json.load(open("build/lint/compile_commands.json")):
    if "/core/" in unit["file"]: print(unit["file"])' |
  xargs -P "$(nproc)" -n 1 clang-tidy --quiet --warnings-as-errors='*' --checks=-bugprone-suspicious-include -p build/lint
echo "the core is tidy"
