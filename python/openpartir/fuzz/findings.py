"""Findings on disk: one folder for each distinct failure."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from openpartir.fuzz.operation import operation
from openpartir.fuzz.oracle import Outcome, message_pattern
from openpartir.fuzz.program import Program, spec_source
from openpartir.fuzz.repro import script

__all__ = ["Finding", "Store", "signature"]

REPRO_SECONDS = 300
# Which rule of which partitioner is at fault shows in these, not in the program.
BY_MESSAGE = ("crash", "rejected", "ours")


@dataclass(frozen=True)
class Finding:
    """A failure, small: of which kind, by which operations with which parameters that matter."""

    kind: str
    operations: tuple[tuple[str, tuple[str, ...]], ...]
    gradient: bool
    message: str

    def explains(self, other: Finding) -> bool:
        """Whether a failure of the other program is to be expected when this one is known."""
        if self.kind != other.kind:
            return False
        if self.kind in BY_MESSAGE:
            return self.message == other.message
        left = list(other.operations)
        for name, features in self.operations:
            match = next((o for o in left if o[0] == name and set(features) <= set(o[1])), None)
            if match is None:
                return False
            left.remove(match)
        return other.gradient or not self.gradient

    @property
    def title(self) -> str:
        """A line such as ``miscompilation: reduce_window (base, strides)``."""
        parts = [name + (f" ({', '.join(features)})" if features else "") for name, features in self.operations]
        return f"{self.kind}: {'gradient of ' if self.gradient else ''}{' + '.join(parts)}"

    @property
    def slug(self) -> str:
        """The same as a name of a folder."""
        words = [self.kind, *(["gradient"] if self.gradient else [])]
        for name, features in self.operations[:3]:
            words += [name, *features]
        return "-".join(words).replace("_", "-")


def signature(program: Program, outcome: Outcome) -> Finding:
    """Return what tells this failure from others."""
    used = tuple(sorted((n.op, tuple(sorted(operation(n.op).features(n.params)))) for n in program.nodes))
    return Finding(outcome.kind, used, bool(program.gradient), message_pattern(outcome.reason))


def _versions() -> dict[str, str]:
    import jax
    import jaxlib.version

    return {"jax": jax.__version__, "jaxlib": jaxlib.version.__version__, "python": sys.version.split()[0]}


class Store:
    """The folder ``findings`` of a campaign. A finding appears there whole or not at all."""

    def __init__(self, root: pathlib.Path) -> None:
        """Read what is there; drop what an earlier run left half written."""
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        for left in root.glob(".new-*"):
            shutil.rmtree(left)
        self.known: dict[str, Finding] = {}
        for folder in sorted(root.iterdir()):
            if (folder / "finding.json").is_file():
                self.known[folder.name] = self._read(folder)

    @staticmethod
    def _read(folder: pathlib.Path) -> Finding:
        raw = json.loads((folder / "finding.json").read_text())
        used = tuple((name, tuple(features)) for name, features in raw["operations"])
        return Finding(raw["kind"], used, raw["gradient"], raw["message"])

    def explained_by(self, finding: Finding) -> str | None:
        """Return the folder of a finding that explains this one."""
        return next((name for name, known in self.known.items() if known.explains(finding)), None)

    def add(
        self, program: Program, target: str, outcome: Outcome, others: dict[str, str], texts: dict[str, str]
    ) -> tuple[str, bool] | None:
        """Write the folder and run its script; return its name and whether the script confirms it.

        None: another one explains it. Findings that this one explains are removed.
        """
        finding = signature(program, outcome)
        if self.explained_by(finding):
            return None
        number = 1 + max((int(n.split("-")[0]) for n in self.known), default=0)
        name = f"{number:03d}-{finding.slug}"[:100]
        new = self.root / f".new-{os.getpid()}-{name}"
        new.mkdir()
        seed = ((outcome.facts or {}).get("differs") or {}).get("seed", 0)
        (new / "program.json").write_text(program.to_json() + "\n")
        (new / "repro.py").write_text(script(program, target, outcome.kind, finding.title, outcome.reason, seed))
        for file, text in texts.items():
            (new / file).write_text(text)
        confirmed, output = self._confirm(new / "repro.py")
        record: dict[str, Any] = {
            "kind": finding.kind,
            "operations": finding.operations,
            "gradient": finding.gradient,
            "message": finding.message,
            "target": target,
            "others": others,
            "verdict": outcome.verdict,
            "reason": outcome.reason,
            "validation": (outcome.facts or {}).get("validation"),
            "confirmed": confirmed,
            "versions": _versions(),
        }
        (new / "finding.json").write_text(json.dumps(record, indent=1) + "\n")
        (new / "README.md").write_text(_readme(program, finding, record, output))
        for old, known in list(self.known.items()):
            if finding.explains(known):
                shutil.rmtree(self.root / old)
                del self.known[old]
        os.rename(new, self.root / name)
        self.known[name] = finding
        return name, confirmed

    @staticmethod
    def _confirm(path: pathlib.Path) -> tuple[bool, str]:
        try:
            run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=REPRO_SECONDS)
        except subprocess.TimeoutExpired:
            return False, "no end"
        return run.returncode == 1 and "jaxlib" in run.stdout, run.stdout + run.stderr[-2000:]


def _clipped(output: str) -> str:
    """Return the output without the frames of a stack trace."""
    lines = [line[:300] for line in output.strip().splitlines() if not re.match(r"\s+@ +0x", line)]
    return "\n".join(lines if len(lines) <= 60 else [*lines[:40], "…", *lines[-15:]])


def _readme(program: Program, finding: Finding, record: dict[str, Any], output: str) -> str:
    validation = record["validation"] or {}
    lines = [f"# {finding.title}", "", record["reason"], "", "```python", program.source().rstrip(), "```", ""]
    lines += [f"Mesh: {dict(program.mesh)}" + (f", devices {program.devices}" if program.devices else ""), ""]
    for a in program.inputs:
        lines.append(f"- `{a.name}`: {a.dtype}{list(a.shape)}, `{spec_source(a.sharding)}`")
    for i, s in enumerate(program.result_shardings):
        lines.append(f"- result {i}: {'left to the partitioner' if s is None else f'`{spec_source(s)}`'}")
    lines += [
        "",
        f"Found with {record['target']}; " + "; ".join(f"{t}: {kind}" for t, kind in record["others"].items()),
    ]
    if validation:
        lines += [
            "",
            f"`partir validate` on the module after spmd-partitioning: {validation['verdict']}. {validation['reason']}",
        ]
        for key in ("at", "counterexample"):
            if validation.get(key):
                lines.append(f"- {key}: {validation[key]}")
    versions = ", ".join(f"{k} {v}" for k, v in record["versions"].items())
    lines += [
        "",
        f"Versions: {versions}. `python repro.py` needs JAX only; it printed:",
        "",
        "```",
        _clipped(output),
        "```",
    ]
    return "\n".join(lines) + "\n"
