"""Small JAX programs, as modules: at least one of each kind of operation that the lowering treats in its own way.

A broken lowering makes wrong partitions of them (lowering_mutants.py). They are so small that a module that differs is
validated in a second.
"""

import jax
import jax.numpy as jnp
from jax import lax

F = "float32"
I32 = "int32"
MATRIX = ((8, 12), F)
SQUARE = ((8, 8), F)
ROWS = ((12, 2), F)
IMAGE = ((1, 12, 8, 2), F)
FILTER = ((3, 3, 2, 4), F)
LINE = ((2, 16, 2), F)
TABLE = ((12, 4), F)
IDS = ((8,), I32)


def convolution(x, w, strides=(1, 1), padding="SAME", **more):
    return lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)


def pool(x, strides=(1, 2, 2, 1)):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), strides, "VALID")


def mean_of_squares_gradient(f):
    return jax.grad(lambda *a: (f(*a) ** 2).mean(), argnums=(0, 1))


def softmax_attention(q, k, v):
    s = jnp.einsum("bqd,bkd->bqk", q, k)
    s = jnp.where(jnp.tril(jnp.ones(s.shape[1:], bool)), s, -1e9)
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(s), v)


def scanned_layers(x, w):
    return lax.scan(lambda h, u: (jnp.tanh(h @ u), h.sum()), x, w)


def microbatches(x, w):
    def step(total, part):
        return total + jax.grad(lambda u: (part @ u).sum() ** 2)(w), None

    return lax.scan(step, jnp.zeros_like(w), x.reshape(2, 4, 12))[0]


def newton(x):
    return lax.while_loop(
        lambda s: (s[0] < 3) & (s[1].sum() < 1e6), lambda s: (s[0] + 1, s[1] * 0.5 + s[1].mean()), (0, x)
    )


def branches(x, p):
    return lax.cond(p > 0, lambda a: a @ a.T, lambda a: (a - a.mean(1, keepdims=True)) @ a.T, x)


def layer_norm(x, g):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g


