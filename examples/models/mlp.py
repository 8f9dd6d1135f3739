"""A perceptron of three dense layers."""

import itertools
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw


@dataclass(frozen=True)
class Size:
    """Widths, from the input to the output, and the number of rows of a batch."""

    widths: tuple = (1024, 4096, 4096, 256)
    batch: int = 512


MLP = Size()
TINY = Size((8, 16, 16, 4), 8)


def init(size):
    """Return the parameters."""
    draw = Draw()
    return [{"w": draw(m, n), "b": jnp.zeros(n)} for m, n in itertools.pairwise(size.widths)]


def batch(size):
    """Return inputs and their targets."""
    keys = jax.random.split(jax.random.key(1), 2)
    return {
        "x": jax.random.normal(keys[0], (size.batch, size.widths[0])),
        "y": jax.random.normal(keys[1], (size.batch, size.widths[-1])),
    }


def loss(params, batch):
    """Return the mean squared error."""
    x = batch["x"]
    for p in params[:-1]:
        x = jax.nn.relu(x @ p["w"] + p["b"])
    return jnp.mean((x @ params[-1]["w"] + params[-1]["b"] - batch["y"]) ** 2)
