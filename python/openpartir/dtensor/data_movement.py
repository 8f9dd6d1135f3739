"""Defines operators that move data."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from openpartir.dtensor.aten_operator import Operator, Tensor

__all__ = ["OPERATORS"]

X = (Tensor("MN"),)
Y = (Tensor("MNK"),)
LAST_INDEX = ("real", "index:M")


def _gather_rows(x: object, i: object) -> object:
    return jnp.take(x, i, axis=0, mode="clip")  # type: ignore[arg-type]


OPERATORS = [
    Operator("flip.default", X, lambda x: lax.rev(x, (1,)), ("T", [1])),
    Operator("roll.default", X, lambda x: lax.concatenate([x[:, -1:], x[:, :-1]], 1), ("T", [1], [1])),
    Operator("cat.default", X * 2, lambda x, y: lax.concatenate([x, y], 1), (["T", "T"], 1)),
    Operator("stack.default", X * 2, lambda x, y: jnp.stack([x, y], 1), (["T", "T"], 1)),
    Operator("select.int", X, lambda x: x[:, 1], ("T", 1, 1), where="N >= 2"),
    Operator("slice.Tensor", X, lambda x: x[:, :2], ("T", 1, 0, 2), where="N >= 2"),
    Operator("transpose.int", Y, lambda x: x.transpose(0, 2, 1), ("T", 1, 2)),
    Operator("permute.default", Y, lambda x: x.transpose(2, 0, 1), ("T", [2, 0, 1])),
    Operator("t.default", X, lambda x: x.T, ("T",)),
    Operator("unsqueeze.default", X, lambda x: x[:, None, :], ("T", 1)),
    Operator("squeeze.dim", (Tensor("M1N"),), lambda x: x[:, 0], ("T", 1)),
    Operator("expand.default", (Tensor("M1"),), lambda x: jnp.broadcast_to(x, (x.shape[0], 3)), ("T", [-1, 3])),
    Operator("repeat.default", X, lambda x: lax.concatenate([x, x], 1), ("T", [1, 2])),
    Operator("view.default", Y, lambda x: x.reshape(x.shape[0], -1), ("T", ["M", -1])),
    Operator("reshape.default", Y, lambda x: x.reshape(-1, x.shape[2]), ("T", [-1, "K"])),
    Operator("tril.default", X, jnp.tril, ("T",)),
    Operator("triu.default", X, jnp.triu, ("T",)),
    Operator("constant_pad_nd.default", X, lambda x: lax.pad(x, 2.0, ((0, 0, 0), (1, 1, 0))), ("T", [1, 1], 2)),
    Operator("index_select.default", (Tensor("MN"), Tensor("K", "i32")), _gather_rows, ("T", 0, "T"), {}, LAST_INDEX),
    Operator("embedding.default", (Tensor("MN"), Tensor("K", "i32")), _gather_rows, ("T", "T"), {}, LAST_INDEX),
    Operator(
        "gather.default",
        (Tensor("MN"), Tensor("KN", "i32")),
        lambda x, i: jnp.take_along_axis(x, i, axis=0, mode="clip"),
        ("T", 0, "T"),
        {},
        LAST_INDEX,
    ),
    Operator(
        "scatter_add.default",
        (Tensor("MN"), Tensor("KN", "i32"), Tensor("KN")),
        lambda x, i, u: x.at[i, jnp.arange(x.shape[1])[None, :]].add(u),
        ("T", 0, "T", "T"),
        {},
        ("real", "index:M", "real"),
    ),
    Operator(
        "embedding_dense_backward.default",
        (Tensor("KN"), Tensor("K", "i32")),
        lambda g, i: jnp.zeros((7, g.shape[1])).at[i].add(g),
        ("T", "T", 7, -1, False),
        {},
        ("real", "index:7"),
    ),
    Operator("diagonal.default", (Tensor("MM"),), jnp.diagonal, ("T",)),
    Operator("new_zeros.default", X, lambda x: jnp.zeros((3, 4)), ("T", [3, 4])),
]
