"""A campaign: programs one after another, in several child processes, with a journal that survives a kill."""

from __future__ import annotations

import json
import pathlib
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TextIO

from openpartir.fuzz.findings import Store, signature
from openpartir.fuzz.generate import generate
from openpartir.fuzz.oracle import Outcome, judge
from openpartir.fuzz.program import Program
from openpartir.fuzz.runner import Runner
from openpartir.fuzz.shrink import shrink

__all__ = ["Campaign", "Options", "examine_one"]


@dataclass(frozen=True)
class Options:
    """What a campaign does; `target` may be "jax-grad", which is Shardy with gradients only."""

    target: str
    out: pathlib.Path
    seconds: float = 60
    seed: int = 1
    ops: tuple[str, ...] = ()
    jobs: int = 1
    programs: int | None = None
    validate_seconds: float = 10
    shrinks: int = 120

    @property
    def partitioner(self) -> str:
        """Which partitioner is called."""
        return "shardy" if self.target == "jax-grad" else self.target

    @property
    def gradients(self) -> float:
        """The share of programs that are gradients."""
        return 1.0 if self.target == "jax-grad" else 0.25

    def program(self, number: int) -> Program:
        """Return a program of the campaign."""
        return generate(self.seed, number, self.ops, self.gradients)


def examine_one(program: Program, target: str, runner: Runner) -> Outcome:
    """Examine and judge; what fails is examined a second time, as a hang may be a busy machine."""
    outcome = judge(program, target, runner.examine(program, target), runner)
    if outcome.kind in ("hang", "crash", "ours"):
        outcome = judge(program, target, runner.examine(program, target), runner)
    return outcome


