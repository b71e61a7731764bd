#!/bin/bash
# Compares every SIMD kernel with the reference on each instruction set of this machine, under each emulator, and in Node.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=tests/parity/bitexact_kernel_parity
"build/release/$program"
for arch in aarch64 armhf:arm riscv64 s390x ppc64le; do
  "qemu-${arch#*:}-static" "build/cross-${arch%:*}/$program"
done
node --no-experimental-fetch "build/wasm-simd/$program.js"
