"""Names for internal values."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

import jax

from openpartir.errors import PartirError

__all__ = ["named"]

T = TypeVar("T")
_NAME = re.compile(r"[\w./-]+")


@functools.cache
def _identity(name: str) -> Callable[[Any], Any]:
    """Return the identity under a name that stands in the program wherever JAX moves it; cached, so that it traces once."""

    def identity(x: Any) -> Any:
        return x

    identity.__name__ = identity.__qualname__ = f"partir_named_{name}"
    return jax.jit(identity)


def named(x: T, name: str) -> T:
    """Return x; schedules can speak of it by the name: ``ManualPartition("model", values={"layers/*/hidden": 2})``.

    The name holds from here on, under jit, scan, grad, remat and vmap; the gradient of the value has it, too. Several
    values may share a name. Of a pytree each array has it. Outside of `openpartir.jit` it does nothing.
    """
    if not _NAME.fullmatch(name):
        raise PartirError(code="names", found=f"the name {name!r}", wanted="letters, digits and _ . / -")
    out: T = jax.tree.map(_identity(name), x)
    return out
