#!/usr/bin/env python3
"""Writes the programs of this folder: hand-written SPMD programs, each in one right and two plausible wrong versions.

usage: make.py [FOLDER]      needs jax
`partir validate NAME.seq.mlir NAME.VARIANT.spmd.mlir` yields the verdict in the first line of each.
"""

import functools
import os
import sys

import jax
import jax.numpy as jnp
from jax import lax
from spmd_text import write

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else HERE


def ring(n, by=1):
    return [(k, (k + by) % n) for k in range(n)]


def pair(name, source, arrays, **variants):
    write(OUT, name, source, variants, arrays)


# --- Megatron's MLP: columns, then rows -------------------------------------------------------------------------------


def mlp(x, w1, w2):
    return jax.nn.gelu(x @ w1) @ w2


def mlp_device(x, w1, w2, where="end"):
    h = x @ w1
    if where == "early":
        h = lax.psum(h, "tp")  # each device has different columns
    y = jax.nn.gelu(h) @ w2
    return y if where == "never" else lax.psum(y, "tp")


layout = ("tp=4", ["- -", "- tp", "tp -"], ["- -"])
pair(
    "megatron_mlp",
    mlp,
    [(4, 8), (8, 16), (16, 8)],
    right=(mlp_device, *layout, "equal"),
    no_reduce=(
        functools.partial(mlp_device, where="never"),
        *layout,
        "different (the row-parallel product is not summed)",
    ),
    columns_summed=(functools.partial(mlp_device, where="early"), *layout, "different (column shards are summed)"),
)


# --- Megatron's attention: heads are split ----------------------------------------------------------------------------


def attention(x, wq, wk, wv, wo, scale_by=None):
    q, k, v = (jnp.einsum("sd,dhe->hse", x, w) for w in (wq, wk, wv))
    s = jnp.einsum("hse,hte->hst", q, k) / jnp.sqrt(jnp.float32(scale_by or wq.shape[2]))
    return jnp.einsum("hst,hte,hed->sd", jax.nn.softmax(s, -1), v, wo)


def attention_device(x, wq, wk, wv, wo, scale_by=None, mean=False):
    y = attention(x, wq, wk, wv, wo, scale_by)
    return lax.pmean(y, "tp") if mean else lax.psum(y, "tp")


layout = ("tp=2", ["- -", "- tp -", "- tp -", "- tp -", "tp - -"], ["- -"])
pair(
    "megatron_attention",
    attention,
    [(4, 6), (6, 4, 3), (6, 4, 3), (6, 4, 3), (4, 3, 6)],
    right=(attention_device, *layout, "equal"),
    mean=(functools.partial(attention_device, mean=True), *layout, "different (heads are averaged, not summed)"),
    scale=(functools.partial(attention_device, scale_by=2), *layout, "different (scaled by the local number of heads)"),
)


# --- Sequence parallelism: norms on rows, products on gathered rows ---------------------------------------------------


def rms(x, g):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g


def block(x, g, w1, w2):
    return x + jax.nn.relu(rms(x, g) @ w1) @ w2


def block_device(x, g, w1, w2, gather=0, twice=False):
    h = lax.all_gather(rms(x, g), "tp", axis=0, tiled=True)
    y = lax.psum_scatter(jax.nn.relu(h @ w1) @ w2, "tp", scatter_dimension=0, tiled=True)
    if twice:
        return lax.psum(x, "tp") + y
    if gather:
        y = lax.ppermute(y, "tp", ring(4))
    return x + y


layout = ("tp=4", ["tp -", "-", "- tp", "tp -"], ["tp -"])
pair(
    "sequence_parallel",
    block,
    [(8, 6), (6,), (6, 8), (8, 6)],
    right=(block_device, *layout, "equal"),
    residual_summed=(
        functools.partial(block_device, twice=True),
        *layout,
        "different (rows of all devices are added to the residual)",
    ),
    next_rows=(
        functools.partial(block_device, gather=1),
        *layout,
        "different (each device adds the rows of its neighbour)",
    ),
)


