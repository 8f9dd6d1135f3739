"""From facts about a program to what they mean."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from openpartir.fuzz.generate import value_shapes
from openpartir.fuzz.program import Program
from openpartir.fuzz.runner import Runner

__all__ = ["FAILURES", "Outcome", "judge", "message_pattern", "needless_communication", "plain_message"]

# What is kept. "disagreement" comes first: validator and execution cannot both be right, and one of them is ours.
FAILURES = ("disagreement", "miscompilation", "backend", "crash", "hang", "rejected", "communication", "ours")
NEEDLESS = 10


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    kind: one of FAILURES, or "right", "invalid" (JAX refuses it on one device), "rounding" (the difference is gone in
    double precision). verdict: the validator's, where it was asked.
    """

    kind: str
    reason: str = ""
    verdict: str = ""
    facts: dict[str, Any] | None = None

    @property
    def failed(self) -> bool:
        """Whether it is to be kept."""
        return self.kind in FAILURES

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON's."""
        return asdict(self)


def needless_communication(program: Program, elements: int) -> bool:
    """Whether collectives return ten times the elements of all arrays of the program together.

    Gathering every array once would let each device compute everything by itself.
    """
    known = value_shapes(program)
    there = sum(int(np.prod(v.shape, dtype=int)) for v in known.values())
    if program.gradient:
        there *= 2
    return elements > NEEDLESS * max(there, 256)


def message_pattern(text: str) -> str:
    """Return a message without numbers, names and addresses, to tell kinds of messages apart."""
    text = re.sub(r"%[\w.\-]+", "%", text)
    text = re.sub(r"0x[0-9a-f]+|\d+", "#", text)
    return re.sub(r"\s+", " ", text)[:160]


def plain_message(text: str) -> str:
    """Return an error's message without where in Python it came from."""
    return re.split(r"\s*Suspected Python Code Location|\[xla::PythonStackTrace|\s*-{20}\s*For simplicity", text)[
        0
    ].strip()


def _differing(program: Program, target: str, facts: dict[str, Any], runner: Runner) -> Outcome:
    d = facts["differs"]
    validation = facts.get("validation") or {"verdict": "not asked"}
    verdict = str(validation["verdict"])
    where = f"{d['count']} of {d['of']} elements of result {d['result']}"
    reason = f"{where}; at {d['at']} {d['found']} instead of {d['expected']}"
    if verdict != "refuted":
        again = runner.examine(program, target, validate=False, double=True)
        if again.get("differs") is None and "differs" in again:
            return Outcome("rounding", reason, verdict, facts)
    if verdict == "proved":
        interpreted = facts.get("interpreted", {})
        if interpreted.get("differs") == []:
            return Outcome(
                "backend",
                f"proved, and our interpreters agree, but XLA's two executions differ: {reason}",
                verdict,
                facts,
            )
        return Outcome("disagreement", f"proved, but executed differently: {reason}", verdict, facts)
    return Outcome("miscompilation", reason, verdict, facts)


def judge(program: Program, target: str, facts: dict[str, Any], runner: Runner) -> Outcome:
    """Say what the facts of `Runner.examine` mean; runs the program again where that needs a second look."""
    if "invalid" in facts:
        return Outcome("invalid", facts["invalid"])
    if "hung" in facts:
        stage = facts["hung"]
        if stage in ("validate", "interpret", "start", "reference"):
            return Outcome("ours" if stage in ("validate", "interpret") else "invalid", f"hung in {stage}", facts=facts)
        return Outcome("hang", f"{stage} takes more than {facts['limit']:.0f} s", facts=facts)
    if "died" in facts:
        if facts["died"] in ("validate", "interpret"):
            return Outcome("ours", f"died in {facts['died']}: {facts['message']}", facts=facts)
        if facts["died"] in ("reference", "start"):
            return Outcome("invalid", f"dies on one device, too: {facts['message']}", facts=facts)
        return Outcome("crash", facts["message"], facts=facts)
    if "rejected" in facts and target == "partir" and "error [schedule]" in facts["rejected"]:
        return Outcome("invalid", facts["rejected"])  # the schedule asks for what an earlier tactic has used up
    if "rejected" in facts:
        return Outcome("ours" if target == "partir" else "rejected", plain_message(facts["rejected"]), facts=facts)
    if "failed" in facts:
        return Outcome("crash", f"fails in execution: {plain_message(facts['failed'])}", facts=facts)
    validation = facts.get("validation") or {"verdict": "not asked", "reason": ""}
    verdict = str(validation["verdict"])
    if target == "partir" and facts.get("claim", "").startswith("refuted"):
        return Outcome("ours", f"our own check refutes it: {facts['claim']}", verdict, facts)
    if facts["differs"]:
        return _differing(program, target, facts, runner)
    if verdict == "refuted":
        return Outcome("disagreement", f"refuted, but executed right: {validation['reason']}", verdict, facts)
    if verdict == "defect":
        return Outcome("ours", validation["reason"], verdict, facts)
    if needless_communication(program, facts["communicated"]):
        return Outcome("communication", f"collectives return {facts['communicated']} elements", verdict, facts)
    return Outcome("right", "", verdict, facts)
