"""Converts the shardings of a program to a schedule of our own partitioner."""

from __future__ import annotations

import math
from typing import Any

import jax
from jax.sharding import PartitionSpec as P

from openpartir.fuzz.program import Program, Sharding

__all__ = ["inner_name", "tactics_of"]


def inner_name(number: int) -> str:
    """Return the name by which a schedule refers to constraint `number`, counted in the order of execution."""
    return f"inner{number}"


def tactics_of(program: Program) -> list[dict[str, Any]]:
    """Return the keyword arguments of a `ManualPartition` for each axis that shards something.

    Example: ``[{"name": "a", "axis": "a", "inputs": {"x0": 1}, "values": {"inner0": 0}}]``. Shardings that a schedule
    cannot express are left out: a constraint that does not divide, an open dimension.
    """
    from openpartir.fuzz.targets import function

    inner: dict[str, tuple[tuple[int, ...], Sharding]] = {}

    def constrain(x: Any, spec: Any) -> Any:
        entries: Sharding = [
            [] if e is None or e is P.UNCONSTRAINED else [e] if isinstance(e, str) else list(e) for e in spec
        ]
        inner[inner_name(len(inner))] = x.shape, entries
        return x

    shapes = [jax.ShapeDtypeStruct(a.shape, jax.numpy.dtype(a.dtype)) for a in program.inputs]
    jax.eval_shape(function(program.source(), constrain), *shapes)
    sizes = dict(program.mesh)
    tactics = []
    for axis in sizes:
        inputs = {a.name: _dim(a.sharding, axis) for a in program.inputs if _dim(a.sharding, axis) is not None}
        values = {n: _dim(s, axis) for n, (shape, s) in inner.items() if _divides(s, axis, shape, sizes)}
        if inputs or values:
            tactics.append({"name": axis, "axis": axis, "inputs": inputs, "values": values})
    return tactics


def _divides(sharding: Sharding, axis: str, shape: tuple[int, ...], sizes: dict[str, int]) -> bool:
    """Return whether the axes of the dimension that this axis shards divide its size, which a schedule requires."""
    dim = _dim(sharding, axis)
    if sharding is None or dim is None:
        return False
    return shape[dim] % math.prod(sizes[a] for a in sharding[dim]) == 0


def _dim(sharding: Sharding, axis: str) -> int | None:
    return next((d for d, axes in enumerate(sharding or []) if axes != "?" and axis in axes), None)
