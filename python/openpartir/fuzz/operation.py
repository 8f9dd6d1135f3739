"""Defines the operations of the generator, and the table of all of them."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openpartir.fuzz.draw import Draw

__all__ = ["Drawn", "Operation", "operation", "operations", "register", "weighted"]

Drawn = tuple[list[str], dict[str, Any]]

FAMILIES = ("windows", "convolutions", "reductions", "indexing", "movement", "elementwise", "contractions", "loops")


@dataclass(frozen=True)
class Operation:
    """How an operation is generated and printed, and the plain values of its parameters.

    `plain` has the plainest value of a parameter, for lists that of each entry. A shrinker moves parameters to it, and
    the parameters that are not plain afterwards are needed for the bug. Example: ``{"strides": 1, "padding": 0}``.
    """

    name: str
    family: str
    draw: Callable[[Draw], Drawn | None]
    source: Callable[[list[str], dict[str, Any]], str]
    weight: float = 1.0
    plain: dict[str, Any] = field(default_factory=dict)
    differentiable: bool = True

    def features(self, params: dict[str, Any]) -> list[str]:
        """Return the parameters that are not plain, such as ``["strides"]``."""
        return [k for k, plain in self.plain.items() if k in params and not _is_plain(params[k], plain)]


def _is_plain(value: Any, plain: Any) -> bool:
    if isinstance(value, list):
        return all(_is_plain(v, plain) for v in value)
    return bool(value == plain)


_TABLE: dict[str, Operation] = {}


def register(op: Operation) -> None:
    """Add an operation to the table."""
    assert op.name not in _TABLE, op.name
    _TABLE[op.name] = op


def operations() -> dict[str, Operation]:
    """Return all operations by name."""
    for family in FAMILIES:
        importlib.import_module(f"openpartir.fuzz.{family}")
    return _TABLE


def operation(name: str) -> Operation:
    """Return the operation of this name."""
    return operations()[name]


def weighted(rng: random.Random, choices: Mapping[Any, float]) -> Any:
    """Return one of the keys, by weight."""
    return rng.choices(list(choices), list(choices.values()))[0]
