"""Lookups by more than one index, on XLA: x[arange(n), y] stays on its device, others send what they look up."""

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

ROWS, SIZE = 8, 12
Lookup = Callable[[jax.Array, jax.Array, jax.Array], Any]


def _cross_entropy(x: jax.Array, i: jax.Array, j: jax.Array) -> Any:
    return jax.value_and_grad(lambda x: -jax.nn.log_softmax(x)[jnp.arange(ROWS), j].sum())(x)


# By name: the function, and how often it communicates if rows or columns of x are tiled.
LOOKUPS: dict[str, tuple[Lookup, int, int]] = {
    "labels": (_cross_entropy, 1, 3),
    "constant_column": (lambda x, i, j: x[jnp.arange(ROWS), 3], 0, 1),
    "diagonal": (lambda x, i, j: x[jnp.arange(ROWS), jnp.arange(ROWS)], 0, 1),
    "shifted_rows": (lambda x, i, j: x[jnp.arange(ROWS) - 1, j], 1, 1),
    "reversed_rows": (lambda x, i, j: x[ROWS - 1 - jnp.arange(ROWS), j], 1, 1),
    "some_rows": (lambda x, i, j: x[jnp.arange(4), j[:4]], 1, 1),
    "pairs": (lambda x, i, j: x[i, j], 1, 1),
    "a_column_of_rows": (lambda x, i, j: x[i, 3], 1, 1),
    "added": (lambda x, i, j: x.at[i, j].add(1.5), 0, 0),
    "largest": (lambda x, i, j: x.at[i, j].max(0.25), 0, 0),
    "added_to_rows": (lambda x, i, j: x.at[jnp.arange(ROWS), j].add(1.5), 0, 0),
    "cache": (lambda x, i, j: x.at[jnp.arange(ROWS), j].set(1.5), 0, 0),
    "window_of_each_row": (lambda x, i, j: jax.vmap(lambda r, k: lax.dynamic_slice(r, (k,), (3,)))(x, j), 0, 1),
    "windows_of_rows": (lambda x, i, j: jax.vmap(lambda k: lax.dynamic_slice(x, (k, 2), (2, 3)))(i[:4]), 1, 1),
    "update_of_each_row": (
        lambda x, i, j: jax.vmap(lambda r, k: lax.dynamic_update_slice(r, r[:1] + 1, (k,)))(x, j),
        0,
        1,
    ),
}


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("name", LOOKUPS)
def test_lookups_send_no_more_than_they_look_up(name: str, dim: int) -> None:
    """All values are those of jax.jit, indices from the end and beyond it included, and x is not gathered."""
    lookup, *collectives = LOOKUPS[name]
    random = np.random.default_rng(3)
    x = jnp.asarray(random.normal(size=(ROWS, SIZE)), jnp.float32)
    i, j = jnp.asarray([0, 7, 3, 3, -1, 40, 5, 2]), jnp.asarray([11, 0, 5, 5, -2, 1, 3, 8])

    def f(x: jax.Array, i: jax.Array, j: jax.Array) -> Any:
        return lookup(x, i, j)

    mesh = jax.make_mesh((4,), ("a",), devices=jax.devices()[:4])
    step = partir.jit(f, mesh=mesh, schedule=[partir.ManualPartition("a", {"x": dim})])
    plan = step.lower(x, i, j)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0, plan.collectives
    assert sum(plan.collectives.values()) == collectives[dim], plan.collectives
    for ours, theirs in zip(jax.tree.leaves(step(x, i, j)), jax.tree.leaves(jax.jit(f)(x, i, j)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


FACTORS: dict[str, Callable[[jax.Array], Any]] = {
    "cholesky": lambda x: jnp.linalg.cholesky(x @ x.mT + 8 * jnp.eye(6)),
    "qr": lambda x: jnp.linalg.qr(x)[1],
    "eigh": lambda x: jnp.linalg.eigh(x + x.mT)[0],
    "svd": lambda x: jnp.linalg.svd(x)[1],
    "inv": jnp.linalg.inv,
}


@pytest.mark.parametrize("name", FACTORS)
def test_library_calls_are_functions(name: str) -> None:
    """Calls of LAPACK are proved; what they read of a reassociated sum is named in the scope."""
    factor = FACTORS[name]
    x = jnp.asarray(np.random.default_rng(4).normal(size=(8, 6, 6)), jnp.float32)
    mesh = jax.make_mesh((4,), ("a",), devices=jax.devices()[:4])
    step = partir.jit(lambda x: factor(x), mesh=mesh, schedule=[partir.ManualPartition("a", {"x": 0})])
    assert step.lower(x).verdict.startswith("proved"), step.lower(x).verdict
    np.testing.assert_allclose(step(x), factor(x), rtol=1e-4, atol=1e-4)
    small = jnp.asarray(np.random.default_rng(5).normal(size=(6, 8)), jnp.float32)
    product = partir.jit(lambda y: factor(y @ y.mT), mesh=mesh, schedule=[partir.ManualPartition("a", {"y": 1})]).lower(
        small
    )
    assert product.verdict.startswith("proved"), product.verdict
    assert "jumps of stablehlo." in product.verdict, product.verdict
