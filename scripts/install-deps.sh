#!/bin/bash
# Installs what a fresh Debian 12 lacks: --demo for what demo.sh needs, --test (the default) for everything.
set -euo pipefail
source "$(dirname "$0")/env.sh"

demo=(ca-certificates g++ make cmake ninja-build python3 emscripten npm
      libhwy-dev libstb-dev libcli11-dev nlohmann-json3-dev flatbuffers-compiler libflatbuffers-dev)
test=(clang clang-format clang-tidy libclang-rt-14-dev valgrind googletest libgtest-dev libbenchmark-dev libprotozero-dev
      g++-aarch64-linux-gnu g++-arm-linux-gnueabihf g++-riscv64-linux-gnu g++-s390x-linux-gnu g++-powerpc64le-linux-gnu
      gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm
      qemu-user-static chromium firefox-esr webkit2gtk-driver xvfb xauth)

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# A Node from elsewhere brings its own npm and conflicts with Debian's package of that name.
satisfied() { installed "$1" || { [ "$1" = npm ] && command -v npm >/dev/null; }; }

install_packages() {
  local missing=() package
  for package in "$@"; do satisfied "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return
  if ! command -v apt-get >/dev/null; then
    echo "install-deps: not a Debian system; please provide: ${missing[*]}" >&2
    return
  fi
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  echo "install-deps: ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

node_is_current() { node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }

# Debian 12's Node is too old for the page's tools; the npm registry has the binary of a current one as a plain package.
install_node() {
  node_is_current && return
  local cpu
  case "$(uname -m)" in
    x86_64) cpu=x64 ;;
    aarch64) cpu=arm64 ;;
    *) echo "install-deps: Node 20.19 or newer is needed" >&2; exit 1 ;;
  esac
  npm install --prefix build/node --no-save --ignore-scripts --no-audit --no-fund "node-linux-$cpu@22"
  mkdir -p build/node/bin
  ln -sf "../node_modules/node-linux-$cpu/bin/node" build/node/bin/node
  hash -r  # the shell remembers where it found the old one
  node_is_current
}

case "${1:---test}" in
  --demo) install_packages "${demo[@]}" ;;
  --test) install_packages "${demo[@]}" "${test[@]}" ;;
  *) echo "usage: scripts/install-deps.sh [--demo|--test]" >&2; exit 2 ;;
esac
install_node
