#!/usr/bin/env python3
"""Regenerates the pairs of tests/verify/validate/pairs: a small one for each kind of defect, and for each right program
that looks like one.

usage: make_pairs.py [FOLDER]      needs jax
"""

import jax
import jax.numpy as jnp
from jax import lax
from pair_writing import EQ, NOT, OUT, P, index, psum, ring, write  # (before jax: it sets up the devices)


def FLOAT(why):
    return f"not equal ({why})"


def pair(name, source, arrays, layout, **variants):
    """`variants` are functions with their verdicts, on the layout (mesh, inputs, outputs) or on one of their own."""
    rows = {}
    for variant, entry in variants.items():
        function, expect = entry[0], entry[1]
        own = entry[2] if len(entry) > 2 else layout
        rows[variant] = (function, *own, expect)
    write(OUT, name, source, rows, arrays)


# --- Sums and means ---------------------------------------------------------------------------------------------------

layout = ("x=4", ["x -"], [""])
pair(
    "masked_mean",
    lambda x: jnp.sum(jnp.where(x > 0, x, 0.0)) / (1e-6 + jnp.sum(x > 0)),
    [(8, 4)],
    layout,
    right=(lambda x: psum(jnp.sum(jnp.where(x > 0, x, 0.0))) / (1e-6 + psum(jnp.sum(x > 0))), EQ),
    counted_as_floats=(
        lambda x: psum(jnp.sum(jnp.where(x > 0, x, 0.0))) / (1e-6 + psum(jnp.sum(jnp.where(x > 0, 1.0, 0.0)))),
        EQ,
    ),
    mean_of_means=(
        lambda x: lax.pmean(jnp.sum(jnp.where(x > 0, x, 0.0)) / (1e-6 + jnp.sum(x > 0)), "x"),
        NOT("shards count alike whatever they keep"),
    ),
    local_count=(
        lambda x: psum(jnp.sum(jnp.where(x > 0, x, 0.0))) / (1e-6 + jnp.sum(x > 0)),
        NOT("divided by the own count"),
    ),
)

pair(
    "variance",
    lambda x: jnp.var(x),
    [(8, 4)],
    layout,
    right=(lambda x: psum(jnp.sum((x - psum(jnp.sum(x)) / 32) ** 2)) / 32, EQ),
    of_squares=(lambda x: psum(jnp.sum(x * x)) / 32 - (psum(jnp.sum(x)) / 32) ** 2, EQ),
    pooled=(
        lambda x: lax.pmean(jnp.var(x), "x") + lax.pmean(jnp.mean(x) ** 2, "x") - lax.pmean(jnp.mean(x), "x") ** 2,
        EQ,
    ),
    mean_of_variances=(lambda x: lax.pmean(jnp.var(x), "x"), NOT("the spread of the shards' means is left out")),
)

pair(
    "replicated_sum",
    lambda x: jnp.sum(x),
    [(4, 4)],
    ("x=2", ["- -"], [""]),
    right=(lambda x: jnp.sum(x), EQ),
    averaged=(lambda x: lax.pmean(jnp.sum(x), "x"), EQ),
    summed=(lambda x: psum(jnp.sum(x)), NOT("what all devices hold is added up")),
)

pair(
    "bias_after_rows",
    lambda x, w, b: x @ w + b,
    [(4, 8), (8, 6), (6,)],
    ("x=4", ["- x", "x -", "-"], ["- -"]),
    right=(lambda x, w, b: psum(x @ w) + b, EQ),
    on_one_device=(lambda x, w, b: psum(x @ w + jnp.where(index() == 0, b, 0.0)), EQ),
    a_part_each=(lambda x, w, b: psum(x @ w + b / 4), EQ),
    on_each=(lambda x, w, b: psum(x @ w + b), NOT("the bias is added n times")),
)

