"""Defines reductions, scans along a dimension, and operators that normalise along a dimension."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from openpartir.dtensor.aten_operator import Operator, Tensor

__all__ = ["OPERATORS"]

X = (Tensor("MN"),)
B = (Tensor("MN", "bool"),)


def _count(x: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    """Return the number of elements as a sum of ones, which a device computes from its local sizes."""
    return jnp.sum(jnp.ones_like(x), axis=axes)


def _mean(x: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    return jnp.sum(x, axis=axes) / _count(x, axes)


def _variance(x: jax.Array) -> jax.Array:
    center = x - _mean(x, (1,))[:, None]
    return jnp.sum(center * center, axis=1) / (_count(x, (1,)) - 1)


def _softmax(x: jax.Array) -> jax.Array:
    e = jnp.exp(x - jnp.max(x, axis=1, keepdims=True))
    return e / jnp.sum(e, axis=1, keepdims=True)


def _log_sum_exp(x: jax.Array) -> jax.Array:
    return jnp.log(jnp.sum(jnp.exp(x), axis=1))


OPERATORS = [
    Operator("sum.default", X, lambda x: jnp.sum(x), ("T",)),
    Operator("sum.dim_IntList", X, lambda x: jnp.sum(x, axis=1), ("T", [1])),
    Operator(
        "mean.default",
        X,
        lambda x: _mean(x, (0, 1)),
        ("T",),
        counted={"M": lambda x: jnp.sum(x) / _count(x[0], (0,)), "N": lambda x: jnp.sum(x) / _count(x[:, 0], (0,))},
    ),
    Operator("mean.dim", X, lambda x: _mean(x, (1,)), ("T", [1]), counted={"N": lambda x: jnp.sum(x, axis=1)}),
    Operator("amax.default", X, lambda x: jnp.max(x, axis=1), ("T", [1])),
    Operator("amin.default", X, lambda x: jnp.min(x, axis=1), ("T", [1])),
    Operator("max.default", X, lambda x: jnp.max(x), ("T",)),
    Operator("min.default", X, lambda x: jnp.min(x), ("T",)),
    Operator("max.dim", X, lambda x: (jnp.max(x, axis=1), lax.argmax(x, 1, jnp.int32)), ("T", 1)),
    Operator("min.dim", X, lambda x: (jnp.min(x, axis=1), lax.argmin(x, 1, jnp.int32)), ("T", 1)),
    Operator("argmax.default", X, lambda x: lax.argmax(x, 1, jnp.int32), ("T", 1)),
    Operator("argmin.default", X, lambda x: lax.argmin(x, 1, jnp.int32), ("T", 1)),
    Operator("prod.default", X, lambda x: jnp.prod(x), ("T",)),
    Operator("prod.dim_int", X, lambda x: jnp.prod(x, axis=1), ("T", 1)),
    Operator("any.default", B, lambda x: jnp.any(x), ("T",), {}, ("bool",)),
    Operator("any.dim", B, lambda x: jnp.any(x, axis=1), ("T", 1), {}, ("bool",)),
    Operator("all.default", B, lambda x: jnp.all(x), ("T",), {}, ("bool",)),
    Operator("all.dim", B, lambda x: jnp.all(x, axis=1), ("T", 1), {}, ("bool",)),
    Operator("nansum.default", X, lambda x: jnp.sum(x, axis=1), ("T", [1])),
    Operator("logsumexp.default", X, _log_sum_exp, ("T", [1])),
    Operator("linalg_vector_norm.default", X, lambda x: jnp.sqrt(jnp.sum(x * x, axis=1)), ("T", 2, [1])),
    Operator("norm.Scalar", X, lambda x: jnp.sqrt(jnp.sum(x * x)), ("T", 2)),
    Operator("linalg__powsum.default", X, lambda x: jnp.sum(x * x, axis=1), ("T", 2, [1])),
    Operator("var.correction", X, _variance, ("T", [1])),
    Operator("std.correction", X, lambda x: jnp.sqrt(_variance(x)), ("T", [1])),
    Operator("cumsum.default", X, lambda x: lax.cumsum(x, axis=1), ("T", 1)),
    Operator("cumprod.default", X, lambda x: lax.cumprod(x, axis=1), ("T", 1)),
    Operator("logcumsumexp.default", X, lambda x: lax.cumlogsumexp(x, axis=1), ("T", 1)),
    Operator("_softmax.default", X, _softmax, ("T", 1, False)),
    Operator("_log_softmax.default", X, lambda x: x - _log_sum_exp(x)[:, None], ("T", 1, False)),
    Operator(
        "_softmax_backward_data.default",
        X * 2,
        lambda g, y: y * (g - jnp.sum(g * y, axis=1, keepdims=True)),
        ("T", "T", 1, "float32"),
    ),
    Operator(
        "_log_softmax_backward_data.default",
        X * 2,
        lambda g, y: g - jnp.exp(y) * jnp.sum(g, axis=1, keepdims=True),
        ("T", "T", 1, "float32"),
    ),
    Operator("sort.default", X, lambda x: lax.sort(x, dimension=1), ("T", 1)),
]
