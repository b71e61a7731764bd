#!/bin/bash
# Builds the page into web/dist, with the package installed from its tarball as a stranger would.
set -euo pipefail
source "$(dirname "$0")/env.sh"
npm_ci web
cd web
npm install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts ../build/package/bitexact-*.tgz
npm run build
