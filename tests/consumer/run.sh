#!/bin/bash
# Installs a build into an empty folder and builds this consumer against it: run.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
rm -rf build/prefix build/consumer
cmake --install "$1" --prefix build/prefix
cmake -G Ninja -S tests/consumer -B build/consumer -DCMAKE_PREFIX_PATH="$PWD/build/prefix"
cmake --build build/consumer
ctest --test-dir build/consumer --output-on-failure