PROGRAMS = {
    "matmul": (lambda x, w: x @ w, MATRIX, ((12, 6), F)),
    "matmul_gradient": (mean_of_squares_gradient(lambda x, w: jnp.tanh(x @ w)), MATRIX, ((12, 6), F)),
    "two_layers": (lambda x, v, w: jax.nn.relu(x @ v) @ w, MATRIX, ((12, 8), F), ((8, 4), F)),
    "batched_matmul": (lambda x, y: jnp.einsum("bij,bjk->bik", x, y), ((4, 6, 5), F), ((4, 5, 3), F)),
    "x_xt": (lambda x: x @ x.T, SQUARE),
    "attention": (softmax_attention, ((2, 8, 4), F), ((2, 8, 4), F), ((2, 8, 4), F)),
    "layer_norm": (layer_norm, MATRIX, ((12,), F)),
    "sums": (lambda x: (x.sum(0), x.max(1), x.prod(0), x.argmax(1), (x > 0).any(0), (x > 1).all(1)), MATRIX),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, axis=1), MATRIX),
    "integer_sums": (lambda x: (x.sum(0), x.min(1), jnp.bitwise_xor.reduce(x, 0)), ((8, 12), I32)),
    "transpose": (lambda x: x.T * 2 + 1, MATRIX),
    "transpose_of_three": (lambda x: x.transpose(2, 0, 1) + x.sum(0).T[:, None, :], ((3, 4, 4), F)),
    "reshape_merges": (lambda x: jnp.tanh(x.reshape(8, 12)), ((8, 3, 4), F)),
    "reshape_splits": (lambda x: x.reshape(4, 2, 3, 4).sum(1), MATRIX),
    "reshape_moves": (lambda x: x.reshape(12, 8) + 1, MATRIX),
    "broadcast": (lambda x, b: x + b + jnp.arange(12.0), MATRIX, ((12,), F)),
    "iota_mask": (lambda x: jnp.where(jnp.arange(8)[:, None] > jnp.arange(12), x, 0), MATRIX),
    "select_by_data": (lambda x, y: jnp.where(x > y, x - y, y), MATRIX, MATRIX),
    "slice": (lambda x: x[1:7, 2:10], MATRIX),
    "slice_strided": (lambda x: x[::2, 1::3], MATRIX),
    "slice_of_most": (lambda x: jnp.tanh(x[1:]), MATRIX),
    "pad": (lambda x: jnp.pad(x, ((1, 0), (0, 3)), constant_values=2), MATRIX),
    "pad_negative_interior": (lambda x: lax.pad(x, 1.0, ((-1, 2, 1), (1, -2, 0))), MATRIX),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, x], 0), MATRIX, MATRIX),
    "concatenate_token": (lambda t, x: jnp.concatenate([t, x], 0) * 2, ((1, 12), F), MATRIX),
    "reverse": (lambda x: x[::-1] + 1, MATRIX),
    "roll": (lambda x: jnp.roll(x, 3, 0) - jnp.roll(x, -1, 1), MATRIX),
    "stencil": (lambda x: x.at[1:-1].add(x[2:] - 2 * x[1:-1] + x[:-2]), ((16, 2), F)),
    "convolution": (convolution, IMAGE, FILTER),
    "convolution_strided": (lambda x, w: convolution(x, w, (2, 2)), IMAGE, FILTER),
    "convolution_dilated": (lambda x, w: convolution(x, w, rhs_dilation=(2, 1)), IMAGE, FILTER),
    "convolution_transposed": (
        lambda x, w: convolution(x, w, padding=((2, 2), (1, 2)), lhs_dilation=(2, 2)),
        IMAGE,
        FILTER,
    ),
    "convolution_grouped": (lambda x, w: convolution(x, w, feature_group_count=2), IMAGE, ((3, 3, 1, 4), F)),
    "convolution_gradient": (mean_of_squares_gradient(convolution), IMAGE, FILTER),
    "convolution_of_line": (
        lambda x, w: lax.conv_general_dilated(x, w, (1,), ((2, 0),), dimension_numbers=("NWC", "WIO", "NWC")),
        LINE,
        ((3, 2, 4), F),
    ),
    "max_pool": (pool, IMAGE),
    "max_pool_gradient": (jax.grad(lambda x: (pool(x) ** 2).sum()), IMAGE),
    "mean_pool": (lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"), IMAGE),
    "cumulative": (lambda x: (jnp.cumsum(x, 0), lax.cummax(x, 1), lax.cumlogsumexp(x, 0, reverse=True)), MATRIX),
    "associative_scan": (lambda x: lax.associative_scan(jnp.add, x), ((16, 2), F)),
    "scan": (scanned_layers, ((8, 4), F), ((3, 4, 4), F)),
    "microbatches": (microbatches, MATRIX, ((12, 4), F)),
    "while": (newton, MATRIX),
    "cond": (branches, MATRIX, ((), F)),
    "lookup": (lambda t, i: t[i], TABLE, IDS),
    "lookup_gradient": (jax.grad(lambda t, i: (t[i] ** 2).sum()), TABLE, IDS),
    "take_along": (lambda x, i: jnp.take_along_axis(x, i[:, None] % 12, 1), MATRIX, IDS),
    "scatter_set": (lambda x, i, u: x.at[i % 8].set(u), ROWS, ((1,), I32), ((1, 2), F)),
    "scatter_add": (lambda x, i, u: x.at[i].add(u, mode="drop"), ROWS, IDS, ((8, 2), F)),
    "one_hot": (lambda t, i: jax.nn.one_hot(i, 12) @ t, TABLE, IDS),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i, 0), (3, 12)), MATRIX, ((), I32)),
    "dynamic_update": (lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)), MATRIX, ((1, 12), F), ((), I32)),
    "cache": (
        lambda c, k, i, q: q @ lax.dynamic_update_slice(c, k, (i, 0)).T,
        ((8, 4), F),
        ((1, 4), F),
        ((), I32),
        ((2, 4), F),
    ),
    "sort": (lambda x: (jnp.sort(x, 0), lax.top_k(x, 2)), MATRIX),
    "fft": (lambda x: jnp.abs(jnp.fft.rfft(x)), MATRIX),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.transpose(0, 2, 1) + jnp.eye(3)), ((4, 3, 3), F)),
    "batch_norm": (lambda x, g: (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g, IMAGE, ((2,), F)),
    "experts": (
        lambda x, g, w: jnp.einsum("sec,edf->scf", jax.nn.softmax(jnp.einsum("sd,dec->sec", x, g), 1), w),
        ((8, 4), F),
        ((4, 4, 2), F),
        ((4, 4, 3), F),
    ),
    "complex": (lambda x, y: jnp.real(lax.complex(x, y) @ lax.complex(y, x).T), SQUARE, SQUARE),
    "conversions": (lambda x: (x.astype(jnp.bfloat16).sum(0), x.astype(jnp.int8).sum(1, dtype=jnp.int32)), MATRIX),
    "adam": (
        lambda p, g, m, v: (p - (0.9 * m + 0.1 * g) / (jnp.sqrt(v * v + 0.01 * g * g) + 1e-6), 0.9 * m + 0.1 * g),
        MATRIX,
        MATRIX,
        MATRIX,
        MATRIX,
    ),
}


def modules():
    """Yields name, StableHLO text, and the shape of each argument."""
    for name, (f, *specs) in PROGRAMS.items():
        text = jax.jit(f).lower(*(jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in specs)).as_text()
        yield name, text, [shape for shape, _ in specs]
