"""Names for internal values."""

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
    """Return the identity under a name that stands in the program wherever JAX moves it; cached, so it traces once."""

    def identity(x: Any) -> Any:
        return x

    identity.__name__ = identity.__qualname__ = f"partir_named_{name}"
    return jax.jit(identity)


def named(x: T, name: str) -> T:
    """Return x; schedules can speak of it by the name: ``ManualPartition("model", values={"layers/*/hidden": 2})``.

    The name holds from here on, under jit, scan, grad, remat and vmap; the gradient of the value has it, too. Several
    values may share a name. Of a pytree each array has it. Outside of `openpartir.jit` it does nothing, but where
    `openpartir.in_shardings` makes it a sharding constraint.
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
    """Make names sharding constraints for what is traced inside; each with the rank of its value."""
    token = _constraints.set(shardings)
    try:
        yield
    finally:
        _constraints.reset(token)
