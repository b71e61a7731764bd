#!/bin/bash
# Builds every fuzz target and runs each for a while: run.sh [SECONDS]. Finds are left in build/fuzz/finds.
# The kernels, which are compared with the reference, run at least a minute, or BITEXACT_FUZZ_KERNELS_SECONDS.
set -euo pipefail
seconds=${1:-30}
kernels_seconds=${BITEXACT_FUZZ_KERNELS_SECONDS:-$((seconds > 60 ? seconds : 60))}
cd "$(dirname "$0")/../.."
shared=${BITEXACT_SHARED:-$PWD/../shared}
cmake --preset fuzz
cmake --build --preset fuzz -j "${BITEXACT_JOBS:-2}"

# Receipts of two tasks, and both in one file, as fuzz_receipt compares them.
write_receipts() {
  local app=${BITEXACT:-build/release/bitexact} made=build/fuzz/receipts photo
  [ -x "$app" ] || { cmake --preset release && cmake --build --preset release --target bitexact_app -j "${BITEXACT_JOBS:-2}"; }
  mkdir -p "$made"
  photo=$made/photo.pgm
  printf 'P5\n4 4\n255\n0123456789abcdef' >"$photo"
  "$app" conv "$photo" --receipt "$made/a.json" --made-by >/dev/null
  "$app" conv "$photo" --receipt "$made/b.json" --kernel box --pool max2x2 --resize 5x6 --activation relu >/dev/null
  { cat "$made/a.json"; echo; cat "$made/b.json"; } >"$made/both.json"
}

write_tasks() {
  mkdir -p build/fuzz/tasks
  python3 -c 'import json
for i, pipeline in enumerate(json.load(open("tests/pipelines.json"))["pipelines"]):
    with open(f"build/fuzz/tasks/{i}.json", "w") as task: json.dump(pipeline["task"], task)'
}

seeds_of() {
  case "$1" in
    fuzz_image) find web/public/samples "$shared/images" -type f -size -64k \( -name '*.png' -o -name '*.jpg' -o -name '*.bmp' -o -name '*.p?m' \) 2>/dev/null || true ;;
    fuzz_onnx) find "$shared/models" "$shared/conformance/onnx-node" -name '*.onnx' -size -64k 2>/dev/null || true ;;
    fuzz_task) find build/fuzz/tasks -name '*.json' ;;
    fuzz_receipt) find build/fuzz/receipts -name '*.json' ;;
    fuzz_tflite) find "$shared/models" -name '*.tflite' -size -16k 2>/dev/null || true ;;
  esac
}

fuzz() {
  local program=$1 name time=$seconds
  name=$(basename "$program")
  [ "$name" = fuzz_kernels ] && time=$kernels_seconds
  rm -rf "build/fuzz/seeds/$name"
  mkdir -p "build/fuzz/corpus/$name" "build/fuzz/seeds/$name"
  # Models of ONNX's own tests are all called model.onnx.
  seeds_of "$name" | xargs -r cp --backup=numbered -t "build/fuzz/seeds/$name"
  "$program" -max_total_time="$time" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/finds/$name-" "build/fuzz/corpus/$name" "build/fuzz/seeds/$name" >"build/fuzz/$name.log" 2>&1
}

mkdir -p build/fuzz/finds
write_receipts
write_tasks
# The one that takes longest begins first; the others share the remaining cores.
programs=(build/fuzz/tests/fuzz/fuzz_kernels $(find build/fuzz/tests/fuzz -maxdepth 1 -type f -executable -name 'fuzz_*' ! -name fuzz_kernels | sort))
failed=0
running=()
for program in "${programs[@]}"; do
  fuzz "$program" &
  running+=($!)
  [ "$(jobs -rp | wc -l)" -lt "${BITEXACT_JOBS:-2}" ] || wait -n || true
done
for i in "${!programs[@]}"; do
  wait "${running[$i]}" && ended=0 || ended=$?
  echo "== $(basename "${programs[$i]}")"
  tail -n 60 "build/fuzz/$(basename "${programs[$i]}").log"
  echo "$((ended == 0)) passed, $((ended != 0)) failed"
  failed=$((failed + (ended != 0)))
done
exit $((failed > 0))
