#!/usr/bin/env python3
"""Regenerates those pairs of tests/verify/validate/pairs that are complete distributed algorithms.

The algorithms schedule products, scans, halos, caches, experts and optimizers. make_pairs.py writes the pairs that have
one defect each.

usage: make_algorithm_pairs.py [FOLDER]      needs jax
"""

import jax
import jax.numpy as jnp
from jax import lax
from pair_writing import EQ, NOT, OUT, P, index, psum, ring, write  # (before jax: it sets up the devices)


def pair(name, source, arrays, layout, device, **variants):
    """`variants` maps a `mode` of `device` to its verdict; the variant "right" has no mode."""
    rows = {"right": (device, *layout, EQ)}
    for mode, expect in variants.items():
        rows[mode] = (P(device, mode=mode), *layout, expect)
    write(OUT, name, source, rows, arrays)


# --- Products ---------------------------------------------------------------------------------------------------------


def cannon(a, b, mode=None, n=2):
    def number(i, j):
        return i * n + j

    grid = [(i, j) for i in range(n) for j in range(n)]
    a = lax.ppermute(a, ("r", "c"), [(number(i, j), number(i, (j - i) % n)) for i, j in grid])
    if mode != "one_skewed":
        b = lax.ppermute(b, ("r", "c"), [(number(i, j), number((i - j) % n, j)) for i, j in grid])
    out = jnp.zeros((a.shape[0], b.shape[1]))
    for _ in range(n):
        out = out + a @ b
        a = lax.ppermute(a, "c", ring(n, -1))
        b = lax.ppermute(b, "r", ring(n, -1))
    return out


pair(
    "cannon",
    jnp.matmul,
    [(4, 6), (6, 8)],
    ("r=2,c=2", ["r c", "r c"], ["r c"]),
    cannon,
    one_skewed=NOT("b is not skewed"),
)


def both_ways(x, w, mode=None, n=4):
    """Gathers x while it is multiplied: the first half of each chunk is passed around the ring one way, the second the
    other.
    """
    rows, half = x.shape[0], x.shape[0] // 2
    out = jnp.zeros((rows * n, w.shape[1]))
    one, other = x[:half], x[half:]
    for t in range(n):
        at = (index() - t) % n
        other_at = at if mode == "same_way" else (index() + t) % n
        out = lax.dynamic_update_slice(out, one @ w, (at * rows, jnp.int32(0)))
        out = lax.dynamic_update_slice(out, other @ w, (other_at * rows + half, jnp.int32(0)))
        one = lax.ppermute(one, "x", ring(n))
        other = lax.ppermute(other, "x", ring(n, -1))
    return out


pair(
    "collective_matmul_both_ways",
    jnp.matmul,
    [(8, 4), (4, 8)],
    ("x=4", ["x -", "- x"], ["- x"]),
    both_ways,
    same_way=NOT("the second half is placed as the first"),
)


def layers(w, x, gathered=lambda w: w):
    return lax.scan(lambda x, w: (jnp.tanh(x @ gathered(w)), None), x, w)[0]


def fsdp_gradient(w, x, y, mode=None):
    g = jax.grad(lambda w: jnp.sum((layers(w, x, lambda w: lax.all_gather(w, "x", axis=0, tiled=True)) - y) ** 2))(w)
    return psum(g) if mode == "summed_again" else g


pair(
    "fsdp_gradient",
    lambda w, x, y: jax.grad(lambda w: jnp.sum((layers(w, x) - y) ** 2))(w),
    [(3, 4, 4), (8, 4), (8, 4)],
    ("x=4", ["- x -", "x -", "x -"], ["- x -"]),
    fsdp_gradient,
    summed_again=NOT("gathering's gradient has reduced it"),
)

# --- Scans ------------------------------------------------------------------------------------------------------------


def doubling(x, mode=None, n=4):
    own = jnp.cumsum(x, 0)
    total = own[-1]
    for by in (1,) if mode == "one_round" else (1, 2):
        from_left = lax.ppermute(total, "x", ring(n, by))
        total = total + (from_left if mode == "wraps" else jnp.where(index() >= by, from_left, 0.0))
    return own + jnp.where(index() >= 1, lax.ppermute(total, "x", ring(n)), 0.0)


pair(
    "prefix_sum_by_doubling",
    lambda x: jnp.cumsum(x, 0),
    [(8, 3)],
    ("x=4", ["x -"], ["x -"]),
    doubling,
    wraps=NOT("the first device takes the last one's total"),
    one_round=NOT("only the neighbour's total"),
)


