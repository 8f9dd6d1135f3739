"""A train step that accumulates the gradients of several small batches, one after another, before it updates.

How the batch is split decides what can be tiled: `[batch, …] -> [steps, batch / steps, …]` puts neighbours into one
small batch, so that a device's rows would all belong to a few of the steps; `strided` puts every steps-th row into one
small batch, and each device then has its share of each.
"""

import jax
import jax.numpy as jnp
from train import Adam


def cut(x, steps, strided):
    """Return x[batch, …] as [steps, batch / steps, …]."""
    if strided:
        return jnp.swapaxes(x.reshape(x.shape[0] // steps, steps, *x.shape[1:]), 0, 1)
    return x.reshape(steps, x.shape[0] // steps, *x.shape[1:])


def train_step(loss, steps, strided, rate=1e-3):
    """Return the step; its arguments are as in train.py."""

    def step(params, opt_state, batch):
        small = jax.tree.map(lambda x: cut(x, steps, strided), batch)

        def one(total, rows):
            value, grads = jax.value_and_grad(loss)(params, rows)
            return jax.tree.map(jnp.add, total, (value, grads)), None

        zeros = (jnp.zeros(()), jax.tree.map(jnp.zeros_like, params))
        (value, grads), _ = jax.lax.scan(one, zeros, small)
        (state,) = opt_state
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g / steps, state.mu, grads)
        nu = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * (g / steps) ** 2, state.nu, grads)
        updated = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, mu, nu)
        return updated, (Adam(state.count + 1, mu, nu),), value / steps

    return step
