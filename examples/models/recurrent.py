"""A recurrent network of gated units over a sequence, with a loop of steps in each direction of differentiation."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw


@dataclass(frozen=True)
class Size:
    """Numbers of features, steps, and sequences in a batch."""

    width: int = 16
    hidden: int = 32
    steps: int = 8
    batch: int = 8


TINY = Size()


def init(size):
    """Return the parameters; the gates are update, reset and candidate."""
    draw = Draw()
    return {
        "into": draw(size.width, 3, size.hidden),
        "state": draw(size.hidden, 3, size.hidden),
        "out": draw(size.hidden, size.width),
    }


def batch(size):
    """Return sequences and the targets after each step."""
    keys = jax.random.split(jax.random.key(1), 2)
    shape = (size.batch, size.steps, size.width)
    return {name: jax.random.normal(k, shape) for name, k in zip("xy", keys, strict=True)}


def loss(params, batch):
    """Return the mean squared error of all steps."""

    def step(h, x):
        given = jnp.einsum("bw,wgh->gbh", x, params["into"])
        update, reset = jax.nn.sigmoid(given[:2] + jnp.einsum("bh,hgk->gbk", h, params["state"][:, :2]))
        candidate = jnp.tanh(given[2] + (reset * h) @ params["state"][:, 2])
        h = update * h + (1 - update) * candidate
        return h, h @ params["out"]

    start = jnp.zeros((batch["x"].shape[0], params["out"].shape[0]))
    _, outputs = jax.lax.scan(step, start, jnp.swapaxes(batch["x"], 0, 1))
    return jnp.mean((jnp.swapaxes(outputs, 0, 1) - batch["y"]) ** 2)
