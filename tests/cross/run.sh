#!/bin/bash
# The parity table: builds what is missing, then runs vectors and pipelines on every platform. Arguments go to parity.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset release
cmake --build --preset release -j "${BITEXACT_JOBS:-2}" --target bitexact_app
[ -f wasm/dist/index.js ] || scripts/build-wasm.sh
tests/cross/build.sh
exec python3 tests/cross/parity.py "$@"
