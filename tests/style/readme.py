#!/usr/bin/env python3
"""Compiles what README.md shows: each C++ block as a stranger's program, which is then run, or as a library, against an installed build;
each TypeScript block against the packed package. usage: readme.py PREFIX PACKAGE_TARBALL"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE = """cmake_minimum_required(VERSION 3.21)
project(snippets LANGUAGES CXX)
find_package(bitexact REQUIRED)
"""
TSCONFIG = """{ "compilerOptions": { "strict": true, "noEmit": true, "target": "ES2022", "module": "ESNext",
  "moduleResolution": "Bundler", "lib": ["ES2022", "ESNext.Disposable", "DOM"], "types": [] } }"""


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)


def run(*command, cwd):
    print("$", *command, flush=True)
    subprocess.run(command, cwd=cwd, check=True)


def check_cpp(folder, prefix):
    cmake = CMAKE
    programs = [f"snippet{i}" for i in range(len(blocks("cpp")))]
    for name, code in zip(programs, blocks("cpp")):
        (folder / f"{name}.cc").write_text(code)
        what = "executable" if "int main" in code else "library"
        cmake += f"add_{what}({name} {name}.cc)\ntarget_link_libraries({name} PRIVATE bitexact::bitexact)\n"
    (folder / "CMakeLists.txt").write_text(cmake)
    run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix.resolve()}", cwd=folder)
    run("cmake", "--build", "build", cwd=folder)
    for name, code in zip(programs, blocks("cpp")):
        if "int main" in code:
            run(f"./build/{name}", cwd=folder)
    return len(programs)


def check_typescript(folder, tarball):
    (folder / "package.json").write_text('{ "type": "module", "private": true }')
    (folder / "tsconfig.json").write_text(TSCONFIG)
    for i, code in enumerate(blocks("ts")):
        (folder / f"snippet{i}.ts").write_text(code)
    run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", str(tarball.resolve()), cwd=folder)
    run("node", str(ROOT / "wasm/node_modules/typescript/bin/tsc"), "-p", ".", cwd=folder)
    return len(blocks("ts"))


def main():
    prefix, tarball = map(pathlib.Path, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as cpp, tempfile.TemporaryDirectory() as ts:
        checked = check_cpp(pathlib.Path(cpp), prefix) + check_typescript(pathlib.Path(ts), tarball)
    print(f"{checked} passed, 0 failed")
    return not checked


if __name__ == "__main__":
    sys.exit(main())
