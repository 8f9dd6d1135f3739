"""A train step for any model: gradients, then Adam, with the state in the structure that optax uses.

`step(params, opt_state, batch)` returns the new parameters, the new state and the loss. Arguments are named
`params/…`, `opt_state/0/mu/…`, `opt_state/0/nu/…` and `batch/…`, which schedules match.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Adam(NamedTuple):
    """First and second moments of the gradients, and the number of steps."""

    count: jax.Array
    mu: dict
    nu: dict


def init_state(params):
    """Return the optimizer's state before the first step: a chain of one transformation."""
    return (Adam(jnp.zeros((), jnp.int32), jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)),)


def train_step(loss, rate=1e-3, b1=0.9, b2=0.999, epsilon=1e-4):
    """Return the train step of a model whose loss is `loss(params, batch)`."""

    def step(params, opt_state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        (state,) = opt_state
        count = state.count + 1
        mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
        nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, state.nu, grads)
        c1, c2 = 1 - b1**count, 1 - b2**count

        def update(p, m, v):
            return p - rate * (m / c1) / (jnp.sqrt(v / c2) + epsilon)

        return jax.tree.map(update, params, mu, nu), (Adam(count, mu, nu),), value

    return step


def cross_entropy(logits, labels):
    """Return the mean negative log-likelihood of `labels` under `logits[..., vocabulary]`."""
    logs = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logs, labels[..., None], axis=-1))


def rms_norm(x, scale=1.0):
    """Divide by the root of the mean square of the last dimension."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


@functools.cache
def identity_named(name):
    """Return an identity whose name is kept by JAX, also by its gradient and on differentiated values."""

    def identity(x):
        return x

    identity.__name__ = identity.__qualname__ = f"partir_named_{name}"
    kept = jax.custom_jvp(jax.jit(identity))
    kept.defjvp(lambda x, t: (kept(*x), kept(*t)))
    return kept


def named(x, name):
    """Return x; schedules can refer to it, and to its gradient, by the name (openpartir.named does the same)."""
    return identity_named(name)(x)


class Draw:
    """Draws random parameters: `draw(4, 8)` is a matrix whose columns have about unit norm."""

    def __init__(self, seed=0):
        """Start a sequence of random parameters."""
        self.key = jax.random.key(seed)

    def __call__(self, *shape, fan=None):
        """Return the next parameter."""
        self.key, key = jax.random.split(self.key)
        return jax.random.normal(key, shape) * (fan or shape[0]) ** -0.5
