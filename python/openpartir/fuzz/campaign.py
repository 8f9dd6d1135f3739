"""Runs a campaign: its tasks run in parallel, here or on other machines, and their results are recorded in order."""

from __future__ import annotations

import concurrent.futures
import json
import pathlib
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from openpartir.fuzz.disk import CampaignError, Journal, write_whole
from openpartir.fuzz.findings import Candidate, Store, signature, versions
from openpartir.fuzz.tasks import Examined, Task

__all__ = ["Campaign", "Options"]

# At most so many programs are examined ahead while an earlier one is being shrunk.
AHEAD = 64
# Every 16th program is shrunk although a known finding explains it, because another failure may be hidden behind that.
SUSPICIOUS = 16


@dataclass(frozen=True)
class Options:
    """How long a campaign runs, where it is kept, and how many jobs it has; none of it affects what is found."""

    out: pathlib.Path
    seconds: float = 60
    programs: int | None = None
    jobs: int = 1


class Campaign:
    """The state on disk: ``journal.jsonl`` with a line for each program, ``findings/`` and ``unconfirmed/``.

    Programs are examined and shrunk in any order. Their effect on the campaign is decided in the order of their numbers
    and depends on nothing else, so neither the number of jobs nor an interruption changes what is found.
    """

    def __init__(self, task: Task, options: Options, say: Callable[[str], None] = lambda _: None) -> None:
        """Continue where an earlier run stopped. Raises CampaignError if that was another campaign, or still runs."""
        self.task, self.options, self._say = task, options, say
        out = options.out
        out.mkdir(parents=True, exist_ok=True)
        about = {"target": task.target, "seed": task.seed, "ops": list(task.ops), "jaxlib": versions()["jaxlib"]}
        header = out / "campaign.json"
        if not header.exists():
            write_whole(header, json.dumps(about) + "\n")
        elif header.read_text() != json.dumps(about) + "\n":
            raise CampaignError(
                f"{out} holds the campaign {header.read_text().strip()}: give another folder, or go on with that"
            )
        self.journal = Journal(out / "journal.jsonl")
        self.store = Store(out, self.journal.entries)
        self.rules: dict[tuple[str, ...], dict[str, Any]] = {}
        for entry in self.journal.entries:
            self._note_rules(entry)
        self._examined: dict[int, Examined] = {}
        self._candidates: dict[int, Candidate] = {}
        self._running: dict[Future[Any], tuple[str, int]] = {}

    @property
    def entries(self) -> list[dict[str, Any]]:
        """Return the journal's lines, for program 0, 1, …"""
        return self.journal.entries

    def run(self, executor: Executor, progress: Callable[[], None] = lambda: None) -> None:
        """Run until time is up or the wanted number of programs is done; tasks in progress are then finished.

        Raises CampaignError, or OSError if something cannot be written; the campaign can be continued from there.
        """
        until = time.monotonic() + self.options.seconds
        while True:
            self._decide()
            while len(self._running) < self.options.jobs and self._submit(executor, time.monotonic() < until):
                pass
            if not self._running:
                return
            done, _ = concurrent.futures.wait(self._running, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                kind, number = self._running.pop(future)
                (self._examined if kind == "examine" else self._candidates)[number] = future.result()
            progress()

    def _submit(self, executor: Executor, in_time: bool) -> bool:
        """Start the next task; return False if there is none."""
        under_way = {task for task in self._running.values()}
        for number in sorted(self._examined):
            task = "shrink", number
            if task not in under_way and number not in self._candidates and self._is_to_shrink(number):
                self._running[executor.submit(self.task.candidate, self._examined[number])] = task
                return True
        number, most = len(self.entries), self.options.programs
        while number in self._examined or ("examine", number) in under_way:
            number += 1
        if not in_time or number >= len(self.entries) + AHEAD or (most is not None and number >= most):
            return False
        self._running[executor.submit(self.task.examined, number)] = "examine", number
        return True

    def _is_to_shrink(self, number: int) -> bool:
        """Return whether the program failed in a way that is new as far as is known at this point."""
        examined = self._examined[number]
        if not examined.outcome.failed:
            return False
        finding = signature(examined.program, examined.outcome)
        if number % SUSPICIOUS == 0:
            return True
        before = (e for n, e in self._examined.items() if n < number and e.outcome.failed)
        return not self.store.explained_by(finding) and not any(
            signature(e.program, e.outcome).explains(finding) for e in before
        )

    def _decide(self) -> None:
        """Record the outcomes of the next programs in order, as far as they have been examined."""
        while (number := len(self.entries)) in self._examined:
            examined = self._examined[number]
            program, outcome = examined.program, examined.outcome
            entry: dict[str, Any] = {
                "number": number,
                "kind": outcome.kind,
                "verdict": outcome.verdict,
                "operations": program.operations(),
                "gradient": bool(program.gradient),
                "reason": outcome.reason[:300],
                "seconds": examined.seconds,
            }
            rules = [r for r in (outcome.facts or {}).get("rules", ()) if _rule_key(r) not in self.rules]
            if rules:
                entry["rules"] = rules
            if outcome.failed:
                known = self.store.explained_by(signature(program, outcome))
                if known and number % SUSPICIOUS:
                    entry["like"] = known
                elif number in self._candidates:
                    entry |= self._keep(number, self._candidates[number])
                else:
                    return
            self.journal.append(entry)
            self._note_rules(entry)
            self.store.drop(entry.get("replaces", ()))
            del self._examined[number]
            self._candidates.pop(number, None)

    def _keep(self, number: int, candidate: Candidate) -> dict[str, Any]:
        """Store a finding; return its journal entry."""
        added = self.store.add(number, candidate)
        if added is None:
            return {"like": self.store.explained_by(candidate.finding, candidate.confirmed)}
        name, replaces = added
        state = "confirmed" if candidate.confirmed else "not confirmed by repro.py"
        self._say(f"{name}: {state}; program {number}, {candidate.tried} smaller ones tried")
        return {"finding": name, "confirmed": candidate.confirmed, "replaces": replaces}

    def _note_rules(self, entry: dict[str, Any]) -> None:
        for rule in entry.get("rules", ()):
            self.rules.setdefault(_rule_key(rule), {**rule, "program": entry["number"]})

    @property
    def counts(self) -> Counter[str]:
        """Return the number of programs of each kind and verdict, such as "right/proved"."""
        return Counter(e["kind"] + (f"/{e['verdict']}" if e["verdict"] else "") for e in self.entries)

    @property
    def stage_seconds(self) -> Counter[str]:
        """Return the seconds of work by stage; "all" includes everything but shrinking."""
        total: Counter[str] = Counter()
        for entry in self.entries:
            total.update(entry["seconds"])
        return total


def _rule_key(rule: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(rule.get(k, "")) for k in ("operation", "rule", "factor", "entry", "verdict", "reason"))
