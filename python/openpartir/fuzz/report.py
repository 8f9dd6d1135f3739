"""Writes a campaign's results so far, for people and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from openpartir.fuzz.campaign import Campaign
from openpartir.fuzz.oracle import MEANINGS

__all__ = ["as_json", "markdown", "summary"]

VERDICTS = ("proved", "refuted", "unknown", "skipped", "unsupported")
STAGES = ("generate", "reference", "partition", "compile", "execute", "validate", "interpret", "rules")


def _classes(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """Return for each kind of failure the number of programs and findings, and the first finding."""
    programs = Counter(e["kind"] for e in campaign.entries)
    kept: dict[str, list[str]] = {kind: [] for kind in MEANINGS}
    for name, finding in sorted(campaign.store.known.items()):
        kept[finding.kind].append(name)
    return {
        kind: {"programs": programs[kind], "findings": len(kept[kind]), "example": next(iter(kept[kind]), None)}
        for kind in MEANINGS
    }


def _rates(campaign: Campaign) -> dict[str, Any]:
    seconds = campaign.stage_seconds
    total = len(campaign.entries)
    return {
        "programs": total,
        "seconds": round(seconds["all"], 1),
        "programs_a_minute": round(60 * total / seconds["all"], 1) if total else 0,
        "seconds_by_stage": {s: round(seconds[s], 1) for s in STAGES if s in seconds},
        "programs_a_minute_by_stage": {s: round(60 * total / seconds[s]) for s in STAGES if seconds[s] > 0},
    }


def as_json(campaign: Campaign) -> dict[str, Any]:
    """Return the report as a JSON object."""
    task = campaign.task
    return {
        "target": task.target,
        "seed": task.seed,
        "ops": list(task.ops),
        **_rates(campaign),
        "outcomes": dict(campaign.counts.most_common()),
        "classes": _classes(campaign),
        "findings": {name: finding.title for name, finding in sorted(campaign.store.known.items())},
        "unconfirmed": {name: finding.title for name, finding in sorted(campaign.store.unconfirmed.items())},
        "rules": list(campaign.rules.values()),
    }


def summary(campaign: Campaign) -> str:
    """Return counts, rates and findings in a few lines."""
    report = as_json(campaign)
    lines = [
        f"{report['programs']} programs in {report['seconds']:.0f} s of work without shrinking: "
        f"{report['programs_a_minute']:.0f} a minute a job",
        "  " + ", ".join(f"{kind} {n}" for kind, n in report["outcomes"].items()),
        "  " + ", ".join(f"{s} {t:.0f} s" for s, t in report["seconds_by_stage"].items()),
        f"  {len(report['findings'])} findings:",
        *(f"    {name}  {title}" for name, title in report["findings"].items()),
    ]
    if report["unconfirmed"]:
        lines += [f"  {len(report['unconfirmed'])} whose own script does not show them, which do not count:"]
        lines += [f"    {name}  {title}" for name, title in report["unconfirmed"].items()]
    if report["rules"]:
        verdicts = Counter(r["verdict"] for r in report["rules"])
        lines += ["  factors of Shardy's rules: " + ", ".join(f"{verdicts[v]} {v}" for v in VERDICTS if verdicts[v])]
    return "\n".join(lines)


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(c).replace("|", "\\|") for c in cells) + " |"


def _rules(rules: list[dict[str, Any]]) -> list[str]:
    """Return the verdicts on Shardy's rules by operation, and the rules that are not proved."""
    by: dict[tuple[str, str], Counter[str]] = {}
    for r in rules:
        by.setdefault((r["operation"], r.get("kind", "")), Counter())[r["verdict"]] += 1
    lines = [
        "",
        "## Shardy's rules",
        "",
        "Distinct factors of the rules that the installed jaxlib gives the operations of the campaign's programs, "
        "proved or refuted for all sizes as by `partir rules` (docs/shardy_rules.md). What is refuted is right only "
        "with the help of the lowering.",
        "",
        _row("operation", "kind", *VERDICTS),
        _row(*["---"] * (2 + len(VERDICTS))),
    ]
    lines += [_row(op, kind, *(n[v] for v in VERDICTS)) for (op, kind), n in sorted(by.items())]
    open_ = [r for r in rules if r["verdict"] in ("refuted", "unknown", "unsupported")]
    if open_:
        lines += ["", _row("verdict", "operation", "rule", "factor", "read as", "why", "program"), _row(*["---"] * 7)]
    for r in sorted(open_, key=lambda r: (r["verdict"], r["operation"], r["rule"], r["factor"])):
        entry = f"`{r['entry']}`" if r.get("entry") else ""
        example = r.get("counterexample")
        why = r["reason"] or (f"n = {example['n']}: {example['got']} instead of {example['wanted']}" if example else "")
        rule = f"`{r['rule']}`" if r["rule"] else ""
        lines.append(_row(r["verdict"], r["operation"], rule, r["factor"], entry, why[:200], r["program"]))
    return lines


def markdown(campaign: Campaign) -> str:
    """Return the report as a Markdown page."""
    report = as_json(campaign)
    lines = [
        f"# Campaign against {report['target']}, seed {report['seed']}",
        "",
        f"{report['programs']} programs in {report['seconds']:.0f} s of work without shrinking, "
        f"{report['programs_a_minute']:.0f} a minute a job.",
        "",
        _row("stage", "seconds", "programs a minute"),
        _row("---", "---", "---"),
    ]
    per_minute = report["programs_a_minute_by_stage"]
    lines += [_row(s, t, per_minute.get(s, "")) for s, t in report["seconds_by_stage"].items()]
    lines += ["", _row("outcome/validator", "programs"), _row("---", "---")]
    lines += [_row(kind, n) for kind, n in report["outcomes"].items()]
    lines += ["", "## Classes of failures", "", _row("class", "what it is", "programs", "findings", "example")]
    lines += [_row(*["---"] * 5)]
    for kind, c in report["classes"].items():
        example = f"[{c['example']}](findings/{c['example']}/README.md)" if c["example"] else ""
        lines.append(_row(kind, MEANINGS[kind], c["programs"], c["findings"], example))
    lines += ["", "## Findings", "", "Each is confirmed by its own `repro.py`.", ""]
    lines += [f"- [{name}](findings/{name}/README.md): {title}" for name, title in report["findings"].items()]
    if report["unconfirmed"]:
        lines += ["", "Not confirmed by their own script, and not counted:", ""]
        lines += [f"- [{n}](unconfirmed/{n}/README.md): {title}" for n, title in report["unconfirmed"].items()]
    return "\n".join(lines + (_rules(report["rules"]) if report["rules"] else [])) + "\n"
