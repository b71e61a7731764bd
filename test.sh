#!/bin/bash
# Everything that must hold, as CI runs it: ./test.sh [--list] [STEP...]. Logs are in build/logs.
set -euo pipefail
source "$(dirname "$0")/scripts/env.sh"
mkdir -p build/logs
if ! scripts/install-deps.sh --test >build/logs/install.log 2>&1; then
  tail -n 40 build/logs/install.log
  echo "installing what the tests need failed (build/logs/install.log)" >&2
  exit 1
fi
source scripts/env.sh
exec python3 scripts/test.py "$@"
