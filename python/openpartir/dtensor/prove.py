"""Passes claims to ``partir prove``, in one file; if one claim cannot be read, each in a file of its own."""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
from typing import Any

__all__ = ["prove"]


def _run(partir: str, text: str, seconds: int) -> list[dict[str, Any]] | str:
    """Return the verdicts, or the error message."""
    with tempfile.TemporaryDirectory(prefix="openpartir") as folder:
        claims, report = pathlib.Path(folder) / "claims.tmr", pathlib.Path(folder) / "report.json"
        claims.write_text(text)
        run = subprocess.run(
            [partir, "prove", str(claims), "--timeout", str(seconds), "--json", str(report)],
            capture_output=True,
            text=True,
        )
        found = json.loads(report.read_text()) if report.exists() else {"error": {"found": run.stderr[-300:]}}
    if isinstance(found, dict) and "error" in found:
        return str(found["error"].get("found")) + "; wanted " + str(found["error"].get("wanted"))
    return list(found)


def prove(partir: str, claims: dict[str, str], seconds: int = 5) -> dict[str, dict[str, Any]]:
    """Return verdict, reason, milliseconds and counterexample of each claim by its name."""
    if not claims:
        return {}
    found = _run(partir, "".join(claims.values()), seconds)
    if not isinstance(found, str):
        return {f["name"]: f for f in found}
    if len(claims) == 1:
        unknown = {"verdict": "unknown", "reason": f"not read: {found}"[:300], "milliseconds": 0.0}
        return {name: unknown for name in claims}
    names = list(claims)
    halves = names[: len(names) // 2], names[len(names) // 2 :]
    return {k: v for half in halves for k, v in prove(partir, {n: claims[n] for n in half}, seconds).items()}
