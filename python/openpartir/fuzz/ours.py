"""Converts the shardings of a program to a schedule of our own partitioner."""

from __future__ import annotations

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

    Example: ``[{"name": "a", "axis": "a", "inputs": {"x0": 1}, "values": {"inner0": 0}, "uneven": True}]``. That a
    dimension is open, a schedule cannot say.
    """
    from openpartir.fuzz.targets import function

    inner: dict[str, Sharding] = {}

    def constrain(x: Any, spec: Any) -> Any:
        entries: Sharding = [
            [] if e is None or e is P.UNCONSTRAINED else [e] if isinstance(e, str) else list(e) for e in spec
        ]
        inner[inner_name(len(inner))] = entries
        return x

    shapes = [jax.ShapeDtypeStruct(a.shape, jax.numpy.dtype(a.dtype)) for a in program.inputs]
    jax.eval_shape(function(program.source(), constrain), *shapes)
    tactics = []
    for axis, _ in program.mesh:
        inputs = {a.name: _dim(a.sharding, axis) for a in program.inputs if _dim(a.sharding, axis) is not None}
        values = {n: _dim(s, axis) for n, s in inner.items() if _dim(s, axis) is not None}
        if inputs or values:
            tactics.append({"name": axis, "axis": axis, "inputs": inputs, "values": values, "uneven": True})
    return tactics


def _dim(sharding: Sharding, axis: str) -> int | None:
    return next((d for d, axes in enumerate(sharding or []) if axes != "?" and axis in axes), None)
