"""A decoder-only transformer with tied embeddings; each dimension of a matrix that Megatron tiles is a dimension here.

T32: 32 layers, width 4096, 32 heads, 9 tensors per layer and the embedding: 289. T48: 48 layers, width 8192, 64 heads.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw, cross_entropy, named, rms_norm


@dataclass(frozen=True)
class Size:
    """Sizes of a transformer and of one batch."""

    layers: int = 32
    width: int = 4096
    heads: int = 32
    vocabulary: int = 32768
    batch: int = 48
    length: int = 2048

    @property
    def hidden(self):
        """The width of the two-layer network."""
        return 4 * self.width


T32 = Size()
T48 = Size(layers=48, width=8192, heads=64, batch=64)
TINY = Size(layers=2, width=16, heads=4, vocabulary=64, batch=8, length=8)


def init(size):
    """Return the parameters."""
    draw, d, h = Draw(), size.width, size.heads

    def layer():
        return {
            "ln1": jnp.ones(d),
            "qkv": draw(3, d, h, d // h, fan=d),
            "out": draw(h, d // h, d, fan=d),
            "out_b": jnp.zeros(d),
            "ln2": jnp.ones(d),
            "w1": draw(d, size.hidden),
            "b1": jnp.zeros(size.hidden),
            "w2": draw(size.hidden, d),
            "b2": jnp.zeros(d),
        }

    return {"embed": draw(size.vocabulary, d, fan=d), "layers": [layer() for _ in range(size.layers)]}


def batch(size):
    """Return one batch of tokens and the tokens that follow them."""
    tokens = jax.random.randint(jax.random.key(1), (size.batch, size.length + 1), 0, size.vocabulary)
    return {"tokens": tokens[:, :-1], "labels": tokens[:, 1:]}


def attention(x, p):
    """Compute causal self-attention of x[batch, sequence, width]."""
    q, k, v = jnp.einsum("bsd,zdhe->zbshe", x, p["qkv"])
    scores = jnp.einsum("bshe,bthe->bhst", q, k) * q.shape[-1] ** -0.5
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30))
    mixed = jnp.einsum("bhst,bthe->bshe", weights, v)
    return jnp.einsum("bshe,hed->bsd", mixed, p["out"]) + p["out_b"]


def mlp(x, p):
    """Apply two dense layers to x[batch, sequence, width]."""
    return jax.nn.gelu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def block(x, p):
    """Apply one layer; its parts are named scopes, so that schedules can name their values."""
    with jax.named_scope("attention"):
        x = named(x + attention(rms_norm(x, p["ln1"]), p), "residual")
    with jax.named_scope("mlp"):
        return named(x + mlp(rms_norm(x, p["ln2"]), p), "residual")


def loss(params, batch):
    """Return the mean cross-entropy of the next token."""
    with jax.named_scope("embed"):
        x = named(params["embed"][batch["tokens"]], "residual")
    for i, layer in enumerate(params["layers"]):
        with jax.named_scope(f"layers/{i}"):
            x = block(x, layer)
    with jax.named_scope("head"):
        logits = jnp.einsum("bsd,vd->bsv", rms_norm(x), params["embed"])
        return cross_entropy(logits, batch["labels"])