pair(
    "layer_norm",
    lambda x, g: (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5) * g,
    [(4, 8), (8,)],
    ("x=2", ["- x", "x"], ["- x"]),
    right=(
        lambda x, g: (lambda m: (x - m) * lax.rsqrt(psum(jnp.sum((x - m) ** 2, -1, keepdims=True)) / 8 + 1e-5) * g)(
            psum(jnp.sum(x, -1, keepdims=True)) / 8
        ),
        EQ,
    ),
    local_mean=(
        lambda x, g: (
            (x - jnp.mean(x, -1, keepdims=True))
            * lax.rsqrt(psum(jnp.sum((x - jnp.mean(x, -1, keepdims=True)) ** 2, -1, keepdims=True)) / 8 + 1e-5)
            * g
        ),
        NOT("the mean is that of the shard"),
    ),
    local_variance=(
        lambda x, g: (lambda m: (x - m) * lax.rsqrt(jnp.mean((x - m) ** 2, -1, keepdims=True) + 1e-5) * g)(
            psum(jnp.sum(x, -1, keepdims=True)) / 8
        ),
        NOT("the variance is that of the shard"),
    ),
)

pair(
    "trust_ratio",
    lambda p, g: p - 0.1 * g * jnp.sqrt(jnp.sum(p * p)) / (jnp.sqrt(jnp.sum(g * g)) + 1e-6),
    [(8, 4), (8, 4)],
    ("x=2", ["x -", "x -"], ["x -"]),
    right=(lambda p, g: p - 0.1 * g * jnp.sqrt(psum(jnp.sum(p * p))) / (jnp.sqrt(psum(jnp.sum(g * g))) + 1e-6), EQ),
    of_shards=(
        lambda p, g: p - 0.1 * g * jnp.sqrt(jnp.sum(p * p)) / (jnp.sqrt(jnp.sum(g * g)) + 1e-6),
        NOT("norms of the shard"),
    ),
)

pair(
    "accumulated_gradient",
    lambda w, x: lax.scan(lambda a, b: (a + b.T @ (b @ w), None), jnp.zeros((3, 2)), x)[0] / 4,
    [(3, 2), (4, 8, 3)],
    ("x=2", ["- -", "- x -"], ["- -"]),
    reduced_after=(
        lambda w, x: psum(lax.scan(lambda a, b: (a + b.T @ (b @ w), None), jnp.zeros((3, 2)), x)[0]) / 4,
        EQ,
    ),
    reduced_inside=(
        lambda w, x: lax.scan(lambda a, b: (a + psum(b.T @ (b @ w)), None), jnp.zeros((3, 2)), x)[0] / 4,
        EQ,
    ),
    carried=(
        lambda w, x: lax.scan(lambda a, b: (psum(a + b.T @ (b @ w)), None), jnp.zeros((3, 2)), x)[0] / 4,
        NOT("what is carried is summed again each time"),
    ),
)

pair(
    "reduce_scatter_gather",
    lambda x, w: x @ w,
    [(4, 8), (8, 8)],
    ("a=2,b=2", ["- a+b", "a+b -"], ["- -"]),
    right=(
        lambda x, w: lax.all_gather(
            psum(lax.psum_scatter(x @ w, "a", scatter_dimension=0, tiled=True), "b"), "a", axis=0, tiled=True
        ),
        EQ,
    ),
    other_axis=(
        lambda x, w: lax.all_gather(
            psum(lax.psum_scatter(x @ w, "a", scatter_dimension=0, tiled=True), "b"), "b", axis=0, tiled=True
        ),
        NOT("gathered over the other axis"),
    ),
)

# --- Greatest, least, products, masks ---------------------------------------------------------------------------------

