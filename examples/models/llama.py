"""Llama 3 with grouped-query attention, rotary positions and gated feed-forward; layers are written out or scanned."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw, cross_entropy, rms_norm


@dataclass(frozen=True)
class Size:
    """Sizes of a Llama and of one batch. `groups` is the number of heads of keys and values."""

    layers: int = 32
    width: int = 4096
    groups: int = 8
    heads_per_group: int = 4
    head: int = 128
    hidden: int = 14336
    vocabulary: int = 128256
    batch: int = 16
    length: int = 8192
    scan: bool = False


LLAMA3_8B = Size()
LLAMA3_8B_SCAN = Size(scan=True)
LLAMA3_405B = Size(layers=126, width=16384, heads_per_group=16, hidden=53248)
TINY = Size(layers=2, width=16, groups=2, heads_per_group=2, head=4, hidden=32, vocabulary=64, batch=8, length=8)


def init(size):
    """Return the parameters; with `scan` those of all layers are stacked."""
    draw, d, g, q, e = Draw(), size.width, size.groups, size.heads_per_group, size.head

    def layer():
        return {
            "attn": {
                "wq": draw(d, g, q, e),
                "wk": draw(d, g, e),
                "wv": draw(d, g, e),
                "wo": draw(g, q, e, d, fan=g * q * e),
            },
            "attn_norm": jnp.ones(d),
            "ffn": {"gate": draw(d, size.hidden), "up": draw(d, size.hidden), "down": draw(size.hidden, d)},
            "ffn_norm": jnp.ones(d),
        }

    layers = [layer() for _ in range(size.layers)]
    return {
        "embed": draw(size.vocabulary, d, fan=d),
        "layers": jax.tree.map(lambda *x: jnp.stack(x), *layers) if size.scan else layers,
        "norm": jnp.ones(d),
        "head": draw(d, size.vocabulary),
    }


def batch(size):
    """Return one batch of tokens and the tokens that follow them."""
    tokens = jax.random.randint(jax.random.key(1), (size.batch, size.length + 1), 0, size.vocabulary)
    return {"tokens": tokens[:, :-1], "labels": tokens[:, 1:]}


def rotate(x):
    """Apply rotary positions to x[batch, sequence, …, head]."""
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[1])[:, None] * 500000.0 ** (-jnp.arange(half) / half)
    angles = angles.reshape(x.shape[1], *[1] * (x.ndim - 3), half)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)], -1)


def attention(x, p):
    """Compute grouped-query attention of x[batch, sequence, width]."""
    q = rotate(jnp.einsum("bsd,dgqe->bsgqe", x, p["wq"]))
    k = rotate(jnp.einsum("bsd,dge->bsge", x, p["wk"]))
    v = jnp.einsum("bsd,dge->bsge", x, p["wv"])
    scores = jnp.einsum("bsgqe,btge->bgqst", q, k) * q.shape[-1] ** -0.5
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30))
    return jnp.einsum("bgqst,btge,gqed->bsd", weights, v, p["wo"], optimize=[(0, 1), (0, 1)])


def block(x, p):
    """Apply one layer."""
    with jax.named_scope("attention"):
        x = x + attention(rms_norm(x, p["attn_norm"]), p["attn"])
    with jax.named_scope("ffn"):
        y = rms_norm(x, p["ffn_norm"])
        return x + (jax.nn.silu(y @ p["ffn"]["gate"]) * (y @ p["ffn"]["up"])) @ p["ffn"]["down"]


def loss(params, batch):
    """Return the mean cross-entropy of the next token; stacked layers are scanned, each checkpointed."""
    x = params["embed"][batch["tokens"]]
    if isinstance(params["layers"], dict):
        x, _ = jax.lax.scan(lambda x, p: (jax.checkpoint(block)(x, p), None), x, params["layers"])
    else:
        for i, layer in enumerate(params["layers"]):
            with jax.named_scope(f"layers/{i}"):
                x = block(x, layer)
    return cross_entropy(rms_norm(x, params["norm"]) @ params["head"], batch["labels"])
