"""Defines the parts of a campaign that depend only on the seed and a program's number, and can run anywhere.

A child process belongs to the thread that asks it, so several threads, or the workers of a cluster, run tasks in
parallel.
"""

from __future__ import annotations

import pathlib
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import Any

from openpartir.fuzz.findings import BY_MESSAGE, Candidate, signature
from openpartir.fuzz.generate import generate
from openpartir.fuzz.oracle import Outcome, judge
from openpartir.fuzz.program import Program
from openpartir.fuzz.repro import confirm, script
from openpartir.fuzz.runner import Runner
from openpartir.fuzz.shrink import shrink

__all__ = ["Examined", "Task", "examine_one", "stop_all"]

XLA = ("shardy", "gspmd")
# A smaller program gets other inputs, of which several may be needed to reproduce the failure.
SMALL_SEEDS = 8
# A program that hangs takes its full time limit in each attempt.
HANG_SHRINKS = 6

_of_thread = threading.local()
_runners: list[Runner] = []


def _runner(validate_seconds: float) -> Runner:
    if not hasattr(_of_thread, "runner"):
        _of_thread.runner = Runner(validate_seconds)
        _runners.append(_of_thread.runner)
    runner: Runner = _of_thread.runner
    return runner


def stop_all() -> None:
    """End the children of all threads; tasks in progress fail."""
    while _runners:
        _runners.pop().stop()


def examine_one(program: Program, target: str, runner: Runner, **options: Any) -> Outcome:
    """Examine and judge a program; a failure is examined a second time, as a hang may be due to a busy machine."""
    outcome = judge(program, target, runner.examine(program, target, **options), runner)
    if outcome.kind in ("hang", "crash", "refused", "ours", "validator"):
        outcome = judge(program, target, runner.examine(program, target, **options), runner)
    return outcome


@dataclass(frozen=True)
class Examined:
    """A program with its outcome."""

    program: Program
    outcome: Outcome
    seconds: dict[str, float]  # by stage


@dataclass(frozen=True)
class Task:
    """Determines the programs of a campaign and their outcomes; `target` may be "jax-grad"."""

    target: str
    seed: int = 1
    ops: tuple[str, ...] = ()
    validate_seconds: float = 10
    shrinks: int = 120

    @property
    def partitioner(self) -> str:
        """The partitioner that is called."""
        return "shardy" if self.target == "jax-grad" else self.target

    @property
    def gradients(self) -> float:
        """The share of programs that are gradients."""
        return 1.0 if self.target == "jax-grad" else 0.25

    def program(self, number: int) -> Program:
        """Return a program of the campaign."""
        return generate(self.seed, number, self.ops, self.gradients)

    def examined(self, number: int) -> Examined:
        """Return program `number` with its outcome."""
        start = time.monotonic()
        program = self.program(number)
        generated = time.monotonic() - start
        rules = self.partitioner == "shardy"
        outcome = examine_one(program, self.partitioner, _runner(self.validate_seconds), rules=rules)
        stages = (outcome.facts or {}).get("seconds", {})
        return Examined(program, outcome, {"generate": generated, **stages, "all": time.monotonic() - start})

    def candidate(self, examined: Examined) -> Candidate:
        """Shrink a failing program, write its script and run the script."""
        target, runner = self.partitioner, _runner(self.validate_seconds)
        small, outcome, tried = self._shrunk(examined.program, examined.outcome, runner)
        others = {o: examine_one(small, o, runner).kind for o in XLA if target in XLA and o != target}
        facts = runner.examine(small, target, validate=False, modules=True)
        names = {"source.mlir": "source", "partitioned.mlir": "local"}
        if target in XLA:
            names["partitioned.hlo"] = "module"
        files = {name: facts[key] for name, key in names.items() if key in facts}
        files["repro.py"] = script(small, target, outcome, signature(small, outcome).title, self.validate_seconds)
        with tempfile.TemporaryDirectory(prefix="openpartir") as folder:
            path = pathlib.Path(folder) / "repro.py"
            path.write_text(files["repro.py"])
            confirmed, output = confirm(path)
            output = output.replace(folder, ".")
        return Candidate(small, outcome, target, others, files, confirmed, output, tried)

    def _shrunk(self, program: Program, outcome: Outcome, runner: Runner) -> tuple[Program, Outcome, int]:
        """Return a smaller program that fails in the same way, its outcome, and how many were tried."""
        target, tried = self.partitioner, 0
        most = HANG_SHRINKS if outcome.kind == "hang" else self.shrinks
        message = signature(program, outcome).message
        # Execution alone is quick; where validation is part of the failure, it has to be repeated for each program.
        of_execution = outcome.kind not in ("disagreement", "backend", "validator")
        for quick in (True, False) if of_execution else (False,):

            def fails(p: Program, quick: bool = quick) -> bool:
                facts = runner.examine(p, target, validate=not quick, seeds=SMALL_SEEDS)
                if quick and facts.get("differs"):
                    return outcome.kind == "miscompilation"
                found = judge(p, target, facts, runner)
                by_message = outcome.kind in BY_MESSAGE
                return found.kind == outcome.kind and (not by_message or message == signature(p, found).message)

            small, more = shrink(program, fails, most - tried)
            tried += more
            final = examine_one(small, target, runner, seeds=SMALL_SEEDS)
            if final.kind == outcome.kind:
                return small, final, tried
        return program, outcome, tried