layout = ("x=4", ["x -"], ["-"])
pair(
    "minimum",
    lambda x: jnp.min(x, 0),
    [(8, 3)],
    layout,
    right=(lambda x: lax.pmin(jnp.min(x, 0), "x"), EQ),
    by_gathering=(lambda x: jnp.min(lax.all_gather(jnp.min(x, 0), "x"), 0), EQ),
    greatest=(lambda x: lax.pmax(jnp.min(x, 0), "x"), NOT("the greatest of the least")),
    summed=(lambda x: psum(jnp.min(x, 0)), NOT("minima are added")),
)
pair(
    "product",
    lambda x: jnp.prod(x, 0),
    [(4, 3)],
    layout,
    right=(lambda x: jnp.prod(lax.all_gather(jnp.prod(x, 0), "x"), 0), EQ),
    summed=(lambda x: psum(jnp.prod(x, 0)), NOT("products are added")),
)
pair(
    "any_and_all",
    lambda x: (jnp.any(x > 0), jnp.all(x > 0)),
    [(8, 3)],
    ("x=4", ["x -"], ["", ""]),
    right=(
        lambda x: (
            lax.pmax(jnp.any(x > 0).astype(jnp.int32), "x") > 0,
            lax.pmin(jnp.all(x > 0).astype(jnp.int32), "x") > 0,
        ),
        EQ,
    ),
    by_counting=(
        lambda x: (psum(jnp.any(x > 0).astype(jnp.int32)) > 0, psum(jnp.all(x > 0).astype(jnp.int32)) == 4),
        EQ,
    ),
    either=(
        lambda x: (
            lax.pmax(jnp.any(x > 0).astype(jnp.int32), "x") > 0,
            lax.pmax(jnp.all(x > 0).astype(jnp.int32), "x") > 0,
        ),
        NOT("one shard is enough"),
    ),
)
pair(
    "overflow_check",
    lambda g: jnp.where(jnp.all(jnp.isfinite(g)), g, 0.0),
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    right=(lambda g: jnp.where(lax.pmin(jnp.all(jnp.isfinite(g)).astype(jnp.int32), "x") > 0, g, 0.0), EQ),
    of_shard=(lambda g: jnp.where(jnp.all(jnp.isfinite(g)), g, 0.0), FLOAT("each device asks its own shard")),
)
pair(
    "absmax_scale",
    lambda x: jnp.round(x / (jnp.max(jnp.abs(x)) / 127)).astype(jnp.int8),
    [(8, 4)],
    ("x=2", ["x -"], ["x -"]),
    right=(lambda x: jnp.round(x / (lax.pmax(jnp.max(jnp.abs(x)), "x") / 127)).astype(jnp.int8), EQ),
    of_shard=(
        lambda x: jnp.round(x / (jnp.max(jnp.abs(x)) / 127)).astype(jnp.int8),
        NOT("each shard by its own scale"),
    ),
)
pair(
    "clipped_sum",
    lambda x: jnp.clip(jnp.sum(x, 0), -1, 1),
    [(8, 3)],
    layout,
    right=(lambda x: jnp.clip(psum(jnp.sum(x, 0)), -1, 1), EQ),
    before=(lambda x: psum(jnp.clip(jnp.sum(x, 0), -1, 1)), NOT("clipped before it is summed")),
)


def argmax_device(x, offset=True, last=False, least=False):
    best, at = (jnp.min, jnp.argmin) if least else (jnp.max, jnp.argmax)
    value, place = best(x, 1), at(x, 1).astype(jnp.int32)
    if offset:
        place = place + index() * x.shape[1]
    whole = lax.pmin(value, "x") if least else lax.pmax(value, "x")
    if last:
        return lax.pmax(jnp.where(value == whole, place, -1), "x")
    return lax.pmin(jnp.where(value == whole, place, 1 << 20), "x")


layout = ("x=4", ["- x"], ["-"])
pair(
    "argmin",
    lambda x: jnp.argmin(x, 1).astype(jnp.int32),
    [(3, 8)],
    layout,
    right=(P(argmax_device, least=True), EQ),
    no_offset=(P(argmax_device, least=True, offset=False), NOT("places within the shard")),
    last_tie=(P(argmax_device, least=True, last=True), NOT("the last of equal ones")),
)


def top_device(x, k=2, offset=True, order=True):
    v, i = lax.top_k(x, k)
    if offset:
        i = i + index() * x.shape[1]
    v, i = (lax.all_gather(a, "x", axis=1, tiled=True) for a in (v, i))
    w, j = lax.top_k(v, k)
    return w, jnp.take_along_axis(i, j, 1) if order else j


