#!/bin/bash
# Builds the npm package: both wasm programs, the module around them, and the tarball build/package/bitexact-*.tgz.
set -euo pipefail
source "$(dirname "$0")/env.sh"
for preset in wasm wasm-simd; do
  cmake --preset "$preset"
  cmake --build --preset "$preset" -j "${BITEXACT_JOBS:-2}"
done
npm_ci wasm
npm --prefix wasm run build
rm -rf build/package
mkdir -p build/package
cd wasm && npm pack --ignore-scripts --pack-destination ../build/package
