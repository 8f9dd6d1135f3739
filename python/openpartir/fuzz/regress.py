"""Kept findings against whatever jaxlib is installed."""

from __future__ import annotations

import pathlib
import subprocess
import sys

__all__ = ["regress"]

SECONDS = 300


def regress(folder: pathlib.Path, python: str = sys.executable) -> dict[str, str]:
    """Run each finding's script; return by name "there", "mended" or "broken", where the script itself fails."""
    out = {}
    for path in sorted(folder.glob("**/repro.py")):
        try:
            run = subprocess.run([python, str(path)], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            out[path.parent.name] = "broken"
            continue
        finished = "jaxlib" in run.stdout
        out[path.parent.name] = "broken" if not finished else "there" if run.returncode == 1 else "mended"
    return out
