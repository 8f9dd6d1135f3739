"""Writes the verdicts as tables."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import Any

from openpartir.dtensor.judge import Judged, Rule, median_milliseconds

__all__ = ["as_json", "markdown", "summary"]

VERDICTS = ("proved", "refuted", "unknown")


def _declared(j: Judged, verdict: str) -> list[Rule]:
    return [r for r in j.rules if r.declared and r.verdict == verdict]


def missing(j: Judged) -> list[Rule]:
    """Return the rules that are proved and not declared."""
    return [r for r in j.rules if not r.declared and r.verdict == "proved"]


def _states(r: Rule) -> str:
    return ", ".join(f"{how}: {found['state']}" for how, found in r.in_torch.items())


def summary(judged: Sequence[Judged], torch: str) -> list[str]:
    """Return a summary of a few lines."""
    with_rules = [j for j in judged if any(r.declared for r in j.rules)]
    declared = Counter(r.verdict for j in judged for r in j.rules if r.declared)
    asked = sum(len(j.rules) for j in judged)
    lines = [
        f"torch {torch}: {len(judged)} operators, {len(with_rules)} of them with strategies over one mesh dimension"
    ]
    lines += ["declared: " + ", ".join(f"{declared[v]} {v}" for v in VERDICTS)]
    lines += [
        f"right and missing: {sum(len(missing(j)) for j in judged)} of {asked} combinations of placements asked for"
    ]
    times = median_milliseconds(judged, lambda r: r.declared), median_milliseconds(judged, lambda _: True)
    lines += [f"median {times[0]:.2f} ms a declared strategy, {times[1]:.2f} ms of all"]
    replayed = [(r, f) for j in judged for r in j.rules for how, f in r.in_torch.items() if how == "strategy"]
    if replayed:
        wrong = [r for r, f in replayed if (r.verdict == "proved") != (f["state"] == "right")]
        fails = sum(f["state"] == "fails" for r, f in replayed if r.verdict == "refuted")
        lines += [
            f"{len(replayed)} verdicts checked by running PyTorch in two processes: {len(replayed) - len(wrong)} agree "
            f"({fails} of them refuted because local shapes do not fit, which raise in PyTorch), {len(wrong)} do not"
        ]
        lines += [
            f"  {j.operator.aten}: {r}: {r.verdict}, in torch {r.in_torch}"
            for j in judged
            for r in j.rules
            if r in wrong
        ]
    return lines


def as_json(judged: Sequence[Judged], torch: str) -> dict[str, Any]:
    """Return all results as a JSON object."""
    operators = {
        j.operator.aten: {"reason": j.reason, "rules": [dataclasses.asdict(r) for r in j.rules]} for j in judged
    }
    return {"torch": torch, "operators": operators}


def markdown(judged: Sequence[Judged], torch: str) -> str:
    """Return the report as Markdown."""
    lines = [
        "# Op strategies of PyTorch's DTensor, judged",
        "",
        *[f"- {line.strip()}" for line in summary(judged, torch)],
        "",
    ]
    for verdict in ("refuted", "unknown"):
        lines += [f"## Declared and {verdict}", ""]
        for j in judged:
            for r in _declared(j, verdict):
                lines.append(f"- `{j.operator.aten}` {r}: {r.reason[:160] or 'no reason given'}")
                if r.in_torch:
                    lines.append(f"  - in torch: {_states(r)}")
        lines.append("")
    lines += [
        "## By operator",
        "",
        "| operator | proved | refuted | unknown | right and missing |",
        "| --- | --- | --- | --- | --- |",
    ]
    for j in judged:
        more = missing(j)
        text = "; ".join(map(str, more[:4])) + (f"; {len(more) - 4} more" if len(more) > 4 else "")
        counts = " | ".join(str(len(_declared(j, v))) for v in VERDICTS)
        lines.append(f"| {j.operator.aten} | {counts} | {j.reason or text} |")
    return "\n".join(lines) + "\n"
