"""Checks that all sources are formatted: C++ by clang-format 14, Python by ruff. Skips a formatter that is missing."""

import shutil
import subprocess
import sys


def checks(root):
    """The commands that must succeed, by the program that each needs."""
    listed = subprocess.run(["git", "ls-files", "*.cpp", "*.h"], cwd=root, capture_output=True, text=True)
    sources = listed.stdout.split()
    if sources:
        yield "clang-format-14", ["clang-format-14", "--dry-run", "-Werror", *sources]
    yield "ruff", ["ruff", "format", "--check", "--quiet", "."]
    yield "ruff", ["ruff", "check", "--quiet", "."]


def main():
    root = sys.argv[1]
    ran = 0
    failed = 0
    for program, command in checks(root):
        if shutil.which(program) is None:
            continue
        ran += 1
        failed += subprocess.run(command, cwd=root).returncode != 0
    if ran == 0:
        print("skipped: neither clang-format-14 nor ruff")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
