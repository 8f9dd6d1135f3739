"""Decoding with a cache of keys and values and one head of keys for all queries: one step, and a loop of steps.

IT32 has 32 layers, width 4096, 32 heads and 256 sequences of up to 2,048 tokens; the loop decodes 1,536 of them.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw, rms_norm


@dataclass(frozen=True)
class Size:
    """Sizes of a decoder, its cache, and the number of tokens that the loop decodes."""

    layers: int = 32
    width: int = 4096
    heads: int = 32
    vocabulary: int = 32768
    batch: int = 256
    length: int = 2048
    steps: int = 1536


IT32 = Size()
TINY = Size(layers=2, width=16, heads=4, vocabulary=64, batch=8, length=8, steps=3)


def init(size):
    """Return the parameters."""
    draw, d, h, e = Draw(), size.width, size.heads, size.width // size.heads

    def layer():
        return {
            "ln1": jnp.ones(d),
            "q": draw(d, h, e),
            "kv": draw(2, d, e, fan=d),
            "out": draw(h, e, d, fan=d),
            "ln2": jnp.ones(d),
            "w1": draw(d, 4 * d),
            "w2": draw(4 * d, d),
        }

    return {"embed": draw(size.vocabulary, d, fan=d), "layers": [layer() for _ in range(size.layers)]}


def cache(size):
    """Return an empty cache: keys and values of [batch, length, head]."""
    shape = (size.batch, size.length, size.width // size.heads)
    return [{"k": jnp.zeros(shape), "v": jnp.zeros(shape)} for _ in range(size.layers)]


def attention(x, p, kv, pos):
    """Attend from one position per sequence, x[batch, width], to those up to `pos`; also return the new cache."""
    q = jnp.einsum("bd,dhe->bhe", x, p["q"])
    new = jnp.einsum("bd,zde->zbe", x, p["kv"])
    k = jax.lax.dynamic_update_slice(kv["k"], new[0][:, None], (0, pos, 0))
    v = jax.lax.dynamic_update_slice(kv["v"], new[1][:, None], (0, pos, 0))
    scores = jnp.einsum("bhe,bte->bht", q, k) * q.shape[-1] ** -0.5
    seen = jnp.arange(k.shape[1]) <= pos
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e30))
    mixed = jnp.einsum("bht,bte->bhe", weights, v)
    return jnp.einsum("bhe,hed->bd", mixed, p["out"]), {"k": k, "v": v}


def step(params, kv, token, pos):
    """Decode one token of each sequence greedily; return the cache and the token."""
    x = params["embed"][token]
    written = []
    for i, (p, c) in enumerate(zip(params["layers"], kv, strict=True)):
        with jax.named_scope(f"layers/{i}"):
            mixed, c = attention(rms_norm(x, p["ln1"]), p, c, pos)
            x = x + mixed
            x = x + jax.nn.gelu(rms_norm(x, p["ln2"]) @ p["w1"]) @ p["w2"]
            written.append(c)
    logits = jnp.einsum("bd,vd->bv", rms_norm(x), params["embed"])
    return written, jnp.argmax(logits, -1).astype(jnp.int32)


def decode(steps):
    """Return the function that decodes that many tokens."""

    def loop(params, kv, token, pos):
        def one(i, state):
            return step(params, *state, pos + i)

        return jax.lax.fori_loop(0, steps, one, (kv, token))

    return loop
