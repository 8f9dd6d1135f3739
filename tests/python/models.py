"""Small models for the tests, each with a step to partition, its arguments, what it donates, and schedules."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import openpartir as partir

MODELS = {}
Z = partir.FIRST_DIVISIBLE_DIM


def tactic(name, axis, **requests):
    return partir.ManualPartition(axis, name=name, **requests)


def model(*schedules, donate=()):
    """Registers a function that returns (step, arguments); `schedules` are pairs of a name and tactics."""

    def register(make):
        MODELS[make.__name__] = (make, dict(schedules), donate)
        return make

    return register


def draw(seed, *shape, dtype=jnp.float32):
    scale = 1 / np.sqrt(shape[-2]) if len(shape) > 1 else 0.1
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape) * scale, dtype)


def tokens(seed, *shape, vocabulary=16):
    return jnp.asarray(np.random.default_rng(seed).integers(0, vocabulary, shape), jnp.int32)


def sgd(loss, rate=0.1):
    def step(params, *batch):
        value, grads = jax.value_and_grad(loss)(params, *batch)
        return jax.tree.map(lambda p, g: (p - rate * g).astype(p.dtype), params, grads), value

    return step


def adam(loss, rate=1e-2):
    def step(params, opt_state, *batch):
        value, grads = jax.value_and_grad(loss)(params, *batch)
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, opt_state["mu"], grads)
        nu = jax.tree.map(lambda n, g: 0.99 * n + 0.01 * g * g, opt_state["nu"], grads)
        params = jax.tree.map(lambda p, m, n: p - rate * m / (jnp.sqrt(n) + 1e-2), params, mu, nu)
        return params, {"mu": mu, "nu": nu}, value

    return step


def moments(params):
    return {"mu": jax.tree.map(jnp.zeros_like, params), "nu": jax.tree.map(jnp.zeros_like, params)}


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def attention(x, p, heads=2):
    q, k, v = jnp.einsum("bsd,zdhe->zbshe", x, p["qkv"])
    scores = jnp.einsum("bshe,bthe->bhst", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    return jnp.einsum("bhst,bthe,hed->bsd", weights, v, p["out"])


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1))


BATCH = ("BP", [tactic("BP", "batch", inputs={"batch": 0})])


@model(
    BATCH,
    ("BP+MP", [*BATCH[1], tactic("MP", "model", inputs={"params/w1": 1})]),
    (
        "BP+MP+Z3",
        [*BATCH[1], tactic("MP", "model", inputs={"params/w1": 1}), tactic("Z3", "batch", inputs={"params": Z})],
    ),
    donate=0,
)
def mlp():
    params = {"w1": draw(0, 16, 32), "w2": draw(1, 32, 16), "b": draw(2, 32)}

    def loss(params, batch):
        return jnp.mean((jax.nn.gelu(batch @ params["w1"] + params["b"]) @ params["w2"] - batch) ** 2)

    return sgd(loss), (params, draw(3, 8, 16))


MEGATRON = tactic("MP", "model", inputs={"params/layers/*/qkv": 2, "params/layers/*/up": 1})


@model(
    BATCH,
    ("BP+MP", [*BATCH[1], MEGATRON]),
    (
        "BP+MP+Z3",
        [*BATCH[1], MEGATRON, tactic("Z3", "batch", inputs={"params/**": Z, "opt_state/**": Z})],
    ),
    ("BP+Z2", [*BATCH[1], tactic("Z2", "batch", inputs={"params": partir.REPLICATED, "opt_state": Z})]),
    ("MP+SP", [MEGATRON, tactic("SP", "batch", values={"residual": 1})]),
    donate=(0, 1),
)
def transformer():
    def layer(i):
        return {"qkv": draw(i, 3, 16, 2, 8), "out": draw(i + 1, 2, 8, 16), "up": draw(i + 2, 16, 32),
                "down": draw(i + 3, 32, 16)}  # fmt: skip

    params = {"embed": draw(9, 16, 16), "layers": [layer(10), layer(20)]}

    def loss(params, batch):
        x = params["embed"][batch[:, :-1]]
        for p in params["layers"]:
            x = partir.named(x + attention(norm(x), p), "residual")
            x = partir.named(x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], "residual")
        return cross_entropy(norm(x) @ params["embed"].T, batch[:, 1:])

    return adam(loss), (params, moments(params), tokens(4, 8, 9))


@model(BATCH, ("BP+MP", [*BATCH[1], tactic("MP", "model", inputs={"params/up": 2})]), donate=0)
def transformer_scan():
    params = {"qkv": draw(0, 3, 3, 16, 2, 8), "out": draw(1, 3, 2, 8, 16), "up": draw(2, 3, 16, 32),
              "down": draw(3, 3, 32, 16)}  # fmt: skip

    def loss(params, batch):
        def block(x, p):
            x = x + attention(norm(x), p)
            return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], None

        return jnp.mean(lax.scan(jax.checkpoint(block), batch, params)[0] ** 2)

    return sgd(loss), (params, draw(4, 8, 4, 16))


@model(BATCH, ("BP+MP", [*BATCH[1], tactic("MP", "model", inputs={"params/conv1": 3})]), donate=0)
def convolutions():
    params = {"conv1": draw(0, 3, 3, 4, 8), "conv2": draw(1, 3, 3, 8, 4), "head": draw(2, 4, 10)}

    def loss(params, batch, labels):
        conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))  # noqa: E731
        x = jax.nn.relu(conv(batch, params["conv1"]))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = jax.nn.relu(conv(x, params["conv2"])).mean((1, 2))
        return cross_entropy(x @ params["head"], labels)

    return sgd(loss), (params, draw(3, 8, 8, 8, 4), tokens(4, 8, vocabulary=10))


@model(BATCH, ("BP+H", [*BATCH[1], tactic("H", "model", inputs={"params/gates": 1})]), donate=0)
def recurrent():
    params = {"gates": draw(0, 16, 24), "update": draw(1, 16, 8), "out": draw(2, 8, 1)}

    def loss(params, batch):
        def cell(h, x):
            z, r, g = jnp.split(jax.nn.sigmoid(jnp.concatenate([x, h], -1) @ params["gates"]), 3, -1)
            new = jnp.tanh(jnp.concatenate([x, r * h], -1) @ params["update"])
            return z * h + (1 - z) * new * g, None

        h, _ = lax.scan(cell, jnp.zeros((batch.shape[0], 8)), batch.transpose(1, 0, 2))
        return jnp.mean((h @ params["out"]) ** 2)

    return sgd(loss), (params, draw(3, 8, 5, 8))


@model(
    ("EP", [tactic("EP", "model", inputs={"params/up": 0, "params/down": 0})]),
    ("BP+EP", [*BATCH[1], tactic("EP", "model", inputs={"params/up": 0, "params/down": 0})]),
    donate=0,
)
def mixture_of_experts():
    params = {"gate": draw(0, 16, 4), "up": draw(1, 4, 16, 32), "down": draw(2, 4, 32, 16)}

    def loss(params, batch):
        weights = jax.nn.softmax(batch @ params["gate"])
        dispatch = weights * (weights >= jnp.sort(weights, -1)[:, -2:-1])
        hidden = jax.nn.relu(jnp.einsum("te,td,edf->etf", dispatch, batch, params["up"]))
        return jnp.mean((jnp.einsum("etf,efd->td", hidden, params["down"]) - batch) ** 2)

    return sgd(loss), (params, draw(3, 16, 16))


@model(("ES", [tactic("ES", "batch", inputs={"edges": 1, "messages": 0})]))
def graph_network():
    def step(params, nodes, edges, messages):
        sent = jax.nn.relu(jnp.concatenate([nodes[edges[0]], messages], -1) @ params["edge"])
        received = jax.ops.segment_sum(sent, edges[1], nodes.shape[0])
        return nodes + received @ params["node"], sent

    params = {"edge": draw(0, 12, 16), "node": draw(1, 16, 8)}
    return step, (params, draw(2, 10, 8), tokens(3, 2, 24, vocabulary=10), draw(4, 24, 4))


@model(
    ("BP", [tactic("BP", "batch", inputs={"token": 0, "cache": 1})]),
    (
        "BP+MP",
        [tactic("BP", "batch", inputs={"token": 0, "cache": 1}), tactic("MP", "model", inputs={"params/qkv": 2})],
    ),
    ("S", [tactic("S", "batch", inputs={"cache": 2})]),
    donate=2,
)
def decoding():
    params = {"embed": draw(0, 16, 16), "qkv": draw(1, 3, 16, 2, 8), "out": draw(2, 2, 8, 16)}

    def step(params, token, cache, position):
        x = params["embed"][token]
        q, k, v = jnp.einsum("bd,zdhe->zbhe", x, params["qkv"])
        cache = lax.dynamic_update_slice(cache, jnp.stack([k, v])[:, :, None], (0, 0, position, 0, 0))
        scores = jnp.einsum("bhe,bthe->bht", q, cache[0]) / np.sqrt(8)
        weights = jax.nn.softmax(jnp.where(jnp.arange(cache.shape[2]) <= position, scores, -1e9))
        x = x + jnp.einsum("bht,bthe,hed->bd", weights, cache[1], params["out"])
        return jnp.argmax(x @ params["embed"].T, -1).astype(jnp.int32), cache, position + 1

    return step, (params, tokens(3, 8), jnp.zeros((2, 8, 8, 2, 8)), jnp.int32(3))


@model(BATCH, ("V", [tactic("V", "model", inputs={"params/table": 0})]), donate=0)
def embeddings():
    params = {"table": draw(0, 16, 8), "out": draw(1, 8, 16)}
    return sgd(lambda p, batch: cross_entropy(p["table"][batch] @ p["out"], batch)), (params, tokens(2, 8, 4))


@model(BATCH, ("BP+MP", [*BATCH[1], tactic("MP", "model", inputs={"params/w": 1})]), donate=(0, 1))
def noisy():
    def step(params, key, batch):
        key, use = jax.random.split(key)
        keep = jax.random.bernoulli(use, 0.8, (8, 16))

        def loss(params):
            return jnp.mean((jnp.where(keep, batch @ params["w"], 0) @ params["w"].T - batch) ** 2)

        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params)), key

    return step, ({"w": draw(0, 16, 16)}, jax.random.key(1), draw(2, 8, 16))


@model(BATCH, ("BP+MP", [*BATCH[1], tactic("MP", "model", inputs={"params/w1": 1})]), donate=0)
def mixed_precision():
    params = {"w1": draw(0, 16, 32), "w2": draw(1, 32, 16)}

    def loss(params, batch):
        half = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
        hidden = jax.nn.silu(batch.astype(jnp.bfloat16) @ half["w1"])
        return jnp.mean((hidden @ half["w2"]).astype(jnp.float32) ** 2)

    return sgd(loss), (params, draw(2, 8, 16))


@model(("BP", [tactic("BP", "batch", inputs={"x": 0})]), ("MP", [tactic("MP", "model", inputs={"x": 1})]))
def statistics():
    def step(x):
        ranks = jnp.argsort(x, axis=1)
        top, where = lax.top_k(x, 3)
        return {"ranks": ranks, "top": (top, where), "max": x.max(), "std": x.std(0), "sum": jnp.cumsum(x, 1)}

    return step, (draw(0, 8, 16),)


@model(("BP+MP", [*BATCH[1], tactic("MP", "model", inputs={"params/in": 1})]), donate=0)
def state_space():
    """Mamba's selective recurrence, as an associative scan over positions."""
    params = {"in": draw(0, 8, 16), "out": draw(1, 16, 8), "decay": draw(2, 16, 4), "read": draw(3, 16, 4)}

    def loss(params, batch):
        u = jax.nn.silu(batch @ params["in"])
        gate = jnp.exp(-jax.nn.softplus(u[..., None] * params["decay"]))
        given = u[..., None] * (u @ params["read"])[:, :, None]
        _, state = lax.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (gate, given), axis=1)
        return jnp.mean((state.sum(-1) @ params["out"] - batch) ** 2)

    return sgd(loss), (params, draw(4, 8, 4, 8))


