"""A layer of experts with a residual connection: each token is sent to its best expert if there is capacity left."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw, named, rms_norm


@dataclass(frozen=True)
class Size:
    """Numbers of experts, their capacity for tokens of a group, and the sizes of a batch of groups of tokens."""

    experts: int = 8
    capacity: int = 4
    width: int = 16
    hidden: int = 32
    groups: int = 8
    tokens: int = 16


MOE = Size(experts=64, capacity=16, width=2048, hidden=8192, groups=128, tokens=512)
TINY = Size()


def init(size):
    """Return the parameters; `experts/…` have a leading dimension of experts."""
    draw = Draw()
    return {
        "gate": draw(size.width, size.experts),
        "experts": {
            "up": draw(size.experts, size.width, size.hidden, fan=size.width),
            "down": draw(size.experts, size.hidden, size.width, fan=size.hidden),
        },
    }


def batch(size):
    """Return groups of tokens and their targets."""
    keys = jax.random.split(jax.random.key(1), 2)
    return {
        name: jax.random.normal(k, (size.groups, size.tokens, size.width)) for name, k in zip("xy", keys, strict=True)
    }


def layer(params, x, capacity):
    """Send x[groups, tokens, width] to the experts and back."""
    weights = jax.nn.softmax(rms_norm(x) @ params["gate"])
    chosen = jax.nn.one_hot(jnp.argmax(weights, -1), weights.shape[-1])
    place = jnp.cumsum(chosen, axis=1) * chosen - 1  # position in the expert's queue
    dispatch = jax.nn.one_hot(place, capacity) * chosen[..., None]
    sent = named(jnp.einsum("gtec,gtd->egcd", dispatch, x), "tokens/sent")
    with jax.named_scope("experts"):
        sent = named(sent, "experts/in")
        hidden = jax.nn.relu(jnp.einsum("egcd,edf->egcf", sent, params["experts"]["up"]))
        done = named(jnp.einsum("egcf,efd->egcd", hidden, params["experts"]["down"]), "experts/out")
    done = named(done, "tokens/back")
    return x + jnp.einsum("gtec,egcd->gtd", dispatch * weights[..., None], done)


def loss_of(size):
    """Return the mean squared error as a function of parameters and batch."""
    return lambda params, batch: jnp.mean((layer(params, batch["x"], size.capacity) - batch["y"]) ** 2)
