"""Classifies the observations about a program as an outcome."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from openpartir.fuzz.generate import value_shapes
from openpartir.fuzz.program import Program
from openpartir.fuzz.runner import Runner

__all__ = ["FAILURES", "MEANINGS", "Outcome", "judge", "message_pattern", "most_communication", "plain_message"]

# The kinds that are kept. "disagreement" comes first: validator and execution cannot both be right.
MEANINGS = {
    "disagreement": "validator and execution contradict each other: a defect of ours until it is explained",
    "miscompilation": "results differ, in double precision too, and the validator does not prove the module",
    "backend": "the module is proved and our interpreters agree with it, but XLA's two executions differ",
    "refused": "our module is proved, but XLA does not support one of its operations, or dies of it",
    "crash": "the partitioner's process dies, or the compiled program fails to run",
    "hang": "partitioning or executing takes more than its limit",
    "rejected": "an error for a program that one device accepts",
    "communication": "right, with collectives of more than ten times the elements of all arrays",
    "ours": "our partitioner refuses a program, or refutes its own work",
    "validator": "our validator dies, hangs or reports a defect of its own",
}
FAILURES = tuple(MEANINGS)
NEEDLESS = 10
OUR_STAGES = ("validate", "interpret", "rules")
# Errors in which XLA says that it lacks something, or that a check of its own fails.
OF_XLA = re.compile(r"not supported|unsupported|UNIMPLEMENTED|RET_CHECK", re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a program.

    kind: one of FAILURES, or "right", "invalid" (JAX refuses it on one device), "rounding" (the difference disappears
    in double precision, or one device differs as much from itself in double precision), "killed" (the system kills the
    child each time, so nothing is known).
    verdict: the validator's verdict, if it was asked.
    """

    kind: str
    reason: str = ""
    verdict: str = ""
    facts: dict[str, Any] | None = None

    @property
    def failed(self) -> bool:
        """Return whether the program is to be kept."""
        return self.kind in FAILURES

    def as_dict(self) -> dict[str, Any]:
        """Return the outcome as a JSON object."""
        return asdict(self)


def most_communication(program: Program) -> int:
    """Return how many elements a device's collectives may return: ten times those of all arrays of the program.

    Gathering every array once would let each device compute everything by itself.
    """
    known = value_shapes(program)
    there = sum(int(np.prod(v.shape, dtype=int)) for v in known.values())
    if program.gradient:
        there *= 2
    return NEEDLESS * max(there, 256)


def message_pattern(text: str) -> str:
    """Return a message up to the instruction that it prints, without numbers, to classify messages."""
    text = re.split(r"\s*,? for instruction|%", text)[0]
    text = re.sub(r"0x[0-9a-f]+|\d+", "#", text)
    return re.sub(r"\s+", " ", text)[:160]


def plain_message(text: str) -> str:
    """Return an error's message without the Python location."""
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
        again = runner.examine(program, target, validate=False, double=True, seeds=max(2, 1 + d["seed"]))
        if again.get("differs") is None and "differs" in again:
            return Outcome("rounding", reason, verdict, facts)
        if facts.get("ill_conditioned"):
            return Outcome(
                "rounding", f"single and double precision differ on one device, too: {reason}", verdict, facts
            )
    certified = verdict != "refuted" and facts.get("claim", "").startswith("proved")  # our partitioner's certificate
    if verdict == "proved" or certified:
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
    """Classify the facts of `Runner.examine`; runs the program again if a second look is needed."""
    if "invalid" in facts:
        return Outcome("invalid", facts["invalid"])
    if "killed" in facts:
        return Outcome("killed", f"the system killed the child {facts['times']} times, in {facts['killed']}")
    if "hung" in facts:
        stage = facts["hung"]
        if stage in OUR_STAGES:
            return Outcome("validator", f"hung in {stage}", facts=facts)
        if stage in ("start", "reference"):
            return Outcome("invalid", f"hung in {stage}", facts=facts)
        return Outcome("hang", f"{stage} takes more than {facts['limit']:.0f} s", facts=facts)
    if "died" in facts:
        if facts["died"] in OUR_STAGES:
            return Outcome("validator", f"died in {facts['died']}: {facts['message']}", facts=facts)
        if facts["died"] in ("reference", "start"):
            return Outcome("invalid", f"dies on one device, too: {facts['message']}", facts=facts)
        if facts["died"] == "compile" and facts["claim"].startswith("proved"):
            return Outcome("refused", facts["message"], facts=facts)
        return Outcome("crash", facts["message"], facts=facts)
    if "rejected" in facts and target == "partir" and "error [schedule]" in facts["rejected"]:
        return Outcome("invalid", facts["rejected"])  # the schedule requests an axis that an earlier tactic has used
    if "rejected" in facts:
        return Outcome("ours" if target == "partir" else "rejected", plain_message(facts["rejected"]), facts=facts)
    if facts.get("claim", "").startswith("refuted"):
        return Outcome("ours", f"our own check refutes it: {facts['claim']}", facts=facts)
    if "failed" in facts:
        refused = facts.get("claim", "").startswith("proved") and OF_XLA.search(facts["failed"])
        reason = f"fails in XLA: {plain_message(facts['failed'])}"
        return Outcome("refused" if refused else "crash", reason, facts=facts)
    validation = facts.get("validation") or {"verdict": "not asked", "reason": ""}
    verdict = str(validation["verdict"])
    if facts["differs"]:
        return _differing(program, target, facts, runner)
    if verdict == "refuted":
        return Outcome("disagreement", f"refuted, but executed right: {validation['reason']}", verdict, facts)
    if verdict == "defect":
        return Outcome("validator", validation["reason"], verdict, facts)
    most = most_communication(program)
    if facts["communicated"] > most:
        reason = (
            f"collectives of a device return {facts['communicated']} elements; {most} would be ten times all arrays"
        )
        return Outcome("communication", reason, verdict, facts)
    return Outcome("right", "", verdict, facts)