@dataclass
class Campaign:
    """State on disk: ``journal.jsonl``, a line for each program examined, and ``findings/``."""

    options: Options
    say: Callable[[str], None] = lambda _: None
    counts: Counter[str] = field(default_factory=Counter)
    stage_seconds: Counter[str] = field(default_factory=Counter)
    done: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Take up what an earlier run of the same campaign has done. Raises ValueError where it was another one."""
        out = self.options.out
        out.mkdir(parents=True, exist_ok=True)
        about = {"target": self.options.target, "seed": self.options.seed, "ops": list(self.options.ops)}
        header = out / "campaign.json"
        if header.exists() and json.loads(header.read_text()) != about:
            raise ValueError(
                f"{out} holds the campaign {header.read_text().strip()}: give another folder, or go on with that"
            )
        header.write_text(json.dumps(about) + "\n")
        self.store = Store(out / "findings")
        journal = out / "journal.jsonl"
        lines = journal.read_bytes().splitlines(keepends=True) if journal.exists() else []
        if lines and not lines[-1].endswith(b"\n"):  # killed while it was written
            journal.write_bytes(b"".join(lines[:-1]))
            lines.pop()
        for line in lines:
            self._count(json.loads(line))
        self._lock = threading.Lock()
        self._next = 0

    def _count(self, entry: dict[str, Any]) -> None:
        self.done.add(entry["number"])
        self.counts[entry["kind"] + (f"/{entry['verdict']}" if entry["verdict"] else "")] += 1
        self.stage_seconds.update(entry["seconds"])

    def _take(self) -> int:
        with self._lock:
            while self._next in self.done:
                self._next += 1
            self._next += 1
            return self._next - 1

    def run(self) -> None:
        """Go on until time is up, or as many programs as wanted are done."""
        until = time.monotonic() + self.options.seconds
        with open(self.options.out / "journal.jsonl", "a") as journal:
            threads = [threading.Thread(target=self._work, args=(until, journal)) for _ in range(self.options.jobs)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()

    def _work(self, until: float, journal: TextIO) -> None:
        runner = Runner(self.options.validate_seconds)
        try:
            while time.monotonic() < until:
                number = self._take()
                if self.options.programs is not None and number >= self.options.programs:
                    break
                self._one(number, until, runner, journal)
        finally:
            runner.close()

    def _one(self, number: int, until: float, runner: Runner, journal: TextIO) -> None:
        start = time.monotonic()
        program = self.options.program(number)
        generated = time.monotonic() - start
        outcome = examine_one(program, self.options.partitioner, runner)
        facts = outcome.facts or {}
        entry: dict[str, Any] = {
            "number": number,
            "kind": outcome.kind,
            "verdict": outcome.verdict,
            "operations": program.operations(),
            "gradient": bool(program.gradient),
            "reason": outcome.reason[:300],
            "seconds": {"generate": generated, **facts.get("seconds", {})},
        }
        if outcome.failed:
            shrinking = time.monotonic()
            entry["finding"] = self._keep(number, program, outcome, until, runner)
            if entry["finding"] is None:
                return  # time is up: the program is examined again when the campaign goes on
            entry["seconds"]["shrink"] = time.monotonic() - shrinking
        entry["seconds"]["all"] = time.monotonic() - start
        with self._lock:
            journal.write(json.dumps(entry) + "\n")
            journal.flush()
            self._count(entry)

    def _keep(self, number: int, program: Program, outcome: Outcome, until: float, runner: Runner) -> str | None:
        """Shrink and store; return the finding's name, or of what it is a duplicate. None: no time was left."""
        target = self.options.partitioner
        with self._lock:
            known = self.store.explained_by(signature(program, outcome))
        if known and number % 16:  # now and then look whether something else hides behind it
            return f"like {known}"
        wanted = signature(program, outcome)
        # Execution alone is quick; where validation is part of the failure, it has to be asked each time.
        quick = outcome.kind in ("miscompilation", "crash", "rejected", "communication", "hang")

        def fails(p: Program) -> bool:
            if time.monotonic() > until:
                return False
            # Smaller programs get other inputs, of which several may be needed to show the failure.
            facts = runner.examine(p, target, validate=not quick, seeds=8)
            if quick and facts.get("differs"):
                return outcome.kind == "miscompilation"
            found = judge(p, target, facts, runner)
            return found.kind == outcome.kind and (
                wanted.message == signature(p, found).message or outcome.kind not in ("crash", "rejected", "ours")
            )

        small, tried = shrink(program, fails, self.options.shrinks)
        if time.monotonic() > until:
            return None
        final = examine_one(small, target, runner)
        if final.kind != outcome.kind:
            small, final = program, outcome
        texts, others = self._texts(small, target, runner), {}
        for other in {"shardy", "gspmd"} - {target} if target != "partir" else ():
            others[other] = examine_one(small, other, runner).kind
        with self._lock:
            added = self.store.add(small, target, final, others, texts)
        if added is None:
            return f"like {self.store.explained_by(signature(small, final))}"
        name, confirmed = added
        state = "confirmed" if confirmed else "not confirmed by repro.py"
        self.say(f"{name}: {state}; program {number}, {tried} smaller ones tried")
        return name

    @staticmethod
    def _texts(program: Program, target: str, runner: Runner) -> dict[str, str]:
        facts = runner.examine(program, target, validate=False, modules=True)
        return {
            k: facts[key]
            for k, key in (("after_spmd_partitioning.hlo", "hlo"), ("source.mlir", "source"))
            if key in facts
        }

    def summary(self) -> str:
        """Return counts, rates and what time went into."""
        total = sum(self.counts.values())
        spent = self.stage_seconds.get("all", 0.0)
        lines = [f"{total} programs in {spent:.0f} s of work: {60 * total / spent if spent else 0:.0f} a minute a job"]
        lines += ["  " + ", ".join(f"{kind} {n}" for kind, n in self.counts.most_common())]
        stages = ", ".join(f"{s} {t:.0f} s" for s, t in self.stage_seconds.most_common() if s != "all")
        lines += [f"  {stages}", f"  {len(self.store.known)} findings:"]
        lines += [f"    {name}  {finding.title}" for name, finding in sorted(self.store.known.items())]
        return "\n".join(lines)
