"""Implements `partir.in_shardings`, which turns a plan into shardings for XLA's own partitioner."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import NamedSharding

from openpartir._jit import jit
from openpartir._mesh import AnyMesh, named_sharding
from openpartir._named import constrained
from openpartir._program import bound
from openpartir.plan import Plan
from openpartir.schedule import Tactic

__all__ = ["Shardings", "in_shardings"]


@dataclass(frozen=True)
class Shardings:
    """A plan as shardings for plain `jax.jit`; XLA then partitions the function itself.

    Attributes:
        plan: the plan that the shardings come from.
        fun: the function, with sharding constraints at its `openpartir.named` values that the schedule names.
        in_shardings: shardings of positional arguments.
        out_shardings: shardings of results.
        constraints: the shardings of the named values, by name.
        options: the static and donated arguments, as `jax.jit` takes them.
    """

    plan: Plan
    fun: Callable[..., Any]
    in_shardings: tuple[Any, ...]
    out_shardings: Any
    constraints: dict[str, NamedSharding]
    options: dict[str, Any]

    def jit(self, **options: Any) -> Any:
        """Return ``jax.jit(fun, in_shardings=…, out_shardings=…, **self.options, **options)``."""
        shardings = {"in_shardings": self.in_shardings, "out_shardings": self.out_shardings}
        return jax.jit(self.fun, **{**shardings, **self.options, **options})


def in_shardings(
    fun: Callable[..., Any],
    *args: Any,
    mesh: AnyMesh | Mapping[str, int],
    schedule: Sequence[Tactic],
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    donate_argnums: int | Sequence[int] = (),
    **kwargs: Any,
) -> Shardings:
    """Plan as `openpartir.jit` does, and return shardings with which XLA partitions the function.

    Example::

        shardings = partir.in_shardings(train_step, params, batch, mesh=mesh, schedule=schedule)
        step = jax.jit(shardings.fun, in_shardings=shardings.in_shardings, out_shardings=shardings.out_shardings)

    XLA treats these as hints: between arguments, constraints and results it decides by itself, and its collectives may
    differ from the plan's. Functions inside that were already jitted and traced keep their earlier trace.
    """
    step = jit(
        fun,
        mesh=mesh,
        schedule=schedule,
        static_argnums=static_argnums,
        static_argnames=static_argnames,
        donate_argnums=donate_argnums,
    )
    plan = step.lower(*bound(fun, args, kwargs))
    found: dict[str, set[tuple[int, NamedSharding]]] = {}
    for value in plan.engine.values:
        rank = len(value.dims)
        found.setdefault(value.name, set()).add((rank, named_sharding(plan.mesh, value, range(rank))))
    # Where values of one name have different shardings, the name gets no constraint.
    known = {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}

    @functools.wraps(fun)
    def with_constraints(*args: Any, **kwargs: Any) -> Any:
        with constrained(known):
            return fun(*args, **kwargs)

    constraints = {name: sharding for name, (_, sharding) in known.items()}
    signature = step.signature
    options = {
        "static_argnums": tuple(sorted(signature.static_numbers)),
        "donate_argnums": tuple(sorted(signature.donated)),
    }
    return Shardings(plan, with_constraints, plan.in_shardings, plan.out_shardings, constraints, options)
