"""Bitwise and/or reductions of integers along a tiled dimension, on XLA, whose collectives combine only booleans in
this way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import openpartir as partir

pytestmark = pytest.mark.quick

ROWS, SIZE = 3, 64

FOLDS: dict[str, Callable[[jax.Array], Any]] = {
    "and": lambda x: jnp.bitwise_and.reduce(x, axis=1),
    "or_of_all": lambda x: lax.reduce(x, np.zeros((), x.dtype), lax.bitwise_or, (0, 1)),
    "or_from_another_value": lambda x: lax.reduce(x, np.array(4, x.dtype), lax.bitwise_or, (1,)),
    "used_again": lambda x: x & ~jnp.bitwise_or.reduce(x, axis=1, keepdims=True),
}


def _values(dtype: str) -> jax.Array:
    """Return integers with mostly 0 bits in some rows and mostly 1 bits in the others."""
    random = np.random.default_rng(7)
    limits = np.iinfo(dtype)
    bits = random.integers(limits.min, limits.max, (4, ROWS, SIZE), dtype=dtype, endpoint=True)
    sparse = bits[0] & bits[1] & bits[2] & bits[3]
    return jnp.asarray(np.where(np.arange(ROWS)[:, None] == 0, sparse, ~sparse))


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32"])
@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("devices", [2, 4, 8])
def test_folds(name: str, dtype: str, devices: int) -> None:
    mesh = jax.make_mesh((devices,), ("bits",))
    x = _values(dtype)
    fun = FOLDS[name]
    step = partir.jit(fun, mesh=mesh, schedule=[partir.ManualPartition(name="B", axis="bits", inputs={"x": 1})])
    plan = step.lower(x)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert "all_reduce" not in plan.as_text()
    assert f"tensor<{ROWS}x{SIZE}x" not in plan.as_text()
    np.testing.assert_array_equal(step(x), jax.jit(fun)(x))
