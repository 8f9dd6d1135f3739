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
from openpartir._xla import expanded_by_xla, partitioned_by_xla
from openpartir.errors import PartirError

__all__ = ["Validation", "validate"]


@dataclass(frozen=True)
class Validation:
    """What came out; ``print(validation)`` tells it.

    Attributes:
        verdict: "proved", "passed", "refuted" or "unknown".
        scope: what it is about: "all inputs", "all inputs, error below 2^-80", or "these inputs" (seeded ones).
        reason: for people.
        results: the verdict of each result by name, where they were judged for all inputs.
        at: the operation of the module that is to blame, where one is known.
        counterexample: what one device holds and what it should hold, where there is one.
        inputs: of the counterexample, type and values of each argument that is used, flattened.
        module: XLA's device-local module as StableHLO, with partir.mesh and partir.sharding.
    """

    verdict: str
    scope: str
    reason: str
    results: dict[str, str]
    at: str | None
    counterexample: str | None
    inputs: list[dict[str, Any]] | None
    module: str

    def __str__(self) -> str:
        """Return a line or a few."""
        about = ": ".join(part for part in (self.scope, self.reason) if part)
        lines = [f"{self.verdict} ({about})"]
        lines += [f"  counterexample: {self.counterexample}"] if self.counterexample else []
        return "\n".join(lines + ([f"  at {self.at}"] if self.at else []))

    def __bool__(self) -> bool:
        """Whether it was found right, for all inputs or for some."""
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
    seconds: float = 60,
    seed: int = 1,
    **kwargs: Any,
) -> Validation:
    """Say whether what XLA's partitioner makes of a function computes it.

    The function is compiled by ``jax.jit(fun, in_shardings=…, out_shardings=…)`` for the mesh. The module is taken as
    it is after XLA's spmd-partitioning pass, and validated for all inputs, without trust in any partitioner (``partir
    validate``). Special functions (erf, lgamma, …) XLA writes as polynomials before it partitions: what is unknown of
    the function as it stands is tried of the function with these, and the reason says so. What cannot be decided, and
    is small enough, is run by both interpreters beside the function, on inputs drawn by the seed, in double precision:
    the verdict is then "passed (these inputs)", or "refuted".

    Args:
        fun: a function, or a function that is jitted already with shardings of its own.
        args: arrays or ShapeDtypeStructs.
        mesh: of as many devices as shardings speak of.
        in_shardings: as for `jax.jit`; PartitionSpecs are over the mesh.
        out_shardings: likewise.
        seconds: at most for validation, without compilation.
        seed: of the inputs.
        kwargs: further arguments of the function.

    Example::

        result = partir.validate(train_step, params, batch, mesh=mesh, in_shardings=(P(None, "model"), P("batch")))
        assert result, result
    """
    if not isinstance(mesh, jax.sharding.Mesh):
        raise PartirError(code="mesh", found=repr(mesh), wanted="a jax.sharding.Mesh, as XLA compiles for devices")
    own = hasattr(fun, "lower")
    if own and (in_shardings is not None or out_shardings is not None):
        raise PartirError(found="shardings beside a function that is jitted already", wanted="one of them")
    # What is not used is left out, as XLA leaves it out.
    signature = Signature(getattr(fun, "__wrapped__", fun) if own else fun, (), (), (), keep_unused=False)
    program = trace(signature, args, kwargs, None)
    jitted = fun
    if not own:
        jitted = jax.jit(fun, in_shardings=_named(in_shardings, mesh), out_shardings=_named(out_shardings, mesh))
    shaped, named = signature.with_shapes(args, kwargs)
    with progress(f"validating {program.name}"):
        local = partitioned_by_xla(jitted, shaped, named, mesh, program.inputs, program.outputs)
        names = [name or "the result" for name in program.results.names]
        found = _engine.validate(program=program.text, local=local, result_names=names, seconds=seconds)
        if found["verdict"] == "unknown" and "chlo." in program.text:
            expanded = expanded_by_xla(signature.jitted.lower(*shaped, **named))
            again = _engine.validate(program=expanded, local=local, result_names=names, seconds=seconds)
            if again["verdict"] == "proved":
                found = {**again, "reason": f"{again['reason']}; special functions as XLA expands them"}
        if found["verdict"] == "unknown":
            found = _by_running(program.text, local, names, seed, found)
    return Validation(**{**found, "results": dict(found["results"])}, module=local.with_shardings())


def _by_running(
    program: str, local: _engine.Local, names: list[str], seed: int, unknown: dict[str, Any]
) -> dict[str, Any]:
    """Judge by seeded inputs; what cannot run stays unknown."""
    try:
        largest, differs = _engine.compare(program=program, local=local, seed=seed)
    except PartirError as error:
        return {**unknown, "reason": f"{unknown['reason']}; and it was not run: {error}"}
    where = f"on inputs of seed {seed}, in double precision; for all inputs: {unknown['reason']}"
    if differs:
        which = ", ".join(names[i] for i in differs)
        return {**unknown, "verdict": "refuted", "scope": "these inputs", "reason": f"{which} differ {where}"}
    reason = f"results agree to {largest:.2g} of their range {where}"
    return {**unknown, "verdict": "passed", "scope": "these inputs", "reason": reason}