layout = ("x=4", ["- x"], ["- -", "- -"])
pair(
    "top_k",
    lambda x: lax.top_k(x, 2),
    [(3, 12)],
    layout,
    right=(top_device, EQ),
    no_offset=(P(top_device, offset=False), NOT("places within the shard")),
    places_of_gathered=(P(top_device, order=False), NOT("places among what was gathered")),
)
pair(
    "top_k_values",
    lambda x: lax.top_k(x, 3)[0],
    [(3, 12)],
    ("x=2", ["- x"], ["- -"]),
    right=(lambda x: lax.top_k(lax.all_gather(lax.top_k(x, 3)[0], "x", axis=1, tiled=True), 3)[0], EQ),
    two_of_each=(
        lambda x: lax.top_k(lax.all_gather(lax.top_k(x, 2)[0], "x", axis=1, tiled=True), 3)[0],
        NOT("all three may stand on one device"),
    ),
)

# --- Positions, masks, indices ----------------------------------------------------------------------------------------

pair(
    "row_numbers",
    lambda x: x * jnp.arange(8.0)[:, None],
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    right=(lambda x: x * (index() * 2 + jnp.arange(2)).astype(jnp.float32)[:, None], EQ),
    from_zero=(lambda x: x * jnp.arange(2.0)[:, None], NOT("rows are numbered anew on each device")),
    one_off=(lambda x: x * (index() * 2 + 1 + jnp.arange(2)).astype(jnp.float32)[:, None], NOT("offset wrong by one")),
)
pair(
    "one_row_marked",
    lambda x: jnp.where((jnp.arange(8) == 5)[:, None], x, -x),
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    right=(lambda x: jnp.where((index() * 2 + jnp.arange(2) == 5)[:, None], x, -x), EQ),
    next_row=(lambda x: jnp.where((index() * 2 + jnp.arange(2) == 6)[:, None], x, -x), NOT("the next row")),
)


def window_mask(s, rows, width):
    to = jnp.arange(s.shape[1])[None]
    return jnp.where((rows[:, None] >= to) & (rows[:, None] - to < width), s, -1e9)


pair(
    "sliding_window",
    lambda q, k: jax.nn.softmax(window_mask(q @ k.T, jnp.arange(8), 3), -1),
    [(8, 3), (8, 3)],
    ("x=4", ["x -", "- -"], ["x -"]),
    right=(lambda q, k: jax.nn.softmax(window_mask(q @ k.T, index() * 2 + jnp.arange(2), 3), -1), EQ),
    wider=(
        lambda q, k: jax.nn.softmax(window_mask(q @ k.T, index() * 2 + jnp.arange(2), 4), -1),
        NOT("a window of four"),
    ),
    no_offset=(lambda q, k: jax.nn.softmax(window_mask(q @ k.T, jnp.arange(2), 3), -1), NOT("positions restart")),
)

pair(
    "roll",
    lambda x: jnp.roll(x, 1, 0),
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    right=(lambda x: jnp.concatenate([lax.ppermute(x[-1:], "x", ring(4)), x[:-1]]), EQ),
    within=(lambda x: jnp.roll(x, 1, 0), NOT("each shard is rolled in itself")),
    other_way=(
        lambda x: jnp.concatenate([lax.ppermute(x[-1:], "x", ring(4, -1)), x[:-1]]),
        NOT("the row comes from the other side"),
    ),
)
pair(
    "reverse",
    lambda x: x[::-1],
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    right=(lambda x: lax.ppermute(x, "x", [(k, 3 - k) for k in range(4)])[::-1], EQ),
    within=(lambda x: x[::-1], NOT("each shard is reversed in itself")),
)
pair(
    "differences",
    lambda x: x[1:] - x[:-1],
    [(9, 3)],
    ("x=4", ["- -"], ["x -"]),
    right=(lambda x: lax.dynamic_slice_in_dim(x, index() * 2 + 1, 2) - lax.dynamic_slice_in_dim(x, index() * 2, 2), EQ),
    clamped=(
        lambda x: lax.dynamic_slice_in_dim(x, index() * 3 + 1, 2) - lax.dynamic_slice_in_dim(x, index() * 3, 2),
        NOT("starts are clamped"),
    ),
)


