"""Implements ``python -m openpartir dtensor``."""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil
import sys

from openpartir.dtensor.judge import Judged, Rule, judge, replay, sample, strategies
from openpartir.dtensor.placements import read_rule
from openpartir.dtensor.report import as_json, markdown, summary
from openpartir.dtensor.table import OPERATORS

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--op", action="append", help="an operator, such as add.Tensor; all of them by default")
    parser.add_argument("--out", type=pathlib.Path, help="folder for report.md and report.json")
    parser.add_argument("--torch", default=sys.executable, metavar="PYTHON", help="an interpreter that has torch 2.15")
    parser.add_argument("--partir", default="partir", help="the command line program")
    parser.add_argument("--timeout", type=int, default=5, help="seconds a claim (5)")
    parser.add_argument("--sample", type=int, default=0, help="check so many verdicts by running PyTorch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", action="append", default=[], help="with one --op: judge 'P(max) -> P(max)' instead")
    parser.add_argument("--no-torch", action="store_true", help="with --rule: only prove, without PyTorch")


def _by_hand(a: argparse.Namespace) -> int:
    """Judge the rules given by ``--rule``, also for sizes that do not divide; return 1 if one is wrong."""
    (op,) = [o for o in OPERATORS if o.aten == a.op[0]]
    status = 0
    for text in a.rule:
        sides = read_rule(text, [len(t.sizes) for t in op.tensors])
        judged = judge(op, {"rules": [list(sides)], "results": len(sides[1])}, a.partir, a.timeout)
        rule = next(r for r in judged.rules if r.declared)
        print(f"{op.aten}: {rule}: {rule.verdict} {rule.reason}".rstrip())
        wrong = rule.verdict == "refuted"
        if not a.no_torch:
            uneven = Rule(rule.inputs, rule.outputs, True)
            replay(a.torch, [(op, rule, False)])
            replay(a.torch, [(op, uneven, False)], M=5, N=7, K=9, B=3)
            states = rule.in_torch["strategy"]["state"], uneven.in_torch["strategy"]["state"]
            print(f"  in torch: {states[0]}; with sizes that two devices do not divide: {states[1]}")
            wrong = wrong or "wrong" in states
        status = max(status, int(wrong), 3 if rule.verdict == "unknown" and not wrong else 0)
    return status


def run(a: argparse.Namespace) -> int:
    """Return the exit status: 1 if a declared strategy is refuted, 3 if one is unknown, otherwise 0."""
    known = {o.aten: o for o in OPERATORS}
    if shutil.which(a.partir) is None:
        print(f"--partir {a.partir}: no such program", file=sys.stderr)
        return 2
    unknown = [name for name in a.op or [] if name not in known]
    if unknown or (a.rule and len(a.op or []) != 1) or not (a.rule or a.out):
        found = f"--op {unknown[0]}: no such operator" if unknown else "--out DIR, or one --op with --rule, is missing"
        print(f"{found}; operators: {', '.join(sorted(known))}" if unknown else found, file=sys.stderr)
        return 2
    if a.rule:
        try:
            return _by_hand(a)
        except (OSError, RuntimeError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
    operators = [known[name] for name in a.op] if a.op else OPERATORS
    try:
        declared = strategies(a.torch, operators)
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    judged: list[Judged] = []
    for op in operators:
        judged.append(judge(op, declared["operators"][op.aten], a.partir, a.timeout))
        if sys.stderr.isatty():
            print(f"\r{len(judged)} of {len(operators)} operators", end="", file=sys.stderr, flush=True)
    refuted = [(j.operator, r) for j in judged for r in j.rules if r.declared and r.verdict == "refuted"]
    replay(a.torch, [(op, r, dispatch) for op, r in refuted for dispatch in (False, True)])
    replay(a.torch, sample(judged, a.sample, a.seed))
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "report.json").write_text(json.dumps(as_json(judged, declared["torch"]), default=str) + "\n")
    (a.out / "report.md").write_text(markdown(judged, declared["torch"]))
    print("\n".join(summary(judged, declared["torch"])))
    for op, r in refuted:
        print(
            f"refuted: {op.aten}: {r}: {r.reason[:200]}; in torch { ({k: v['state'] for k, v in r.in_torch.items()}) }"
        )
    verdicts = {r.verdict for j in judged for r in j.rules if r.declared}
    return 1 if "refuted" in verdicts else 3 if "unknown" in verdicts else 0
