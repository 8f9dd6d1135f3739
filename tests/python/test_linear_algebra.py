"""Calls of LAPACK stay on the devices of their matrices when a batch of matrices is tiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import openpartir as partir

pytestmark = pytest.mark.quick

FUNCTIONS: dict[str, Callable[[jax.Array, jax.Array], Any]] = {
    "cholesky": lambda x, b: jnp.linalg.cholesky(x),
    "qr": lambda x, b: jnp.linalg.qr(x)[1],
    "eigh": lambda x, b: jnp.linalg.eigh(x)[0],
    "svd": lambda x, b: jnp.linalg.svd(x, compute_uv=False),
    "solve": jnp.linalg.solve,
    "gradient_of_slogdet": jax.grad(lambda x, b: jnp.linalg.slogdet(x)[1].sum()),
}


def _arguments(*shape: int) -> tuple[jax.Array, jax.Array]:
    random = np.random.default_rng(0)
    x = random.normal(size=shape)
    positive = x @ np.swapaxes(x, -1, -2) + 3 * np.eye(shape[-1])
    return jnp.asarray(positive, jnp.float32), jnp.asarray(x[..., :1], jnp.float32)


def _partitioned(name: str, shape: tuple[int, ...], inputs: dict[str, int]) -> partir.Plan:
    """Plans the function on four devices, and compares its results with those of jax.jit."""

    def f(x: jax.Array, b: jax.Array) -> Any:
        return FUNCTIONS[name](x, b)

    x, b = _arguments(*shape)
    mesh = jax.make_mesh((4,), ("a",), devices=jax.devices()[:4])
    step = partir.jit(f, mesh=mesh, schedule=[partir.ManualPartition("a", inputs)])
    np.testing.assert_allclose(step(x, b), jax.jit(f)(x, b), rtol=1e-3, atol=1e-4)
    return step.lower(x, b)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", [(8, 4, 4), (2, 4, 3, 3)])
def test_a_batch_of_matrices_is_tiled(name: str, shape: tuple[int, ...]) -> None:
    dim = len(shape) - 3
    plan = _partitioned(name, shape, {"x": dim, "b": dim})
    assert plan.verdict.startswith("proved"), plan.verdict
    assert sum(plan.collectives.values()) == 0, plan.collectives


def test_a_tiled_matrix_is_gathered() -> None:
    plan = _partitioned("cholesky", (2, 4, 4), {"x": 1})
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] >= 1, plan.collectives
