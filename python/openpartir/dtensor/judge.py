"""Judges the strategies of all operators: proved, refuted or unknown; right and missing ones; PyTorch's results."""

from __future__ import annotations

import json
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from openpartir.dtensor.aten_operator import Operator
from openpartir.dtensor.claims import SAMPLE, Unwritable, claim, result_symbols
from openpartir.dtensor.placements import combinations
from openpartir.dtensor.prove import prove

__all__ = ["Judged", "Rule", "judge", "replay", "strategies"]

HERE = pathlib.Path(__file__).parent
# With more tensors there are too many combinations of placements to look for missing rules.
MOST_TENSORS = 2


@dataclass
class Rule:
    """A strategy over one mesh dimension, with its verdict."""

    inputs: list[str]
    outputs: list[str]
    declared: bool  # whether PyTorch declares it
    verdict: str = "unknown"
    reason: str = ""
    milliseconds: float = 0.0
    counterexample: Any = None
    in_torch: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the rule as text, such as "S(0), R -> S(0)"."""
        return f"{', '.join(self.inputs)} -> {', '.join(self.outputs)}"


@dataclass
class Judged:
    """All strategies of an operator."""

    operator: Operator
    rules: list[Rule]
    reason: str = ""  # set if there are no strategies


def _request(op: Operator) -> dict[str, Any]:
    return {
        "name": op.aten,
        "aten": op.aten,
        "tensors": [vars(t) for t in op.tensors],
        "domains": [op.domain_of(i) for i in range(len(op.tensors))],
        "args": list(op.args),
        "kwargs": op.kwargs,
    }


def strategies(python: str, operators: Sequence[Operator]) -> dict[str, Any]:
    """Return the strategies that an interpreter's PyTorch declares. Raises RuntimeError if it returns none."""
    request = json.dumps({"sizes": SAMPLE, "operators": [_request(o) for o in operators]})
    run = subprocess.run([python, str(HERE / "torch_strategies.py")], input=request, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"{python} gave no strategies: {run.stderr.strip()[-600:]}")
    return dict(json.loads(run.stdout))


def _candidates(op: Operator, declared: dict[str, Any]) -> list[Rule]:
    rules = {(tuple(i), tuple(o)): Rule(list(i), list(o), True) for i, o in declared["rules"]}
    symbols = result_symbols(op)
    # If the program has other results than PyTorch's operator, a rule about the program is not one about the operator.
    if len(op.tensors) <= MOST_TENSORS and len(symbols) == declared["results"]:
        partial = [t.dtype == "f32" for t in op.tensors]
        inputs = [(list(t.sizes), p) for t, p in zip(op.tensors, partial, strict=True)]
        for into, out in combinations(inputs, symbols):
            rules.setdefault((tuple(into), tuple(out)), Rule(into, out, False))
    return list(rules.values())


def judge(op: Operator, declared: dict[str, Any], partir: str, seconds: int) -> Judged:
    """Prove or refute the strategies that PyTorch declares for an operator, and all other combinations."""
    if "reason" in declared:
        return Judged(op, [], declared["reason"])
    rules = _candidates(op, declared)
    texts: dict[str, str] = {}
    by_name: dict[str, Rule] = {}
    for i, rule in enumerate(rules):
        name = f"{re.sub(r'[^a-zA-Z0-9]', '_', op.aten)}_{i}"
        try:
            texts[name] = claim(op, name, rule.inputs, rule.outputs)
            by_name[name] = rule
        except Unwritable as error:
            rule.reason = str(error)
    for name, found in prove(partir, texts, seconds).items():
        rule = by_name[name]
        rule.verdict, rule.reason = found["verdict"], found.get("reason", "")
        rule.milliseconds, rule.counterexample = found.get("milliseconds", 0.0), found.get("counterexample")
    return Judged(op, rules)


def replay(python: str, cases: Sequence[tuple[Operator, Rule, bool]], **sizes: int) -> None:
    """Run strategies in PyTorch with two processes and set `in_torch`; True calls DTensor, False runs on parts."""
    if not cases:
        return
    with tempfile.TemporaryDirectory(prefix="openpartir") as folder:
        path, results = pathlib.Path(folder) / "cases.json", pathlib.Path(folder) / "results.json"
        listed = [
            {**_request(op), "inputs": rule.inputs, "outputs": rule.outputs, "dispatch": dispatch}
            for op, rule, dispatch in cases
        ]
        path.write_text(json.dumps({"sizes": {**SAMPLE, **sizes}, "cases": listed}))
        run = subprocess.run(
            [python, str(HERE / "torch_replay.py"), str(path), str(results)], capture_output=True, text=True
        )
        if run.returncode:
            raise RuntimeError(f"two processes of {python} failed: {run.stderr.strip()[-600:]}")
        for (_, rule, dispatch), found in zip(cases, json.loads(results.read_text()), strict=True):
            rule.in_torch["dispatch" if dispatch else "strategy"] = found


def sample(judged: Sequence[Judged], count: int, seed: int) -> list[tuple[Operator, Rule, bool]]:
    """Return verdicts to check by running PyTorch: half proved, half refuted."""
    rng = random.Random(seed)
    out = []
    for verdict in ("proved", "refuted"):
        of = [(j.operator, r, False) for j in judged for r in j.rules if r.verdict == verdict]
        out += rng.sample(of, min(count // 2, len(of)))
    return out


def median_milliseconds(judged: Sequence[Judged], wanted: Callable[[Rule], bool]) -> float:
    """Return the median time of the claims of selected rules."""
    times = [r.milliseconds for j in judged for r in j.rules if r.verdict in ("proved", "refuted") and wanted(r)]
    return statistics.median(times) if times else 0.0