def cumsum_device(x, inclusive=False, n=4):
    own = jnp.cumsum(x, 0)
    totals = lax.all_gather(own[-1], "x")
    before = jnp.arange(n) <= index() if inclusive else jnp.arange(n) < index()
    return own + jnp.sum(jnp.where(before[:, None], totals, 0.0), 0)


pair(
    "cumulative_sum",
    lambda x: jnp.cumsum(x, 0),
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    right=(cumsum_device, EQ),
    inclusive=(P(cumsum_device, inclusive=True), NOT("the own total is added, too")),
    of_shard=(lambda x: jnp.cumsum(x, 0), NOT("totals before are left out")),
)


def lookup(table, ids):
    return jnp.take(table, ids, axis=0, mode="clip")


def fill(table, ids):
    return jnp.take(table, ids, axis=0, mode="fill", fill_value=0.0)


def fill_device(table, ids, wrap=True):
    size = table.shape[0]
    total = size * 2
    ids = jnp.where(ids < 0, ids + total, ids) if wrap else ids
    at = ids - index() * size
    inside = (at >= 0) & (at < size)
    return psum(jnp.where(inside[:, None], jnp.take(table, jnp.clip(at, 0, size - 1), axis=0), 0.0))


layout = ("x=2", ["x -", "-"], ["- -"])
pair(
    "lookup_with_fill",
    fill,
    [(8, 3), ((4,), "int32")],
    layout,
    right=(fill_device, EQ),
    no_wrap=(P(fill_device, wrap=False), NOT("negative indices count from the end in the source")),
)
pair(
    "one_hot_lookup",
    lambda t, i: jax.nn.one_hot(i, 8) @ t,
    [(8, 3), ((4,), "int32")],
    layout,
    right=(lambda t, i: psum(jax.nn.one_hot(i - index() * 4, 4) @ t), EQ),
    no_offset=(lambda t, i: psum(jax.nn.one_hot(i, 4) @ t), NOT("every shard answers for the first words")),
)
pair(
    "scatter_add",
    lambda g, i: jnp.zeros((8, 3)).at[i].add(g),
    [(4, 3), ((4,), "int32")],
    ("x=2", ["x -", "x"], ["- -"]),
    right=(lambda g, i: psum(jnp.zeros((8, 3)).at[i].add(g)), EQ),
    not_summed=(lambda g, i: jnp.zeros((8, 3)).at[i].add(g), NOT("gradients of the own tokens alone")),
    overwritten=(lambda g, i: psum(jnp.zeros((8, 3)).at[i].set(g)), NOT("the last of equal indices wins")),
)


def own_rows(i):
    i = jnp.where(i < 0, i + 8, i) - index() * 4
    return jnp.where(i < 0, 1 << 20, i)


pair(
    "scatter_add_by_rows",
    lambda g, i: jnp.zeros((8, 3)).at[i].add(g, mode="drop"),
    [(4, 3), ((4,), "int32")],
    ("x=2", ["- -", "-"], ["x -"]),
    right=(lambda g, i: jnp.zeros((4, 3)).at[own_rows(i)].add(g, mode="drop"), EQ),
    wraps=(
        lambda g, i: jnp.zeros((4, 3)).at[jnp.where((i < 0) & (i >= -8), i + 8, i) - index() * 4].add(g, mode="drop"),
        NOT("negative rows count from the end of the shard"),
    ),
)
pair(
    "cache_update",
    lambda c, v, p: lax.dynamic_update_slice(c, v, (p, 0)),
    [(8, 3), (1, 3), ((), "int32")],
    ("x=4", ["x -", "- -", ""], ["x -"]),
    right=(
        lambda c, v, p: jnp.where(
            (index() * 2 + jnp.arange(2) == jnp.clip(jnp.where(p < 0, p + 8, p), 0, 7))[:, None], v, c
        ),
        EQ,
    ),
    on_each=(
        lambda c, v, p: lax.dynamic_update_slice(c, v, (p - index() * 2, 0)),
        NOT("every shard clamps the place into itself"),
    ),
)

