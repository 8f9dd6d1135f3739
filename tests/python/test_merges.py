"""Searches along a tiled dimension, on XLA: for argmax, argmin and top_k each device sends only its candidates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import openpartir as partir

pytestmark = pytest.mark.quick

ROWS, SIZE = 3, 64
UNEVEN = 61  # no number of devices divides it

SEARCHES: dict[str, Callable[[jax.Array], Any]] = {
    "argmax": lambda x: jnp.argmax(x, 1),
    "argmin": lambda x: jnp.argmin(x, 1),
    "top_1": lambda x: jax.lax.top_k(x, 1),
    "top_3": lambda x: jax.lax.top_k(x, 3),
    "greedy_token": lambda x: jnp.argmax(jax.nn.log_softmax(x * 2), 1),
}


def _values(kind: str, size: int = SIZE) -> jax.Array:
    random = np.random.default_rng(5)
    if kind == "ties":
        return jnp.asarray(random.integers(0, 3, (ROWS, size)), jnp.float32)
    x = random.standard_normal((ROWS, size)).astype(np.float32)
    if kind == "nans":
        x[0, [9, 41]] = np.nan
        x[1, :] = -np.inf
    return jnp.asarray(x)


@pytest.mark.parametrize("kind", ["random", "ties", "nans"])
@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("devices", [2, 4, 8])
@pytest.mark.parametrize("size", [SIZE, UNEVEN])
def test_searches(name: str, kind: str, devices: int, size: int) -> None:
    if kind == "nans" and name not in ("argmax", "argmin"):
        pytest.skip("which bits a NaN has is not said")
    mesh = jax.make_mesh((devices,), ("vocabulary",))
    x = _values(kind, size)
    fun = SEARCHES[name]
    tile = partir.ManualPartition(name="V", axis="vocabulary", inputs={"x": 1}, uneven=size != SIZE)
    step = partir.jit(fun, mesh=mesh, schedule=[tile])
    plan = step.lower(x)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert f"tensor<{ROWS}x{SIZE}x" not in plan.as_text()  # 61 elements are padded to 64, too
    for found, wanted in zip(jax.tree.leaves(step(x)), jax.tree.leaves(jax.jit(fun)(x)), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_top_k_of_more_than_a_chunk_is_gathered() -> None:
    x = _values("ties")
    mesh = jax.make_mesh((8,), ("vocabulary",))
    schedule = [partir.ManualPartition(name="V", axis="vocabulary", inputs={"x": 1})]
    step = partir.jit(lambda x: jax.lax.top_k(x, 9), mesh=mesh, schedule=schedule)
    assert step.lower(x).verdict.startswith("proved")
    for found, wanted in zip(step(x), jax.lax.top_k(x, 9), strict=True):
        np.testing.assert_array_equal(found, wanted)
