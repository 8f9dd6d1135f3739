"""`partir.validate`: is XLA's partition of my program right?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

from openpartir import _engine
from openpartir._program import Signature, trace
from openpartir._progress import progress
from openpartir._xla import partitioned_by_xla
from openpartir.errors import PartirError

__all__ = ["Validation", "validate"]


@dataclass(frozen=True)
class Validation:
    """What came out; ``print(validation)`` tells it.

    Attributes:
        verdict: "passed", "refuted" or "unknown".
        scope: what it is about: "these inputs" (seeded ones, in double precision).
        reason: for people.
        differs: names of results that differ.
        module: XLA's device-local module as StableHLO, with partir.mesh and partir.sharding.
    """

    verdict: str
    scope: str
    reason: str
    differs: list[str]
    module: str

    def __str__(self) -> str:
        """Return a line."""
        return f"{self.verdict} ({self.scope}{': ' + self.reason if self.reason else ''})"

    def __bool__(self) -> bool:
        """Whether nothing was found that is wrong."""
        return self.verdict in ("proved", "passed")


def _named(shardings: Any, mesh: jax.sharding.Mesh) -> Any:
    def on_mesh(s: Any) -> Any:
        return NamedSharding(mesh, s) if isinstance(s, PartitionSpec) else s

    return jax.tree.map(on_mesh, shardings, is_leaf=lambda s: s is None or isinstance(s, PartitionSpec))


def validate(
    fun: Callable[..., Any],
    *args: Any,
    mesh: jax.sharding.Mesh,
    in_shardings: Any = None,
    out_shardings: Any = None,
    seed: int = 1,
    **kwargs: Any,
) -> Validation:
    """Say whether what XLA's partitioner makes of a function computes it.

    The function is compiled by ``jax.jit(fun, in_shardings=…, out_shardings=…)`` for the mesh; the module is taken as it
    is after XLA's spmd-partitioning pass, and run by OpenPartIR's interpreters beside the function itself, on all devices
    of the mesh, on inputs drawn by the seed, in double precision. So far that is all: it refutes, and does not prove.

    Args:
        fun: a function, or a function that is jitted already with shardings of its own.
        args: arrays or ShapeDtypeStructs.
        mesh: of as many devices as shardings speak of.
        in_shardings: as for `jax.jit`; PartitionSpecs are over the mesh.
        out_shardings: likewise.
        seed: of the inputs.
        kwargs: further arguments of the function.
    """
    if not isinstance(mesh, jax.sharding.Mesh):
        raise PartirError(code="mesh", found=repr(mesh), wanted="a jax.sharding.Mesh, as XLA compiles for devices")
    own = hasattr(fun, "lower")
    if own and (in_shardings is not None or out_shardings is not None):
        raise PartirError(found="shardings beside a function that is jitted already", wanted="one of them")
    signature = Signature(getattr(fun, "__wrapped__", fun) if own else fun, (), (), ())
    program = trace(signature, args, kwargs, None)
    jitted = fun if own else jax.jit(
        fun, in_shardings=_named(in_shardings, mesh), out_shardings=_named(out_shardings, mesh)
    )  # fmt: skip
    shaped, named = signature.with_shapes(args, kwargs)
    with progress(f"validating {program.name}"):
        xla = partitioned_by_xla(jitted, shaped, named, mesh, program.inputs, program.outputs)
        module = xla.local.with_shardings()
        try:
            largest, differs = _engine.compare(program=program.text, local=xla.local, kept=xla.kept, seed=seed)
        except PartirError as error:
            return Validation("unknown", "these inputs", str(error), [], module)
    names = [program.results.names[i] or "the result" for i in differs]
    if names:
        reason = f"{', '.join(names)} differ on inputs of seed {seed}, by {largest:.2g} of their range"
        return Validation("refuted", "these inputs", reason, names, module)
    reason = f"results agree to {largest:.2g} of their range on inputs of seed {seed}, in double precision"
    return Validation("passed", "these inputs", reason, [], module)