# --- Ring attention ---------------------------------------------------------------------------------------------------


def softmax_attention(q, k, v):
    return jax.nn.softmax(q @ k.T, -1) @ v


def causal_attention(q, k, v):
    s = q @ k.T
    mask = jnp.arange(q.shape[0])[:, None] >= jnp.arange(k.shape[0])[None, :]
    return jax.nn.softmax(jnp.where(mask, s, -jnp.inf), -1) @ v


def ring_device(q, k, v, causal=False, n=4, rescale=True, owner=-1, strict=False):
    r = lax.axis_index("sp")
    rows = q.shape[0]
    m = jnp.full((rows, 1), -1e30)
    total = jnp.zeros((rows, 1))
    o = jnp.zeros_like(q)
    for t in range(n):
        s = q @ k.T
        if causal:
            block_of = (r + owner * t) % n
            at = r * rows + jnp.arange(rows)[:, None]
            to = block_of * rows + jnp.arange(rows)[None, :]
            mask = at > to if strict else at >= to
            s = jnp.where(mask, s, -1e30)
        new = jnp.maximum(m, jnp.max(s, -1, keepdims=True))
        p = jnp.exp(s - new)
        if causal:
            p = jnp.where(mask, p, 0.0)
        c = jnp.exp(m - new) if rescale else 1.0
        total = total * c + jnp.sum(p, -1, keepdims=True)
        o = o * c + p @ v
        m = new
        if t < n - 1:
            k, v = (lax.ppermute(a, "sp", ring(n)) for a in (k, v))
    return o / total


def ring_short(q, k, v):
    m = jnp.full((q.shape[0], 1), -1e30)
    total = jnp.zeros((q.shape[0], 1))
    o = jnp.zeros_like(q)
    for _ in range(3):
        s = q @ k.T
        new = jnp.maximum(m, jnp.max(s, -1, keepdims=True))
        p = jnp.exp(s - new)
        c = jnp.exp(m - new)
        total, o, m = total * c + jnp.sum(p, -1, keepdims=True), o * c + p @ v, new
        k, v = (lax.ppermute(a, "sp", ring(4)) for a in (k, v))
    return o / total


layout = ("sp=4", ["sp -", "sp -", "sp -"], ["sp -"])
shapes = [(8, 4), (8, 4), (8, 4)]
pair(
    "ring_attention",
    softmax_attention,
    shapes,
    right=(ring_device, *layout, "equal"),
    no_rescaling=(
        functools.partial(ring_device, rescale=False),
        *layout,
        "different (sums of other maxima are added as they are)",
    ),
    three_steps=(ring_short, *layout, "different (one block is never met)"),
)


pair(
    "ring_attention_causal",
    causal_attention,
    shapes,
    right=(functools.partial(ring_device, causal=True), *layout, "equal"),
    direction=(
        functools.partial(ring_device, causal=True, owner=1),
        *layout,
        "different (the mask takes blocks to come from the other side)",
    ),
    strict=(
        functools.partial(ring_device, causal=True, strict=True),
        *layout,
        "different (a position does not see itself)",
    ),
)


# --- Ulysses: all_to_all between sequence and heads -------------------------------------------------------------------


def multi_head(q, k, v):
    s = jnp.einsum("she,the->hst", q, k)
    return jnp.einsum("hst,the->she", jax.nn.softmax(s, -1), v)


