#!/usr/bin/env bash
# Builds the npm package into wasm/dist: both wasm builds, the bundle, the declarations.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/env.sh"

for preset in wasm wasm-simd; do
  emscripten_env cmake --preset "$preset" >/dev/null
  emscripten_env cmake --build --preset "$preset" -j "$(nproc)"
done
cd wasm
npm ci --no-audit --no-fund
npm run --silent build
