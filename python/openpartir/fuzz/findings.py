"""Stores findings on disk, with one folder for each distinct failure."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from openpartir.fuzz.disk import remove_folder, write_folder
from openpartir.fuzz.operation import operation
from openpartir.fuzz.oracle import Outcome, message_pattern
from openpartir.fuzz.program import Program, spec_source

__all__ = ["BY_MESSAGE", "Candidate", "Finding", "Store", "signature", "versions"]

# For these kinds the message, not the program, identifies the rule of the partitioner that is at fault.
BY_MESSAGE = ("crash", "rejected", "refused", "ours", "validator")


@dataclass(frozen=True)
class Finding:
    """A shrunk failure: its kind, and its operations with the parameters that matter."""

    kind: str
    operations: tuple[tuple[str, tuple[str, ...]], ...]
    gradient: bool
    message: str

    def explains(self, other: Finding) -> bool:
        """Return whether this failure makes the failure of the other program expected."""
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
        """Return a line such as ``miscompilation: reduce_window (base, strides)``."""
        parts = [name + (f" ({', '.join(features)})" if features else "") for name, features in self.operations]
        return f"{self.kind}: {'gradient of ' if self.gradient else ''}{' + '.join(parts)}"

    @property
    def slug(self) -> str:
        """Return the same as a folder name."""
        words = [self.kind, *(["gradient"] if self.gradient else [])]
        for name, features in self.operations[:3]:
            words += [name, *features]
        return "-".join(words).replace("_", "-")


def signature(program: Program, outcome: Outcome) -> Finding:
    """Return the properties that distinguish this failure from others."""
    used = tuple(sorted((n.op, tuple(sorted(operation(n.op).features(n.params)))) for n in program.nodes))
    return Finding(outcome.kind, used, bool(program.gradient), message_pattern(outcome.reason))


def versions() -> dict[str, str]:
    """Return the versions of the software that takes part in a campaign."""
    import jax
    import jaxlib.version

    return {"jax": jax.__version__, "jaxlib": jaxlib.version.__version__, "python": sys.version.split()[0]}


@dataclass(frozen=True)
class Candidate:
    """A shrunk failing program, with the results of its own script and of the other partitioners."""

    program: Program
    outcome: Outcome
    target: str
    others: Mapping[str, str]  # kind by partitioner
    files: Mapping[str, str]  # includes repro.py
    confirmed: bool
    output: str  # printed by repro.py
    tried: int  # number of smaller programs that were tried

    @property
    def finding(self) -> Finding:
        """Return its signature."""
        return signature(self.program, self.outcome)


class Store:
    """The folders ``findings``, and ``unconfirmed`` for failures that their own script does not reproduce.

    A folder is named by the number of the program with which it was found. It counts once the journal has an entry for
    that program; folders that a kill has left without an entry are dropped, and found again.
    """

    def __init__(self, root: pathlib.Path, entries: Iterable[dict[str, Any]] = ()) -> None:
        """Read the folders and make them consistent with the journal."""
        self.known: dict[str, Finding] = {}
        self.unconfirmed: dict[str, Finding] = {}
        journal = list(entries)
        replaced = {name for entry in journal for name in entry.get("replaces", ())}
        self._roots = {True: root / "findings", False: root / "unconfirmed"}
        for confirmed, folder in self._roots.items():
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.iterdir()):
                if path.name.startswith((".new-", ".old-")):
                    shutil.rmtree(path)
                elif (path / "finding.json").is_file():
                    raw = json.loads((path / "finding.json").read_text())
                    if path.name in replaced or raw["number"] >= len(journal):
                        remove_folder(path)
                    else:
                        self._of(confirmed)[path.name] = self._read(raw)

    def _of(self, confirmed: bool) -> dict[str, Finding]:
        return self.known if confirmed else self.unconfirmed

    @staticmethod
    def _read(raw: dict[str, Any]) -> Finding:
        used = tuple((name, tuple(features)) for name, features in raw["operations"])
        return Finding(raw["kind"], used, raw["gradient"], raw["message"])

    def explained_by(self, finding: Finding, confirmed: bool = True) -> str | None:
        """Return the folder of a finding that explains this one."""
        return next((name for name, known in self._of(confirmed).items() if known.explains(finding)), None)

    def add(self, number: int, candidate: Candidate) -> tuple[str, list[str]] | None:
        """Write the folder; return its name, and the findings that it explains and that `drop` may remove.

        Returns None if another finding explains it. On OSError nothing has changed.
        """
        finding, confirmed = candidate.finding, candidate.confirmed
        if self.explained_by(finding, confirmed):
            return None
        name = f"{number:05d}-{finding.slug}"[:100]
        record: dict[str, Any] = {
            "number": number,
            "kind": finding.kind,
            "operations": finding.operations,
            "gradient": finding.gradient,
            "message": finding.message,
            "target": candidate.target,
            "others": dict(candidate.others),
            "verdict": candidate.outcome.verdict,
            "reason": candidate.outcome.reason,
            "validation": (candidate.outcome.facts or {}).get("validation"),
            "confirmed": confirmed,
            "versions": versions(),
        }
        files = {
            "program.json": candidate.program.to_json() + "\n",
            **candidate.files,
            "finding.json": json.dumps(record, indent=1) + "\n",
            "README.md": _readme(candidate.program, finding, record, candidate.output),
        }
        write_folder(self._roots[confirmed] / name, files)
        replaces = [old for old, known in self._of(confirmed).items() if finding.explains(known)]
        self._of(confirmed)[name] = finding
        return name, replaces

    def drop(self, names: Iterable[str]) -> None:
        """Remove findings that another one explains."""
        for confirmed in (True, False):
            for name in [n for n in names if n in self._of(confirmed)]:
                remove_folder(self._roots[confirmed] / name)
                del self._of(confirmed)[name]


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
    others = [f"{t}: {kind}" for t, kind in record["others"].items()]
    lines += ["", "; ".join([f"Found with {record['target']}", *others])]
    if validation:
        lines += [
            "",
            "`partir validate` on the partitioned module, as StableHLO in `partitioned.mlir`: "
            f"{validation['verdict']}. {validation['reason']}",
        ]
        for key in ("at", "counterexample"):
            if validation.get(key):
                lines.append(f"- {key}: {validation[key]}")
    lines += [
        "",
        f"Versions: {', '.join(f'{k} {v}' for k, v in record['versions'].items())}. `python repro.py` "
        + ("shows it" if record["confirmed"] else "does not show it")
        + "; it printed:",
        "",
        "```",
        _clipped(output),
        "```",
    ]
    return "\n".join(lines) + "\n"
