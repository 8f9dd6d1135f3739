"""`partir.in_shardings`: a plan for XLA's own partitioner."""

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
from openpartir.plan import Plan
from openpartir.schedule import Tactic

__all__ = ["Shardings", "in_shardings"]


@dataclass(frozen=True)
class Shardings:
    """A plan as shardings that plain `jax.jit` takes; XLA then partitions by itself.

    Attributes:
        plan: what they come from.
        fun: the function, with sharding constraints at its `openpartir.named` values that the schedule speaks of.
        in_shardings: of positional arguments.
        out_shardings: of results.
        constraints: by name, the shardings of those values.
    """

    plan: Plan
    fun: Callable[..., Any]
    in_shardings: tuple[Any, ...]
    out_shardings: Any
    constraints: dict[str, NamedSharding]

    def jit(self, **options: Any) -> Any:
        """Return ``jax.jit(fun, in_shardings=…, out_shardings=…, **options)``."""
        return jax.jit(self.fun, in_shardings=self.in_shardings, out_shardings=self.out_shardings, **options)


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
    """Plan as `openpartir.jit` does, for XLA to partition.

    Example::

        shardings = partir.in_shardings(train_step, params, batch, mesh=mesh, schedule=schedule)
        step = jax.jit(shardings.fun, in_shardings=shardings.in_shardings, out_shardings=shardings.out_shardings)

    XLA takes these as hints: between arguments, constraints and results it decides for itself, and its collectives may
    be others than the plan's. Functions inside that were jitted and traced before keep what they were traced with.
    """
    step = jit(
        fun,
        mesh=mesh,
        schedule=schedule,
        static_argnums=static_argnums,
        static_argnames=static_argnames,
        donate_argnums=donate_argnums,
    )
    plan = step.lower(*args, **kwargs)
    found: dict[str, set[tuple[int, NamedSharding]]] = {}
    for value in plan.engine.values:
        rank = len(value.dims)
        found.setdefault(value.name, set()).add((rank, named_sharding(plan.mesh, value, range(rank))))
    # Values of one name that lie differently: nothing can be said of the name.
    known = {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}

    @functools.wraps(fun)
    def with_constraints(*args: Any, **kwargs: Any) -> Any:
        with constrained(known):
            return fun(*args, **kwargs)

    constraints = {name: sharding for name, (_, sharding) in known.items()}
    return Shardings(plan, with_constraints, plan.in_shardings, plan.out_shardings, constraints)
