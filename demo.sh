#!/bin/bash
# Shows a photo and a model giving one hash natively and in wasm, then serves the page. usage: ./demo.sh [--once] [--port N]
set -euo pipefail
source "$(dirname "$0")/scripts/env.sh"

once=false port=8080
while [ $# -gt 0 ]; do
  case "$1" in
    --once) once=true ;;
    --port) port="${2:?--port needs a number}"; shift ;;
    *) echo "usage: ./demo.sh [--once] [--port N]" >&2; exit 2 ;;
  esac
  shift
done

mkdir -p build/logs
# quietly NAME COMMAND...: the output goes to a log, whose end is shown if the command fails.
quietly() {
  local name=$1 log="build/logs/demo-$1.log" begin=$SECONDS
  shift
  printf '%-32s' "$name ..."
  "$@" >"$log" 2>&1 || { echo failed; tail -n 40 "$log"; exit 1; }
  echo "$((SECONDS - begin)) s"
}
build_native() {
  cmake --preset release -B build/demo -DBITEXACT_TESTS=OFF && cmake --build build/demo --target bitexact_app -j "${BITEXACT_JOBS:-2}"
}

quietly install scripts/install-deps.sh --demo
source scripts/env.sh
quietly native build_native
quietly wasm scripts/build-wasm.sh
quietly page scripts/build-page.sh

# same_receipt TITLE INPUT [MODEL]: build/native.json, and what wasm makes of it.
same_receipt() {
  echo; echo "$1"
  node scripts/receipt.mjs build/native.json "${@:2}" >build/wasm.json
  echo; echo "receipt of the native program:"; cat build/native.json
  echo; echo "receipt of wasm:"; cat build/wasm.json
  echo
  cmp build/native.json build/wasm.json || { echo "the receipts DIFFER"; exit 1; }
  echo "the receipts are equal, byte for byte: sha256 $(sha256sum <build/native.json | cut -c1-64)"
}

photo=web/public/samples/astronaut.png
build/demo/bitexact conv $photo --kernel sobel-x --activation relu --pool max2x2 --receipt build/native.json >/dev/null
same_receipt "$photo, Sobel X, ReLU, maximum of 2x2" $photo

model=models/lenet5-int8.onnx digit=models/samples/7.png
build/demo/bitexact run $model $digit --preset mnist --top 3 --receipt build/native.json
same_receipt "$model, an 8-bit LeNet-5, on $digit" $digit $model
$once && exit
echo
echo "the page is served at (end with Ctrl-C):"
exec node tests/e2e/server.mjs web/dist "$port"
