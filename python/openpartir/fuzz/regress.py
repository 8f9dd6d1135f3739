"""Runs kept findings with whatever jaxlib is installed."""

from __future__ import annotations

import pathlib
import subprocess
import sys

__all__ = ["regress"]

SECONDS = 300


def regress(folder: pathlib.Path, python: str = sys.executable) -> dict[str, str]:
    """Run the script of each finding in a campaign's folder, or in a folder of findings.

    Return for each name "there", "mended", or "broken" if the script itself fails.
    """
    out = {}
    findings = folder / "findings" if (folder / "findings").is_dir() else folder
    for path in sorted(p for p in findings.glob("**/repro.py") if not p.parent.name.startswith(".")):
        try:
            run = subprocess.run([python, str(path)], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            out[path.parent.name] = "broken"
            continue
        finished = "jaxlib" in run.stdout
        out[path.parent.name] = "broken" if not finished else "there" if run.returncode == 1 else "mended"
    return out
