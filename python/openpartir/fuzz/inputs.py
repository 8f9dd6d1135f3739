"""Computes values for arguments, in which no two elements are equal if the type has enough values."""

from __future__ import annotations

from typing import Any

import numpy as np

from openpartir.fuzz.program import Argument

__all__ = ["fill"]


def fill(argument: Argument, seed: int, position: int) -> np.ndarray[Any, Any]:
    """Return the argument's value for a seed; `position` distinguishes arguments of the same shape.

    "distinct": for even seeds all different integers around zero, such as [3, -1, 2, -4], whose sums are exact; for odd
    seeds all different numbers between 0.5 and 1.5, whose products stay in range. "wide": integers over the type's full
    range, which overflow. "index": integers from `low` to `high`, all different if `unique` is set.
    """
    rng = np.random.default_rng([seed, position])
    kind = argument.fill["kind"]
    count = int(np.prod(argument.shape, dtype=int))
    if kind == "index":
        low, high = argument.fill["low"], argument.fill["high"]
        if argument.fill["unique"]:
            flat = low + rng.permutation(high - low + 1)[:count]
        else:
            flat = rng.integers(low, high, size=count, endpoint=True)
        indices: np.ndarray[Any, Any] = flat.reshape(argument.shape).astype(np.int32)
        return indices
    if kind == "wide":
        type_range = np.iinfo(argument.dtype)
        return rng.integers(type_range.min, type_range.max, size=argument.shape, endpoint=True, dtype=argument.dtype)
    order = rng.permutation(count)
    flat = (order // 2 + 1) * np.where(order % 2, -1, 1) if seed % 2 == 0 else 0.5 + (order + 0.5) / max(count, 1)
    import jax.numpy as jnp  # registers bfloat16 in numpy

    out: np.ndarray[Any, Any] = np.asarray(flat.reshape(argument.shape), jnp.dtype(argument.dtype))
    return out
