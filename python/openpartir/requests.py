"""Converts the requests of tactics into the library's form: patterns and actions, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from openpartir import _engine
from openpartir.errors import PartirError
from openpartir.names import path_name
from openpartir.schedule import Action, AutomaticPartition, ManualPartition, Special, Tactic

__all__ = ["Values", "engine_tactics", "schedule_json"]

_WANTED = "a dimension from 0, partir.FIRST_DIVISIBLE_DIM, partir.REPLICATED, partir.UNKNOWN or None"
_GLOB = frozenset("*[")
Pattern = tuple[str, int | str, int]


@dataclass(frozen=True)
class Values:
    """Arguments or results that a schedule can name."""

    names: Sequence[str]
    avals: Sequence[Any]
    positional: Sequence[str] = ()  # names of parameters, for schedules that are written as a tuple
    static: frozenset[str] = frozenset()


def _escaped(name: str) -> str:
    """Return the pattern that matches only this name: "a[*]b" for "a*b"."""
    return "".join(f"[{c}]" if c in _GLOB else c for c in name)


def _is_leaf(x: Any) -> bool:
    return x is None or isinstance(x, Special) or callable(x)


class _Resolver:
    """Converts one of a tactic's mappings to patterns and actions."""

    def __init__(self, tactic: ManualPartition, what: str, values: Values) -> None:
        self.tactic = tactic
        self.what = what
        self.values = values
        self.patterns: list[Pattern] = []

    def fail(self, found: str, wanted: str) -> PartirError:
        t = self.tactic
        return PartirError(
            code="schedule", file=t.file, line=t.line, found=f"{found} in tactic {t.name}", wanted=wanted
        )

    def action(self, action: Action, pattern: str) -> int | str:
        if action is None:
            return Special.UNKNOWN.value
        if isinstance(action, Special):
            return action.value
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            raise self.fail(f"{action!r} for '{pattern}'", _WANTED)
        dim = int(action)
        if not -(2**31) <= dim < 2**31:
            raise self.fail(f"{action!r} for '{pattern}'", _WANTED)
        return dim

    def matches(self, pattern: str) -> bool:
        return any(_engine.glob_matches(pattern, name) for name in self.values.names)

    def add(self, pattern: str, action: Any) -> None:
        first = pattern.split("/", 1)[0]
        if first in self.values.static and first not in {n.split("/", 1)[0] for n in self.values.names}:
            raise self.fail(f"the static argument '{first}'", "an argument that holds arrays")
        # A pattern that matches no array, but subtrees with arrays inside, matches all of these.
        inside = pattern + "/**"
        if not self.matches(pattern) and self.matches(inside):
            pattern = inside
        if callable(action) and not isinstance(action, Special):
            self.call(action, pattern)
            return
        self.patterns.append((pattern, self.action(action, pattern), self.tactic.line))

    def call(self, decide: Callable[[str, Any], Action], pattern: str | None = None) -> None:
        """Request the callable's action for each value that the pattern matches."""
        asked = 0
        for name, aval in zip(self.values.names, self.values.avals, strict=True):
            if pattern is not None and not _engine.glob_matches(pattern, name):
                continue
            asked += 1
            action = decide(name, aval)
            if action is not None:
                self.patterns.append((_escaped(name), self.action(action, name), self.tactic.line))
        if not asked and pattern is not None:
            raise self.fail(f"the pattern '{pattern}'", f"the name of {self.what}")

    def resolve(self, spec: Any) -> list[Pattern]:
        if spec is None:
            return []
        if callable(spec):
            self.call(spec)
        elif isinstance(spec, Mapping):
            for key, value in spec.items():
                if not isinstance(key, str):
                    raise self.fail(f"the key {key!r}", "a pattern or the name of a parameter")
                self.subtree(key, value)
        elif isinstance(spec, Sequence) and not isinstance(spec, str) and self.values.positional:
            if len(spec) > len(self.values.positional):
                raise self.fail(
                    f"{len(spec)} entries", f"at most {len(self.values.positional)}, one for each parameter"
                )
            for name, value in zip(self.values.positional, spec, strict=False):
                if value is not None:
                    self.subtree(name, value)
        else:
            raise self.fail(repr(spec), f"a mapping from names of {self.what}s to actions, or a callable")
        return self.patterns

    def subtree(self, prefix: str, value: Any) -> None:
        """Add a pytree prefix of actions, below a name. Mappings keep their order, in which patterns are tried."""
        if isinstance(value, Mapping):
            for key, inner in value.items():
                self.subtree(f"{prefix}/{key}", inner)
            return
        for path, leaf in jax.tree.leaves_with_path(value, is_leaf=_is_leaf):
            self.add(path_name(path, prefix), leaf)


def engine_tactics(schedule: Sequence[Tactic], arguments: Values, results: Values) -> list[_engine.Tactic]:
    """Return the schedule in the library's form. Raises `PartirError` where an action or a name is wrong."""
    out = []
    for t in schedule:
        if not isinstance(t, ManualPartition):
            if not isinstance(t, AutomaticPartition):
                wanted = "a ManualPartition or an AutomaticPartition"
                raise PartirError(code="schedule", found=f"{t!r} in the schedule", wanted=wanted)
            out.append(
                _engine.automatic_tactic(
                    name=t.name,
                    axes=t.axes,
                    device=t.device,
                    memory=t.memory,
                    seconds=t.seconds,
                    evaluations=t.evaluations,
                    seed=t.seed,
                    line=t.line,
                )
            )
            continue
        values = _Resolver(t, "value", Values((), ()))
        out.append(
            _engine.Tactic(
                name=t.name,
                axis=t.axis,
                file=t.file,
                line=t.line,
                inputs=_Resolver(t, "argument", arguments).resolve(t.inputs),
                results=_Resolver(t, "result", results).resolve(t.results),
                values=[(p, values.action(a, p), t.line) for p, a in (t.values or {}).items()],
                uneven=t.uneven,
            )
        )
    return out


def schedule_json(tactics: Sequence[_engine.Tactic]) -> dict[str, Any]:
    """Return the schedule in the JSON form of the command line, which can be written to a file."""
    out = []
    for t in tactics:
        entry: dict[str, Any] = {"name": t.name, "axis": t.axis}
        for key, patterns in (("inputs", t.inputs), ("results", t.results), ("values", t.values)):
            if patterns:
                entry[key] = {p: a for p, a, _ in patterns}
        if t.uneven:
            entry["uneven"] = True
        out.append(entry)
    return {"tactics": out}
