"""How each partitioner under test is called: XLA's two, and ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from openpartir import _engine
from openpartir._xla import compiled_with_module, local_module
from openpartir.fuzz.generate import NAMESPACE
from openpartir.fuzz.program import Program, Sharding

__all__ = ["TARGETS", "Partition", "function", "partition"]

TARGETS = ("shardy", "gspmd", "partir")


@dataclass(frozen=True)
class Partition:
    """What a partitioner made of a program: something to call, and the device-local module to validate."""

    call: Callable[..., Any]
    shardings: Sequence[Any]  # of the arguments
    hlo: str  # XLA's text, or ours
    local: Callable[[], _engine.Local]
    claim: str = ""  # what the partitioner itself says of it


def function(source: str, constrain: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return ``f`` of the source of a program."""
    space = {**NAMESPACE, "constrain": constrain}
    exec(source, space)
    fun: Callable[..., Any] = space["f"]
    return fun


def mesh_of(program: Program) -> jax.sharding.Mesh:
    """Return the program's mesh of CPU devices."""
    order = program.devices or range(program.device_count)
    devices = np.array([jax.devices("cpu")[i] for i in order]).reshape([n for _, n in program.mesh])
    return jax.sharding.Mesh(devices, [a for a, _ in program.mesh])


def spec_of(sharding: Sharding) -> P:
    """Return the PartitionSpec."""
    return P(*(P.UNCONSTRAINED if axes == "?" else tuple(axes) or None for axes in sharding or []))


def partition(program: Program, source: str, shapes: list[jax.ShapeDtypeStruct], target: str) -> Partition:
    """Partition and compile. Raises what the partitioner raises."""
    if target == "partir":
        return _by_us(program, source, shapes)
    jax.config.update("jax_use_shardy_partitioner", target == "shardy")
    mesh = mesh_of(program)
    given = [None if a.sharding is None else NamedSharding(mesh, spec_of(a.sharding)) for a in program.inputs]
    returned = tuple(None if s is None else NamedSharding(mesh, spec_of(s)) for s in program.result_shardings)
    # An argument of which nothing is said lies on all devices of the mesh, too.
    given = [NamedSharding(mesh, P()) if s is None else s for s in given]

    def constrain(x: Any, spec: Any) -> Any:
        return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, spec))

    jitted = jax.jit(function(source, constrain), in_shardings=tuple(given), out_shardings=returned)
    lowered = jitted.lower(*shapes)
    outputs = [jax.ShapeDtypeStruct(o.shape, o.dtype) for o in jax.tree.leaves(lowered.out_info)]
    compiled, text = compiled_with_module(lowered)
    return Partition(compiled, given, text, lambda: local_module(compiled, text, mesh, shapes, outputs))


def _by_us(program: Program, source: str, shapes: list[jax.ShapeDtypeStruct]) -> Partition:
    import openpartir as partir

    mesh = mesh_of(program)
    names: dict[str, Sharding] = {}
    shapes_of: dict[str, tuple[int, ...]] = {}

    def constrain(x: Any, spec: Any) -> Any:
        name = f"inner{len(names)}"
        shapes_of[name] = x.shape
        names[name] = [
            [] if e is None or e is P.UNCONSTRAINED else [e] if isinstance(e, str) else list(e) for e in spec
        ]
        return partir.named(x, name)

    fun = function(source, constrain)
    jax.eval_shape(fun, *shapes)  # fills `names`
    values, names = dict(names), {}
    sizes = dict(program.mesh)
    tactics = []
    for axis in sizes:
        inputs = {a.name: _dim(a.sharding, axis) for a in program.inputs if _dim(a.sharding, axis) is not None}
        inner = {n: _dim(s, axis) for n, s in values.items() if _divides(s, axis, shapes_of[n], sizes)}
        if inputs or inner:
            tactics.append(partir.ManualPartition(name=axis, axis=axis, inputs=inputs, values=inner))
    plan = partir.jit(fun, mesh=mesh, schedule=tactics).lower(*shapes)
    engine = plan.engine

    def text(placed: Any) -> str:
        return "[" + ", ".join("{" + ", ".join(axes) + "}" for axes in placed.dims) + "]"

    module = plan.as_text("stablehlo")
    local = _engine.Local(
        text=module,
        mesh=",".join(f"{a}={n}" for a, n in program.mesh),
        arguments=[text(p) for p in engine.arguments],
        results=[text(p) for p in engine.results],
    )
    if engine.verdict == "refuted":
        return Partition(lambda *_: (), [], module, lambda: local, plan.verdict)
    return Partition(plan.compile(), plan.flat_in_shardings, module, lambda: local, plan.verdict)


def _divides(sharding: Sharding, axis: str, shape: tuple[int, ...], sizes: dict[str, int]) -> bool:
    """Whether the axes of the dimension that this axis shards divide its size; a schedule says no other shards."""
    dim = _dim(sharding, axis)
    if sharding is None or dim is None:
        return False
    return shape[dim] % math.prod(sizes[a] for a in sharding[dim]) == 0


def _dim(sharding: Sharding, axis: str) -> int | None:
    return next((d for d, axes in enumerate(sharding or []) if axes != "?" and axis in axes), None)