def recurrence(a, b):
    return lax.scan(lambda h, ab: (ab[0] * h + ab[1],) * 2, jnp.zeros(a.shape[1]), (a, b))[1]


def recurrence_device(a, b, mode=None, n=4):
    def step(c, ab):
        return ((ab[0] * c[0], ab[0] * c[1] + ab[1]),) * 2

    (scale, offset), (scales, offsets) = lax.scan(step, (jnp.ones(a.shape[1]), jnp.zeros(a.shape[1])), (a, b))
    scale, offset = lax.all_gather(scale, "x"), lax.all_gather(offset, "x")
    h = jnp.zeros(a.shape[1])
    for k in range(n - 1):
        after = scale[k] * (h + offset[k]) if mode == "other_order" else scale[k] * h + offset[k]
        h = jnp.where(k <= index() if mode == "own_too" else k < index(), after, h)
    return scales * h + offsets


pair(
    "linear_recurrence",
    recurrence,
    [(8, 3), (8, 3)],
    ("x=4", ["x -", "x -"], ["x -"]),
    recurrence_device,
    other_order=NOT("composed in the other order"),
    own_too=NOT("the own part enters twice"),
)

# --- Halos and caches -------------------------------------------------------------------------------------------------


def window(q, k, v, seen, width=3):
    return jax.nn.softmax(jnp.where(seen[0] & (seen[1] < width), q @ k.T, -jnp.inf), -1) @ v


def causal(to, of):
    return to[:, None] >= of[None], to[:, None] - of[None]


def window_device(q, k, v, mode=None, n=4):
    rows, halo = q.shape[0], 1 if mode == "short_halo" else 2
    k, v = (jnp.concatenate([lax.ppermute(a[rows - halo :], "x", ring(n)), a]) for a in (k, v))
    of = index() * rows - halo + jnp.arange(rows + halo)
    seen, distance = causal(index() * rows + jnp.arange(rows), of)
    return window(q, k, v, (seen if mode == "wraps" else seen & (of >= 0)[None], distance))


pair(
    "window_attention",
    lambda q, k, v: window(q, k, v, causal(jnp.arange(8), jnp.arange(8))),
    [(8, 3)] * 3,
    ("x=4", ["x -"] * 3, ["x -"]),
    window_device,
    wraps=NOT("the first device reads the last one's rows"),
    short_halo=NOT("one row of the halo is missing"),
)


def neighbours(u):
    return sum((1 + i + 3 * j) * u[i : i + u.shape[0] - 2, j : j + u.shape[1] - 2] for i in range(3) for j in range(3))


def with_halo(u, dim, axis):
    low, high = lax.slice_in_dim(u, 0, 1, axis=dim), lax.slice_in_dim(u, u.shape[dim] - 1, u.shape[dim], axis=dim)
    return jnp.concatenate([lax.ppermute(high, axis, [(0, 1)]), u, lax.ppermute(low, axis, [(1, 0)])], dim)


def stencil_device(u, mode=None):
    rows = with_halo(u, 0, "r")
    if mode == "no_corners":
        return neighbours(jnp.pad(with_halo(u, 1, "c"), ((1, 1), (0, 0))).at[:, 1:-1].set(rows))
    return neighbours(with_halo(rows, 1, "c"))


pair(
    "stencil",
    lambda u: neighbours(jnp.pad(u, 1)),
    [(4, 6)],
    ("r=2,c=2", ["r c"], ["r c"]),
    stencil_device,
    no_corners=NOT("corners are not exchanged"),
)


def ring_cache(c, v, p, mode=None):
    at = p % 8 - index() * 2
    mine = (at >= 0) & (at <= 2 if mode == "upper_end" else at < 2)
    return jnp.where(mine, lax.dynamic_update_slice_in_dim(c, v, jnp.clip(at, 0, 1), 0), c)


pair(
    "ring_cache",
    lambda c, v, p: lax.dynamic_update_slice_in_dim(c, v, p % 8, 0),
    [(8, 3), (1, 3), ((), "int32")],
    ("x=4", ["x -", "- -", ""], ["x -"]),
    ring_cache,
    upper_end=NOT("the next device's first place is overwritten, too"),
)

# --- Experts, statistics, sampling ------------------------------------------------------------------------------------


