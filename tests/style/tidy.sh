#!/bin/bash
# Runs clang-tidy (.clang-tidy) on the core, with the flags of a configured build: tidy.sh BUILD_FOLDER
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../.."
mapfile -t files < <(git ls-files 'core/*.cc')
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet --warnings-as-errors='*' -p "$build" 2>/dev/null
echo "${#files[@]} files are tidy"
