"""Represents a program under test as data: arguments, operations, shardings. It prints as Python that uses only JAX."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from openpartir.fuzz.operation import operation

__all__ = ["Argument", "Node", "Program", "Sharding", "spec_source"]

# For each dimension the mesh axes that shard it, major to minor; "?" leaves a dimension open. None means unspecified.
Sharding = list[list[str] | str] | None


def spec_source(sharding: Sharding) -> str:
    """Return ``P('a', None)`` for ``[["a"], []]``."""
    entries = []
    for axes in sharding or []:
        if axes == "?":
            entries.append("P.UNCONSTRAINED")
        else:
            entries.append("None" if not axes else repr(axes[0]) if len(axes) == 1 else repr(tuple(axes)))
    while entries and entries[-1] == "None":
        entries.pop()
    return f"P({', '.join(entries)})"


@dataclass(frozen=True)
class Argument:
    """An array argument of the function. `fill` determines its values: see `inputs.fill`."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    sharding: Sharding = None
    fill: dict[str, Any] = field(default_factory=lambda: {"kind": "distinct"})


@dataclass(frozen=True)
class Node:
    """One operation: ``name = operation(inputs, params)``, followed by a sharding constraint unless that is None."""

    name: str
    op: str
    inputs: tuple[str, ...]
    params: dict[str, Any] = field(default_factory=dict)
    constraint: Sharding = None

    def expression(self) -> str:
        """Return the operation as a Python expression."""
        return operation(self.op).source(list(self.inputs), self.params)


@dataclass(frozen=True)
class Program:
    """A function with shardings over a mesh.

    With `gradient` the program is the vector-Jacobian product of the function: it takes a cotangent for each result
    after its arguments and returns the gradients of the arguments listed there.
    """

    mesh: tuple[tuple[str, int], ...]
    arguments: tuple[Argument, ...]
    nodes: tuple[Node, ...]
    results: tuple[str, ...]
    result_shardings: tuple[Sharding, ...]
    gradient: tuple[str, ...] = ()
    cotangents: tuple[Argument, ...] = ()
    devices: tuple[int, ...] | None = None  # their order in the mesh; None is the natural order

    @property
    def inputs(self) -> tuple[Argument, ...]:
        """All arguments with which the program is called."""
        return self.arguments + self.cotangents

    @property
    def device_count(self) -> int:
        """The number of devices in the mesh."""
        count = 1
        for _, size in self.mesh:
            count *= size
        return count

    def operations(self) -> list[str]:
        """The names of the operations, in order."""
        return [n.op for n in self.nodes]

    def to_json(self) -> str:
        """Return the program as one line of JSON."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Program:
        """Parse the output of `to_json`."""
        raw = json.loads(text)

        def argument(a: dict[str, Any]) -> Argument:
            return Argument(**{**a, "shape": tuple(a["shape"])})

        return Program(
            mesh=tuple((a, n) for a, n in raw["mesh"]),
            arguments=tuple(map(argument, raw["arguments"])),
            nodes=tuple(Node(**{**n, "inputs": tuple(n["inputs"])}) for n in raw["nodes"]),
            results=tuple(raw["results"]),
            result_shardings=tuple(raw["result_shardings"]),
            gradient=tuple(raw["gradient"]),
            cotangents=tuple(map(argument, raw["cotangents"])),
            devices=None if raw["devices"] is None else tuple(raw["devices"]),
        )

    def source(self) -> str:
        """Return Python source that defines ``f``, given jax, jnp, lax, np, P and ``constrain(value, spec)``."""
        names = [a.name for a in self.arguments]
        name = "forward" if self.gradient else "f"
        lines = [f"def {name}({', '.join(names)}):"]
        for n in self.nodes:
            lines.append(f"    {n.name} = {n.expression()}")
            if n.constraint is not None:
                lines.append(f"    {n.name} = constrain({n.name}, {spec_source(n.constraint)})")
        lines.append(f"    return {', '.join(self.results)},")
        if self.gradient:
            cotangents, wanted = ", ".join(c.name for c in self.cotangents), ", ".join(self.gradient)
            lines += [
                "",
                f"def f({', '.join(names)}, {cotangents}):",
                f"    _, transposed = jax.vjp(lambda {wanted}: forward({', '.join(names)}), {wanted})",
                f"    return transposed(({cotangents},))",
            ]
        return "\n".join(lines) + "\n"