# --- Exchanges --------------------------------------------------------------------------------------------------------

pair(
    "dispatch",
    lambda x, w: jnp.einsum("etd,edf->etf", x, w),
    [(4, 8, 3), (4, 3, 5)],
    ("x=4", ["- x -", "x - -"], ["- x -"]),
    right=(
        lambda x, w: lax.all_to_all(
            jnp.einsum("etd,edf->etf", lax.all_to_all(x, "x", 0, 1, tiled=True), w), "x", 1, 0, tiled=True
        ),
        EQ,
    ),
    not_returned=(
        lambda x, w: (
            lax.all_to_all(
                jnp.einsum("etd,edf->etf", lax.all_to_all(x, "x", 0, 1, tiled=True), w), "x", 1, 0, tiled=True
            )[::-1]
            if False
            else jnp.tile(jnp.einsum("etd,edf->etf", x[:1], w), (4, 1, 1))
        ),
        NOT("tokens are not exchanged"),
    ),
)
pair(
    "gathered_in_order",
    lambda x: x * 2,
    [(8, 3)],
    ("a=2,b=2", ["a+b -"], ["- -"]),
    right=(lambda x: lax.all_gather(x * 2, ("a", "b"), axis=0, tiled=True), EQ),
    one_by_one=(lambda x: lax.all_gather(lax.all_gather(x * 2, "b", axis=0, tiled=True), "a", axis=0, tiled=True), EQ),
    other_order=(
        lambda x: lax.all_gather(lax.all_gather(x * 2, "a", axis=0, tiled=True), "b", axis=0, tiled=True),
        NOT("minor and major axis are exchanged"),
    ),
)
pair(
    "transposed_shards",
    lambda x: x.T,
    [(8, 8)],
    ("x=4", ["x -"], ["x -"]),
    right=(lambda x: lax.all_to_all(x, "x", 1, 0, tiled=True).T, EQ),
    local=(lambda x: lax.all_gather(x, "x", axis=1, tiled=True)[:, :8], NOT("not transposed")),
)
pair(
    "max_pool",
    lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 1), (1, 2, 1), "VALID"),
    [(2, 16, 3)],
    ("x=4", ["- x -"], ["- x -"]),
    right=(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 1), (1, 2, 1), "VALID"), EQ),
)


def average_pool_with_halo(x):
    left, right = lax.ppermute(x[:, -1:], "x", ring(2)), lax.ppermute(x[:, :1], "x", ring(2, -1))
    left, right = jnp.where(index() == 0, 0.0, left), jnp.where(index() == 1, 0.0, right)
    x = jnp.concatenate([left, x, right], 1)
    return lax.reduce_window(x, 0.0, lax.add, (1, 3, 1), (1, 1, 1), "VALID") / 3


pair(
    "average_pool",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 1), (1, 1, 1), "SAME") / 3,
    [(2, 8, 3)],
    ("x=2", ["- x -"], ["- x -"]),
    right=(average_pool_with_halo, EQ),
    no_halo=(
        lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 1), (1, 1, 1), "SAME") / 3,
        NOT("windows end at the shard"),
    ),
)
pair(
    "conv_strided",
    lambda x, w: lax.conv_general_dilated(x, w, (2,), "VALID", dimension_numbers=("NWC", "WIO", "NWC")),
    [(1, 16, 2), (2, 2, 3)],
    ("x=4", ["- x -", "- - -"], ["- x -"]),
    right=(lambda x, w: lax.conv_general_dilated(x, w, (2,), "VALID", dimension_numbers=("NWC", "WIO", "NWC")), EQ),
)
pair(
    "conv_channels",
    lambda x, w: lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")),
    [(1, 6, 4), (3, 4, 3)],
    ("x=2", ["- - x", "- x -"], ["- - -"]),
    right=(
        lambda x, w: psum(lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))),
        EQ,
    ),
    averaged=(
        lambda x, w: lax.pmean(
            lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")), "x"
        ),
        NOT("channels are averaged"),
    ),
)

