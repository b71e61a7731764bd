#!/bin/bash
# Builds the page into web/dist, with the package installed from its tarball as a stranger would.
set -euo pipefail
source "$(dirname "$0")/env.sh"
npm_ci web
rm -rf web/node_modules/bitexact
mkdir web/node_modules/bitexact
tar -xzf build/package/bitexact-*.tgz -C web/node_modules/bitexact --strip-components=1
npm --prefix web run build
