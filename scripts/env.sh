# Sourced by the scripts: the repository's root as the working directory, and the Node that install-deps.sh brought first in PATH.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export PATH="$PWD/build/node/bin:$PATH"
export PYTHONDONTWRITEBYTECODE=1

# npm_ci FOLDER: what its lock file says, unless that is there already.
npm_ci() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] && return
  npm --prefix "$1" ci --no-audit --no-fund --ignore-scripts
}
