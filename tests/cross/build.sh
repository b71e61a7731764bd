#!/bin/bash
# Cross-builds the library, the command line and the comparison of kernels for every foreign architecture.
set -euo pipefail
cd "$(dirname "$0")/../.."
for arch in aarch64 armhf riscv64 s390x ppc64le; do
  cmake --preset "cross-$arch"
  cmake --build --preset "cross-$arch" -j "${BITEXACT_JOBS:-2}" --target bitexact_app bitexact_kernel_parity
done