@model(("E+F", [tactic("E", "batch", inputs={"edges": 1}), tactic("F", "model", inputs={"params/w": 1})]))
def graph_attention():
    """Attention over the edges that end in a node, and its gradient."""

    def loss(params, nodes, edges):
        h = nodes @ params["w"]
        score = jnp.concatenate([h[edges[0]], h[edges[1]]], -1) @ params["a"]
        largest = lax.stop_gradient(jax.ops.segment_max(score, edges[1], nodes.shape[0]))
        weight = jnp.exp(score - jnp.where(jnp.isfinite(largest), largest, 0)[edges[1]])
        total = jax.ops.segment_sum(weight, edges[1], nodes.shape[0])
        share = weight / (total[edges[1]] + 1e-9)
        return jnp.sum(jax.ops.segment_sum(share[:, None] * h[edges[0]], edges[1], nodes.shape[0]) ** 2)

    params = {"w": draw(0, 8, 8), "a": draw(1, 16)}
    return jax.value_and_grad(loss), (params, draw(2, 12, 8), tokens(3, 2, 24, vocabulary=12))


@model(("BP+H", [tactic("BP", "batch", inputs={"cache": 1, "draft": 0}), tactic("H", "model", inputs={"cache": 3})]))
def speculation():
    """Speculative decoding: tokens drafted by a smaller model are accepted as far as this model agrees with them."""
    params = {"embed": draw(0, 16, 16), "qkv": draw(1, 3, 16, 2, 8), "out": draw(2, 2, 8, 16)}

    def step(params, cache, draft, position, key):
        q, k, v = jnp.einsum("bsd,zdhe->zbshe", params["embed"][draft], params["qkv"])
        cache = lax.dynamic_update_slice(cache, jnp.stack([k, v]), (0, 0, position, 0, 0))
        seen = jnp.arange(cache.shape[2]) <= position + jnp.arange(draft.shape[1])[:, None]
        scores = jnp.where(seen[:, None], jnp.einsum("bshe,bthe->bsht", q, cache[0]), -1e9)
        words = jnp.einsum("bsht,bthe,hed->bsd", jax.nn.softmax(scores), cache[1], params["out"]) @ params["embed"].T
        said = jnp.take_along_axis(jax.nn.softmax(words), draft[..., None], -1)[..., 0]
        accepted = jnp.cumprod((jax.random.uniform(key, said.shape) < 8 * said).astype(jnp.int32), -1).sum(-1)
        own = jnp.argmax(jnp.take_along_axis(words, jnp.minimum(accepted, 3)[:, None, None], 1)[:, 0], -1)
        return cache, jnp.where(jnp.arange(4) < accepted[:, None], draft, own[:, None]), position + accepted

    return step, (params, jnp.zeros((2, 8, 8, 2, 8)), tokens(3, 8, 4), jnp.int32(2), jax.random.key(0))