def routed(x, gate, capacity=2):
    """Returns the expert and position of each token, by the two best gates, and its weights; tokens beyond the capacity
    are dropped.
    """
    p = jax.nn.softmax(x @ gate, -1)
    first = jax.nn.one_hot(jnp.argmax(p, -1), p.shape[-1])
    second = jax.nn.one_hot(jnp.argmax(jnp.where(first > 0, -1.0, p), -1), p.shape[-1])
    places = jnp.cumsum(first, 1) - first, jnp.cumsum(second, 1) - second + first.sum(1, keepdims=True)
    weights = [(p * m).sum(-1) for m in (first, second)]
    sent = [
        jax.nn.one_hot((at * m).sum(-1).astype(jnp.int32), capacity)[..., None, :] * m[..., None]
        for at, m in zip(places, (first, second), strict=True)
    ]
    return sent[0] + sent[1], sum((w / sum(weights))[..., None, None] * s for w, s in zip(weights, sent, strict=True))


def experts(x, gate, w, there=lambda h: h, back=lambda h: h):
    sent, weighted = routed(x, gate)
    h = there(jnp.einsum("gtec,gtd->egcd", sent, x))
    return jnp.einsum("gtec,egcf->gtf", weighted, back(jax.nn.relu(jnp.einsum("egcd,edf->egcf", h, w))))


def experts_device(x, gate, w, mode=None):
    def there(h):
        return lax.all_to_all(h, "x", 0, 1, tiled=True)

    def back(h):
        h = lax.ppermute(h, "x", ring(4)) if mode == "neighbour" else h
        return lax.all_to_all(h, "x", 1, 0, tiled=True)

    return experts(x, gate, w, there, back)


pair(
    "two_best_experts",
    experts,
    [(4, 3, 2), (2, 4), (4, 2, 2)],
    ("x=4", ["x - -", "- -", "x - -"], ["x - -"]),
    experts_device,
    neighbour=NOT("results of another expert"),
)


def normalised(x, g):
    m = jnp.mean(x, 0)
    return (x - m) * lax.rsqrt(jnp.var(x, 0) + 1e-5) * g


def welford(x, g, mode=None, n=4):
    rows = x.shape[0]
    means, spreads = lax.all_gather(jnp.mean(x, 0), "x"), lax.all_gather(jnp.sum((x - jnp.mean(x, 0)) ** 2, 0), "x")
    count, mean, spread = rows, means[0], spreads[0]
    for k in range(1, n):
        d = means[k] - mean
        spread = spread + spreads[k] + (0 if mode == "no_distance" else d * d * count * rows / (count + rows))
        mean = mean + d * rows / (count + rows)
        count += rows
    return (x - mean) * lax.rsqrt(spread / count + 1e-5) * g


pair(
    "batch_norm_by_welford",
    normalised,
    [(8, 3), (3,)],
    ("x=4", ["x -", "-"], ["x -"]),
    welford,
    no_distance=NOT("the distance of the means is left out"),
)


def sampled(key, logits):
    return jnp.argmax(logits + jax.random.gumbel(jax.random.wrap_key_data(key), logits.shape), -1).astype(jnp.int32)


def sampled_device(key, logits, mode=None):
    rows, words = logits.shape
    key = jax.random.wrap_key_data(key)
    own = (
        jax.random.gumbel(key, logits.shape)
        if mode == "same_noise"
        else lax.dynamic_slice_in_dim(jax.random.gumbel(key, (rows, words * 4)), index() * words, words, 1)
    )
    value = (logits + own).max(-1)
    place = jnp.argmax(logits + own, -1).astype(jnp.int32) + index() * words
    return lax.pmin(jnp.where(value == lax.pmax(value, "x"), place, 1 << 20), "x")


pair(
    "gumbel_sampling",
    sampled,
    [((2,), "uint32"), (3, 8)],
    ("x=4", ["-", "- x"], ["-"]),
    sampled_device,
    same_noise=NOT("every device draws the same noise"),
)


def grown(x, total):
    return lax.while_loop(lambda c: (total(c[0]) < 100.0) & (c[1] < 20), lambda c: (c[0] * 2 + 1, c[1] + 1), (x, 0))


pair(
    "loop_by_norm",
    lambda x: grown(x, lambda a: jnp.sum(a * a)),
    [(8,)],
    ("x=4", ["x"], ["x", ""]),
    lambda x, mode=None: grown(x, lambda a: jnp.sum(a * a) if mode == "own_norm" else psum(jnp.sum(a * a))),
    own_norm=NOT("each device ends by its own norm"),
)
