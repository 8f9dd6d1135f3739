"""Implements `partir.named`, which gives internal values names that schedules can use."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import jax
from jax.sharding import NamedSharding

from openpartir import _jax_private
from openpartir.errors import PartirError

__all__ = ["constrained", "named"]

_jax_private.hide_frames(__file__)
T = TypeVar("T")
_NAME = re.compile(r"[\w./-]+")
_constraints: contextvars.ContextVar[Mapping[str, tuple[int, NamedSharding]] | None] = contextvars.ContextVar(
    "constraints", default=None
)


@functools.cache
def _identity(name: str) -> Callable[[Any], Any]:
    """Return an identity that keeps the name in the program wherever JAX moves it; cached, so it traces once.

    The rule of its derivative keeps the name on the value: JAX replaces the outputs of a differentiated jitted function
    that are inputs by these inputs, and only the gradient would have the name.
    """

    def identity(x: Any) -> Any:
        return x

    identity.__name__ = identity.__qualname__ = f"partir_named_{name}"
    jitted = jax.jit(identity)

    @jax.custom_jvp
    def kept(x: Any) -> Any:
        return jitted(x)

    @kept.defjvp
    def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
        (x,), (t,) = primals, tangents
        return kept(x), t if jax.typeof(t).dtype == jax.dtypes.float0 else kept(t)

    return kept


def named(x: T, name: str) -> T:
    """Return x; schedules can refer to it by the name: ``ManualPartition("model", values={"layers/*/hidden": 2})``.

    The name is kept under jit, scan, grad, remat and vmap, and the gradient of the value has it, too. Several values
    may share a name. For a pytree each array gets the name. Outside of `openpartir.jit` the function has no effect,
    except where `openpartir.in_shardings` turns the name into a sharding constraint.
    """
    if not _NAME.fullmatch(name):
        raise PartirError(code="names", found=f"the name {name!r}", wanted="letters, digits and _ . / -")
    known = (_constraints.get() or {}).get(name)

    def one(leaf: Any) -> Any:
        if known is not None and jax.typeof(leaf).ndim == known[0]:
            leaf = jax.lax.with_sharding_constraint(leaf, known[1])
        return _identity(name)(leaf)

    out: T = jax.tree.map(one, x)
    return out


@contextlib.contextmanager
def constrained(shardings: Mapping[str, tuple[int, NamedSharding]]) -> Iterator[None]:
    """Turn names into sharding constraints in functions traced inside; each name has the rank of its value."""
    token = _constraints.set(shardings)
    try:
        yield
    finally:
        _constraints.reset(token)
