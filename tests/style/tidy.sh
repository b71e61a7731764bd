#!/bin/bash
# Runs clang-tidy (.clang-tidy) on the core with the flags of a debug build, without precompiled headers.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset dev -B build/lint -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
cmake --build build/lint --target core/generated/tflite_generated.h >/dev/null
mapfile -t files < <(git ls-files 'core/*.cc')
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet --warnings-as-errors='*' -p build/lint
echo "${#files[@]} files are tidy"
