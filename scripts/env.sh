# Sourced by the scripts: the repository's root as the working directory, and the Node that install-deps.sh brought first in PATH.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export PATH="$PWD/build/node/bin:$PATH"
export PYTHONDONTWRITEBYTECODE=1

# Debian's Emscripten looks for its JavaScript parser where Debian's own Node does; any other Node must be told.
emscripten_env() { env NODE_PATH=/usr/share/nodejs "$@"; }
