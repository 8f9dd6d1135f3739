"""Implements `partir.validate`, which checks whether XLA's partition of a function is right."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

from openpartir import _engine
from openpartir._jit import Partitioned
from openpartir._program import Signature, bound, trace
from openpartir._progress import progress
from openpartir._xla import expanded_by_xla, partitioned_by_xla
from openpartir.errors import PartirError

__all__ = ["Validation", "validate"]


@dataclass(frozen=True)
class Validation:
    """The result of a validation; ``print(validation)`` shows it.

    Attributes:
        verdict: "proved", "passed", "refuted" or "unknown".
        scope: "all inputs", "all inputs, error below 2^-80", or "these inputs" (seeded ones).
        reason: an explanation for people.
        results: the verdict of each result by name, where they were judged for all inputs.
        at: the operation of the module that caused the verdict, where it is known.
        counterexample: the value that one device holds and the value that it should hold, where there is one.
        inputs: the counterexample's inputs: type and flattened values of each argument that is used.
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
        """Return one or several lines for people."""
        about = ": ".join(part for part in (self.scope, self.reason) if part)
        lines = [f"{self.verdict} ({about})"]
        lines += [f"  counterexample: {self.counterexample}"] if self.counterexample else []
        return "\n".join(lines + ([f"  at {self.at}"] if self.at else []))

    def __bool__(self) -> bool:
        """Return whether the partition was found right, for all inputs or for some."""
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
    """Decide whether XLA's partition of a function computes the function.

    The function is compiled by ``jax.jit(fun, in_shardings=…, out_shardings=…)`` for the mesh. XLA's module after its
    spmd-partitioning pass is validated for all inputs, without trust in any partitioner (``partir validate``). XLA
    replaces special functions (erf, lgamma, …) by polynomials before it partitions. If the verdict on the function
    itself is unknown, the function with these polynomials is validated, and the reason states that. A function that
    cannot be decided, and is small enough, is run by both interpreters together with the module, on inputs drawn by the
    seed, in double precision: the verdict is then "passed (these inputs)", or "refuted".

    Args:
        fun: a function, or an already jitted function with shardings of its own.
        args: arrays or ShapeDtypeStructs.
        mesh: a mesh with the devices of the shardings.
        in_shardings: as for `jax.jit`; PartitionSpecs refer to the mesh.
        out_shardings: likewise.
        seconds: a limit for validation, without compilation.
        seed: determines the inputs of the run.
        kwargs: further arguments of the function.

    Example::

        result = partir.validate(train_step, params, batch, mesh=mesh, in_shardings=(P(None, "model"), P("batch")))
        assert result, result
    """
    if not isinstance(mesh, jax.sharding.Mesh):
        raise PartirError(code="mesh", found=repr(mesh), wanted="a jax.sharding.Mesh, as XLA compiles for devices")
    if not seconds > 0:
        raise PartirError(found=f"seconds={seconds!r}", wanted="a number above 0")
    if isinstance(fun, Partitioned):
        raise PartirError(
            found=f"{fun!r}, which XLA does not partition",
            wanted="the function itself, or a jax.jit of it; the plan of a partitioned one has a verdict of its own",
        )
    own = hasattr(fun, "lower")
    if own and (in_shardings is not None or out_shardings is not None):
        raise PartirError(found="shardings beside a function that is jitted already", wanted="one of them")
    # Unused arguments are left out, as XLA leaves them out.
    if in_shardings is not None:
        args, kwargs = bound(fun, args, kwargs), {}
    numbers, keywords = _static(fun, args, kwargs) if own else ((), ())
    original = getattr(fun, "__wrapped__", fun) if own else fun
    signature = Signature(original, numbers, keywords, (), keep_unused=False)
    program = trace(signature, args, kwargs, None)
    jitted = fun
    if not own:
        jitted = jax.jit(fun, in_shardings=_named(in_shardings, mesh), out_shardings=_named(out_shardings, mesh))
    shaped, named = signature.with_shapes(args, kwargs)
    with progress(f"validating {program.name}"):
        local = partitioned_by_xla(jitted, shaped, named, mesh, program.inputs, program.outputs)
        names = [name or "the result" for name in program.results.names]
        sources = [program.text]
        if "chlo." in program.text:
            sources.append(expanded_by_xla(signature.jitted.lower(*shaped, **named)))
        found = _decided(sources, local, names, seconds)
        if found["verdict"] == "unknown":
            found = _by_running(program.text, local, names, seed, found)
    return Validation(**{**found, "results": dict(found["results"])}, module=local.with_shardings())


def _static(fun: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Sequence[int], Sequence[str]]:
    """Return positions and names of the static arguments of a jitted function: those that its trace does not have."""
    traced_args, traced_kwargs = fun.trace(*args, **kwargs).args_info
    missing = len(args) - len(traced_args)
    plain = [i for i, a in enumerate(args) if not all(hasattr(x, "shape") for x in jax.tree.leaves(a)) or a is None]
    if missing not in (0, len(plain)):
        raise PartirError(
            found="a jitted function of whose numbers only some are static",
            wanted="arrays for the others: jnp.asarray(3)",
        )
    return plain if missing else (), sorted(set(kwargs) - set(traced_kwargs))


def _decided(sources: list[str], local: _engine.Local, names: list[str], seconds: float) -> dict[str, Any]:
    """Decide the first source or, if it is unknown, the second, which has special functions as XLA expands them.

    Certificates take far less time than evaluation, so they are tried on both before either is evaluated.
    """
    until = time.monotonic() + seconds
    first: dict[str, Any] = {}
    for evaluate in (False, True):
        for k, source in enumerate(sources):
            left = max(until - time.monotonic(), 0.0) / (len(sources) - k)
            found = _engine.validate(program=source, local=local, result_names=names, seconds=left, evaluate=evaluate)
            if k == 0:
                first = found
                if first["verdict"] != "unknown":
                    return first
            elif found["verdict"] == "proved":
                return {**found, "reason": f"{found['reason']}; special functions as XLA expands them"}
    return first


def _by_running(
    program: str, local: _engine.Local, names: list[str], seed: int, unknown: dict[str, Any]
) -> dict[str, Any]:
    """Judge by a run on seeded inputs; a program that cannot run stays unknown."""
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
