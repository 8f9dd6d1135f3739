"""Calls the partitioners under test: XLA's two, and our own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from openpartir import _engine
from openpartir._mesh import axes_of
from openpartir._xla import compiled_with_module, local_module
from openpartir.fuzz.generate import NAMESPACE
from openpartir.fuzz.ours import inner_name, tactics_of
from openpartir.fuzz.program import Program, Sharding

__all__ = ["TARGETS", "NotCompiledError", "Partition", "function", "partition"]

TARGETS = ("shardy", "gspmd", "partir")


class NotCompiledError(Exception):
    """XLA refuses a module of our partitioner; `claim` is the partitioner's verdict on it."""

    def __init__(self, message: str, claim: str) -> None:
        """Keep XLA's message and our claim."""
        super().__init__(message)
        self.claim = claim


@dataclass(frozen=True)
class Partition:
    """A partitioner's result for a program: a callable, and the device-local module to validate."""

    call: Callable[..., Any]
    shardings: Sequence[Any]  # shardings of the arguments
    module: str  # device-local module: XLA's text, or ours
    collectives: str  # HLO in which collectives are counted
    local: Callable[[], _engine.Local]
    claim: str = ""  # the partitioner's own verdict


def function(source: str, constrain: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the function ``f`` that a program's source defines."""
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
    """Return the sharding as a PartitionSpec."""
    return P(*(P.UNCONSTRAINED if axes == "?" else tuple(axes) or None for axes in sharding or []))


def partition(
    program: Program,
    source: str,
    shapes: list[jax.ShapeDtypeStruct],
    target: str,
    stage: Callable[..., AbstractContextManager[None]],
) -> Partition:
    """Partition and compile. Raises the partitioner's error.

    `stage` announces that XLA compiles a module of our own partitioner, and what the partitioner claims.
    """
    if target == "partir":
        return _by_us(program, source, shapes, stage)
    jax.config.update("jax_use_shardy_partitioner", target == "shardy")
    mesh = mesh_of(program)
    given = [None if a.sharding is None else NamedSharding(mesh, spec_of(a.sharding)) for a in program.inputs]
    returned = tuple(None if s is None else NamedSharding(mesh, spec_of(s)) for s in program.result_shardings)
    # An argument without a sharding is also placed on all devices of the mesh.
    given = [NamedSharding(mesh, P()) if s is None else s for s in given]

    def constrain(x: Any, spec: Any) -> Any:
        return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, spec))

    fun = function(source, constrain)
    # A counterexample has a value for each argument of the program, used or not.
    jitted = jax.jit(fun, in_shardings=tuple(given), out_shardings=returned, keep_unused=True)
    lowered = jitted.lower(*shapes)
    outputs = [jax.ShapeDtypeStruct(o.shape, o.dtype) for o in jax.tree.leaves(lowered.out_info)]
    compiled, text = compiled_with_module(lowered)
    return Partition(compiled, given, text, text, lambda: local_module(compiled, text, mesh, shapes, outputs))


def _by_us(
    program: Program,
    source: str,
    shapes: list[jax.ShapeDtypeStruct],
    stage: Callable[..., AbstractContextManager[None]],
) -> Partition:
    import openpartir as partir

    numbers = itertools.count()

    def constrain(x: Any, spec: Any) -> Any:
        return partir.named(x, inner_name(next(numbers)))

    schedule = [partir.ManualPartition(**t) for t in tactics_of(program)]
    plan = partir.jit(function(source, constrain), mesh=mesh_of(program), schedule=schedule).lower(*shapes)
    engine = plan.engine

    def text(placed: Any) -> str:
        return "[" + ", ".join("{" + ", ".join(axes) + "}" for axes in placed.dims) + "]"

    module = plan.as_text("stablehlo")
    local = _engine.Local(
        text=module,
        mesh=",".join(f"{a}={n}" for a, n in axes_of(plan.mesh)),  # an axis may be used in parts
        arguments=[text(p) for p in engine.arguments],
        results=[text(p) for p in engine.results],
    )
    if engine.verdict == "refuted":
        return Partition(lambda *_: (), [], module, "", lambda: local, plan.verdict)
    try:
        with stage("compile", claim=plan.verdict):
            compiled = plan.compile()
    except Exception as error:
        raise NotCompiledError(f"{type(error).__name__}: {error}", plan.verdict) from error
    return Partition(compiled, plan.flat_in_shardings, module, compiled.as_text(), lambda: local, plan.verdict)
