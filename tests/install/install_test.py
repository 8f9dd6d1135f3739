#!/usr/bin/env python3
"""Installs a build, builds the consumer against the installed tree, and partitions a program with it.

install_test.py SOURCE_DIR BUILD_DIR
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def main():
    source, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        run("cmake", "--install", build, "--prefix", root / "installed")
        # Only the installed tree is on the path, not the headers of the sources.
        run(
            "cmake",
            "-S",
            source / "tests/install/consumer",
            "-B",
            root / "consumer",
            f"-DCMAKE_PREFIX_PATH={root / 'installed'}",
        )
        run("cmake", "--build", root / "consumer")
        said = run(
            root / "consumer/consumer",
            source / "examples/matmul_chain.mlir",
            source / "examples/matmul_chain.json",
            source / "examples/schedules/matmul_chain_bp_mp.json",
            "batch=4,model=2",
        )
        program = run(root / "installed/bin/partir", "--version")
        version = re.search(r"VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text().split("project(")[1])[1]
        wanted = f"OpenPartIR {version}: 1 all_reduce, proved\n"
        if said != wanted or program != f"partir {version}\n":
            sys.exit(f"found {said!r} and {program!r}, wanted {wanted!r} and the program's version {version}")
        for forbidden in (str(source), str(build)):
            for file in (root / "installed").rglob("*.cmake"):
                if forbidden in file.read_text():
                    sys.exit(f"{file.name} names the folder that it was built in")
        print("installed, linked, partitioned")


if __name__ == "__main__":
    main()