# --- Control flow -----------------------------------------------------------------------------------------------------

pair(
    "branch_by_device",
    lambda x: jnp.concatenate([jnp.sin(x[:4]), jnp.cos(x[4:])]),
    [(8, 3)],
    ("x=2", ["x -"], ["x -"]),
    right=(lambda x: lax.cond(index() == 0, jnp.sin, jnp.cos, x), EQ),
    swapped=(lambda x: lax.cond(index() == 1, jnp.sin, jnp.cos, x), NOT("branches are exchanged")),
)
pair(
    "switch_by_data",
    lambda x, i: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x),
    [(8, 3), ((), "int32")],
    ("x=2", ["x -", ""], ["x -"]),
    right=(lambda x, i: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x), EQ),
    two_branches=(lambda x, i: lax.switch(i, [jnp.sin, jnp.cos], x), NOT("the last branch is missing")),
)
pair(
    "switch_of_two",
    lambda x, i: lax.switch(jnp.clip(i, 0, 1), [jnp.sin, jnp.cos], x),
    [(8, 3), ((), "int32")],
    ("x=2", ["x -", ""], ["x -"]),
    right=(lambda x, i: lax.switch(jnp.clip(i, 0, 1), [jnp.sin, jnp.cos, jnp.tanh], x), EQ),
    third_taken=(
        lambda x, i: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x),
        NOT("beyond the second branch the source takes the second"),
    ),
)
pair(
    "counted_loop",
    lambda x: lax.fori_loop(0, 5, lambda t, y: jnp.tanh(y * t + jnp.sum(x)), x),
    [(8, 3)],
    ("x=2", ["x -"], ["x -"]),
    right=(lambda x: lax.fori_loop(0, 5, lambda t, y: jnp.tanh(y * t + psum(jnp.sum(x))), x), EQ),
    too_short=(lambda x: lax.fori_loop(0, 4, lambda t, y: jnp.tanh(y * t + psum(jnp.sum(x))), x), NOT("four rounds")),
)

# --- Integers, narrow types, random numbers ---------------------------------------------------------------------------