def ulysses_device(q, k, v, tiled=True, back=True, keys=True):
    def swap(a):
        return lax.all_to_all(a, "sp", split_axis=1, concat_axis=0, tiled=True)

    q, v = swap(q), swap(v)
    k = swap(k) if keys else lax.all_gather(k, "sp", axis=0, tiled=True)[:, : k.shape[1] // 4]
    o = multi_head(q, k, v)
    if not back:
        n = o.shape[0] // 4
        o = lax.dynamic_slice_in_dim(o, lax.axis_index("sp") * n, n, 0)
        return jnp.tile(o, (1, 4, 1))
    return lax.all_to_all(o, "sp", split_axis=0, concat_axis=1, tiled=True)


layout = ("sp=4", ["sp - -", "sp - -", "sp - -"], ["sp - -"])
pair(
    "ulysses",
    multi_head,
    [(8, 4, 3)] * 3,
    right=(ulysses_device, *layout, "equal"),
    first_heads=(
        functools.partial(ulysses_device, keys=False),
        *layout,
        "different (keys of the first heads on every device)",
    ),
    own_head_only=(functools.partial(ulysses_device, back=False), *layout, "different (heads are not exchanged back)"),
)


# --- Collective matmul: gather the rows block by block, multiply meanwhile --------------------------------------------


def matmul(x, w):
    return x @ w


def collective_matmul_device(x, w, by=1, place=-1, n=4):
    r = lax.axis_index("tp")
    rows = x.shape[0]
    out = jnp.zeros((rows * n, w.shape[1]))
    for t in range(n):
        out = lax.dynamic_update_slice_in_dim(out, x @ w, ((r + place * t) % n) * rows, 0)
        if t < n - 1:
            x = lax.ppermute(x, "tp", ring(n, by))
    return out


layout = ("tp=4", ["tp -", "- tp"], ["- tp"])
pair(
    "collective_matmul",
    matmul,
    [(8, 6), (6, 8)],
    right=(collective_matmul_device, *layout, "equal"),
    other_way=(
        functools.partial(collective_matmul_device, by=-1),
        *layout,
        "different (blocks arrive from the other side)",
    ),
    in_place=(
        functools.partial(collective_matmul_device, place=0),
        *layout,
        "different (every block is written to the own place)",
    ),
)


# --- ZeRO-1: each device updates its part of the parameters -----------------------------------------------------------


def adam(p, m, v, x, y):
    g = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(p)
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g * g
    return p - 0.1 * m / (jnp.sqrt(v) + 1e-8), m, v


def zero1_device(p, m, v, x, y, scatter=True, scale=True):
    g = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(p)
    r, rows = lax.axis_index("dp"), m.shape[0]
    if scatter:
        g = lax.psum_scatter(g, "dp", scatter_dimension=0, tiled=True)
    else:
        g = lax.dynamic_slice_in_dim(g, r * rows, rows, 0)  # the gradient of the local batch only
    if scale:
        g = g / lax.axis_size("dp")
    own = lax.dynamic_slice_in_dim(p, r * rows, rows, 0)
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g * g
    own = own - 0.1 * m / (jnp.sqrt(v) + 1e-8)
    return lax.all_gather(own, "dp", axis=0, tiled=True), m, v


layout = ("dp=4", ["- -", "dp -", "dp -", "dp -", "dp -"], ["- -", "dp -", "dp -"])
pair(
    "zero1_update",
    adam,
    [(8, 4), (8, 4), (8, 4), (8, 8), (8, 4)],
    right=(zero1_device, *layout, "equal"),
    local_gradient=(
        functools.partial(zero1_device, scatter=False, scale=False),
        *layout,
        "different (gradients are cut instead of reduce-scattered)",
    ),
    not_averaged=(
        functools.partial(zero1_device, scale=False),
        *layout,
        "different (gradients of means are summed, not averaged)",
    ),
)


# --- Vocabulary-parallel cross entropy --------------------------------------------------------------------------------


def cross_entropy(h, w, labels):
    logits = h @ w
    z = jax.nn.logsumexp(logits, -1)
    labels = jnp.clip(labels, 0, w.shape[1] - 1)
    return jnp.mean(z - jnp.take_along_axis(logits, labels[:, None], -1)[:, 0])


def vocabulary_device(h, w, labels, mask=True, whole_sum=True):
    r, size = lax.axis_index("tp"), w.shape[1]
    n = lax.axis_size("tp")
    logits = h @ w
    top = lax.pmax(jnp.max(logits, -1), "tp")
    total = jnp.sum(jnp.exp(logits - top[:, None]), -1)
    if whole_sum:
        total = lax.psum(total, "tp")
    at = jnp.clip(labels, 0, size * n - 1) - r * size
    inside = (at >= 0) & (at < size)
    own = jnp.take_along_axis(logits, jnp.clip(at, 0, size - 1)[:, None], -1)[:, 0]
    if mask:
        own = jnp.where(inside, own, 0.0)
    picked = lax.psum(own, "tp")
    return jnp.mean(jnp.log(total) + top - picked)


layout = ("tp=4", ["- -", "- tp", "-"], [""])
pair(
    "vocabulary_cross_entropy",
    cross_entropy,
    [(4, 6), (6, 8), ((4,), "int32")],
    right=(vocabulary_device, *layout, "equal"),
    no_mask=(
        functools.partial(vocabulary_device, mask=False),
        *layout,
        "different (labels of other shards pick an end column)",
    ),
    local_sum=(
        functools.partial(vocabulary_device, whole_sum=False),
        *layout,
        "different (the normaliser is that of the shard)",
    ),
)


# --- A pipeline of microbatches ---------------------------------------------------------------------------------------


def layers(x, w):
    for k in range(w.shape[0]):
        x = jnp.tanh(x @ w[k])
    return x


def pipeline_device(x, w, n=4, late=0, keep=False):
    r = lax.axis_index("pp")
    micro = x.reshape(2, x.shape[0] // 2, x.shape[1])
    state = jnp.zeros_like(micro[0])
    out = jnp.zeros_like(micro)
    for t in range(2 + n - 1):
        feed = micro[min(t, 1)]
        state = jnp.where(r == 0, feed, state)
        state = jnp.tanh(state @ w[0])
        done = t - (n - 1) - late
        if 0 <= done < 2:
            out = out.at[done].set(jnp.where(r == n - 1, state, 0.0))
        if not keep:
            state = lax.ppermute(state, "pp", ring(n))
    return lax.psum(out, "pp").reshape(x.shape)


layout = ("pp=4", ["- -", "pp - -"], ["- -"])
pair(
    "pipeline",
    layers,
    [(4, 6), (4, 6, 6)],
    right=(pipeline_device, *layout, "equal"),
    one_step_late=(functools.partial(pipeline_device, late=1), *layout, "different (outputs are taken one step late)"),
    not_sent=(functools.partial(pipeline_device, keep=True), *layout, "different (stages do not hand their output on)"),
)


# --- A convolution with a halo ----------------------------------------------------------------------------------------


def convolve(x, w):
    return lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))


def halo_device(x, w, n=4, edge=True, swap=False):
    r = lax.axis_index("sp")
    left = lax.ppermute(x[:, -1:], "sp", ring(n))
    right = lax.ppermute(x[:, :1], "sp", ring(n, -1))
    if edge:
        left = jnp.where(r == 0, 0.0, left)
        right = jnp.where(r == n - 1, 0.0, right)
    if swap:
        left, right = right, left
    x = jnp.concatenate([left, x, right], 1)
    return lax.conv_general_dilated(x, w, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"))


layout = ("sp=4", ["- sp -", "- - -"], ["- sp -"])
pair(
    "halo_convolution",
    convolve,
    [(2, 8, 3), (3, 3, 4)],
    right=(halo_device, *layout, "equal"),
    wraps_around=(
        functools.partial(halo_device, edge=False),
        *layout,
        "different (the ends see each other instead of zeros)",
    ),
    sides_swapped=(
        functools.partial(halo_device, swap=True),
        *layout,
        "different (the halos of both sides are exchanged)",
    ),
)
