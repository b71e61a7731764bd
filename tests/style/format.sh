#!/bin/bash
# Checks that every tracked C and C++ file is as clang-format writes it.
set -euo pipefail
cd "$(dirname "$0")/../.."
mapfile -t files < <(git ls-files '*.h' '*.c' '*.cc')
clang-format --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
