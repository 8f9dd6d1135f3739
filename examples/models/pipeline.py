"""A transformer in stages, as GSPMD writes pipelines: the stages are a dimension, and a shift along it forwards values.

Every parameter has the stages as its first dimension, and so has the state of a loop, which holds each stage's input. A
step shifts the state by one stage, puts the next microbatch into the first stage, and runs all stages at once
(`jax.vmap`). Tiled by stages the shift is one collective_permute. Of `microbatches + stages - 1` steps a stage works on
a microbatch in `microbatches`; the rest is the pipeline's bubble.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw, rms_norm


@dataclass(frozen=True)
class Size:
    """Sizes of a pipeline with one layer per stage."""

    stages: int = 8
    microbatches: int = 32
    batch: int = 8  # size of a microbatch
    length: int = 1024
    width: int = 4096
    heads: int = 32
    hidden: int = 16384


PIPELINE = Size()
TINY = Size(stages=4, microbatches=8, batch=2, length=8, width=16, heads=4, hidden=32)


def init(size):
    """Return the parameters of all stages."""
    draw, s, d, h, e = Draw(), size.stages, size.width, size.heads, size.width // size.heads
    return {
        "qkv": draw(s, 3, d, h, e, fan=d),
        "out": draw(s, h, e, d, fan=d),
        "up": draw(s, d, size.hidden, fan=d),
        "down": draw(s, size.hidden, d, fan=size.hidden),
    }


def batch(size):
    """Return microbatches and their targets."""
    draw, shape = Draw(), (size.microbatches, size.batch, size.length, size.width)
    return {"x": draw(*shape, fan=1), "y": draw(*shape, fan=1)}


def stage(params, x):
    """Apply one stage to x[batch, length, width]."""
    q, k, v = jnp.einsum("btd,cdhe->cbthe", rms_norm(x), params["qkv"])
    weights = jax.nn.softmax(jnp.einsum("bthe,bshe->bhts", q, k) / q.shape[-1] ** 0.5)
    x = x + jnp.einsum("bhts,bshe,hed->btd", weights, v, params["out"])
    return x + jax.nn.gelu(rms_norm(x) @ params["up"]) @ params["down"]


def forward(params, x):
    """Apply all stages to the microbatches x[microbatches, …]."""
    stages = params["up"].shape[0]

    def step(state, microbatch):
        state = jnp.concatenate([microbatch[None], state[:-1]])
        state = jax.vmap(stage)(params, state)
        return state, state

    drain = jnp.zeros((stages - 1, *x.shape[1:]))
    _, states = jax.lax.scan(step, jnp.zeros((stages, *x.shape[1:])), jnp.concatenate([x, drain]))
    return states[stages - 1 :, -1]


def loss(params, batch):
    """Return the mean squared error."""
    return jnp.mean((forward(params, batch["x"]) - batch["y"]) ** 2)
