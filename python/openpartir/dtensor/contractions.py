"""Defines matrix products, convolutions and normalisations."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from openpartir.dtensor.aten_operator import Operator, Tensor

__all__ = ["OPERATORS"]


def _layer_norm(x: jax.Array, w: jax.Array, b: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    count = jnp.sum(jnp.ones_like(x), axis=1, keepdims=True)
    mean = jnp.sum(x, axis=1, keepdims=True) / count
    center = x - mean
    scale = lax.rsqrt(jnp.sum(center * center, axis=1, keepdims=True) / count + 1e-5)
    return center * scale * w + b, mean, scale


def _convolution(x: jax.Array, w: jax.Array) -> jax.Array:
    return lax.conv_general_dilated(x, w, (1,), ((1, 1),))


OPERATORS = [
    Operator("mm.default", (Tensor("MK"), Tensor("KN")), lambda x, y: x @ y, ("T", "T")),
    Operator("bmm.default", (Tensor("BMK"), Tensor("BKN")), lambda x, y: lax.batch_matmul(x, y), ("T", "T")),
    Operator("addmm.default", (Tensor("MN"), Tensor("MK"), Tensor("KN")), lambda c, x, y: c + x @ y, ("T", "T", "T")),
    Operator(
        "baddbmm.default",
        (Tensor("BMN"), Tensor("BMK"), Tensor("BKN")),
        lambda c, x, y: c + lax.batch_matmul(x, y),
        ("T", "T", "T"),
    ),
    Operator("dot.default", (Tensor("K"), Tensor("K")), lambda x, y: jnp.sum(x * y), ("T", "T")),
    Operator(
        "native_layer_norm.default",
        (Tensor("MN"), Tensor("N"), Tensor("N")),
        _layer_norm,
        ("T", ["N"], "T", "T", 1e-5),
    ),
    Operator(
        "convolution.default",
        (Tensor("BMN"), Tensor("KM3")),
        _convolution,
        ("T", "T", None, [1], [1], [1], False, [0], 1),
    ),
]