pair(
    "integer_sum",
    lambda x: jnp.sum(x, 0),
    [((8, 3), "int32")],
    ("x=4", ["x -"], ["-"]),
    right=(lambda x: psum(jnp.sum(x, 0)), EQ),
    scattered=(
        lambda x: lax.all_gather(lax.psum_scatter(jnp.pad(jnp.sum(x, 0), (0, 1)), "x", tiled=True), "x", tiled=True)[
            :3
        ],
        EQ,
    ),
)
pair(
    "narrow_sum",
    lambda x: jnp.sum(x.astype(jnp.int32), 0),
    [((8, 3), "int8")],
    ("x=2", ["x -"], ["-"]),
    right=(lambda x: psum(jnp.sum(x.astype(jnp.int32), 0)), EQ),
    wraps=(lambda x: psum(jnp.sum(x, 0, dtype=jnp.int8)).astype(jnp.int32), NOT("the sum wraps at 8 bits")),
)
pair(
    "integer_mean",
    lambda x: jnp.sum(x) // 8,
    [((8,), "int32")],
    ("x=2", ["x"], [""]),
    right=(lambda x: psum(jnp.sum(x)) // 8, EQ),
    each=(lambda x: psum(jnp.sum(x) // 8), NOT("rounded twice")),
)
pair(
    "bf16_sum",
    lambda x: jnp.sum(x.astype(jnp.float32), 0).astype(jnp.bfloat16),
    [((8, 3), "bfloat16")],
    ("x=2", ["x -"], ["-"]),
    right=(lambda x: psum(jnp.sum(x.astype(jnp.float32), 0)).astype(jnp.bfloat16), EQ),
    narrow_reduce=(
        lambda x: psum(jnp.sum(x.astype(jnp.float32), 0).astype(jnp.bfloat16)),
        FLOAT("parts are rounded before they are summed"),
    ),
)
pair(
    "bf16_matmul",
    lambda x, w: lax.dot(x, w, preferred_element_type=jnp.float32),
    [((4, 8), "bfloat16"), ((8, 3), "bfloat16")],
    ("x=2", ["- x", "x -"], ["- -"]),
    right=(lambda x, w: psum(lax.dot(x, w, preferred_element_type=jnp.float32)), EQ),
    narrow=(lambda x, w: psum(lax.dot(x, w)).astype(jnp.float32), FLOAT("accumulated in 16 bits")),
)
pair(
    "cast_then_gather",
    lambda x: x.astype(jnp.bfloat16),
    [(8, 3)],
    ("x=4", ["x -"], ["- -"]),
    right=(lambda x: lax.all_gather(x.astype(jnp.bfloat16), "x", axis=0, tiled=True), EQ),
    gather_first=(lambda x: lax.all_gather(x, "x", axis=0, tiled=True).astype(jnp.bfloat16), EQ),
)


def dropout(key, x):
    return jnp.where(jax.random.uniform(key, x.shape) < 0.5, x, 0.0)


pair(
    "dropout",
    lambda k, x: dropout(jax.random.wrap_key_data(k), x),
    [((2,), "uint32"), (8, 4)],
    ("x=2", ["-", "x -"], ["x -"]),
    right=(
        lambda k, x: jnp.where(
            lax.dynamic_slice_in_dim(jax.random.uniform(jax.random.wrap_key_data(k), (8, 4)), index() * 4, 4) < 0.5,
            x,
            0.0,
        ),
        EQ,
    ),
    same_on_each=(lambda k, x: dropout(jax.random.wrap_key_data(k), x), NOT("every device drops the same places")),
    folded=(lambda k, x: dropout(jax.random.fold_in(jax.random.wrap_key_data(k), index()), x), NOT("another mask")),
)

# --- Library functions ------------------------------------------------------------------------------------------------

pair("sort_rows", lambda x: jnp.sort(x, 1), [(8, 6)], ("x=2", ["x -"], ["x -"]), right=(lambda x: jnp.sort(x, 1), EQ))
pair(
    "sort_columns",
    lambda x: jnp.sort(x, 0),
    [(8, 3)],
    ("x=2", ["x -"], ["x -"]),
    right=(
        lambda x: lax.dynamic_slice_in_dim(jnp.sort(lax.all_gather(x, "x", axis=0, tiled=True), 0), index() * 4, 4),
        EQ,
    ),
    of_shard=(lambda x: jnp.sort(x, 0), NOT("each shard is sorted in itself")),
)
pair(
    "fft_rows",
    lambda x: jnp.abs(jnp.fft.rfft(x, axis=1)),
    [(8, 4)],
    ("x=2", ["x -"], ["x -"]),
    right=(lambda x: jnp.abs(jnp.fft.rfft(x, axis=1)), EQ),
)


def sgd(w, x, y, by=1.0, reduce=True):
    loss, g = jax.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w[0]) @ w[1] - y) ** 2))(w)
    if reduce:
        loss, g = lax.pmean((loss, g), "dp")
    return [*jax.tree.map(lambda a, b: a - 0.1 * by * b, w, g), loss]


def sgd_source(a, b, x, y):
    loss, g = jax.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w[0]) @ w[1] - y) ** 2))([a, b])
    return a - 0.1 * g[0], b - 0.1 * g[1], loss


layout = ("dp=4", ["- -", "- -", "dp -", "dp -"], ["- -", "- -", ""])
pair(
    "train_step",
    sgd_source,
    [(4, 6), (6, 3), (8, 4), (8, 3)],
    layout,
    right=(lambda a, b, x, y: tuple(sgd([a, b], x, y)), EQ),
    lr_scaled=(lambda a, b, x, y: tuple(sgd([a, b], x, y, by=4.0)), NOT("the step is n times too large")),
    not_reduced=(lambda a, b, x, y: tuple(sgd([a, b], x, y, reduce=False)), NOT("gradients stay local")),
)
