"""Trains a flax.nnx model: the module is split into its graph and its state, and the step takes the state.

usage: python flax_nnx.py [--steps 50]
"""

import argparse

import jax
import jax.numpy as jnp
import optax
from flax import nnx

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)  # used if there are no accelerators


class Block(nnx.Module):
    """A residual block of two matrices."""

    def __init__(self, width: int, rngs: nnx.Rngs):
        """Draw the parameters."""
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.up = nnx.Linear(width, 4 * width, rngs=rngs)
        self.down = nnx.Linear(4 * width, width, rngs=rngs)

    def __call__(self, x):
        """Apply the block."""
        return x + self.down(nnx.gelu(self.up(self.norm(x))))


class Model(nnx.Module):
    """Blocks between two projections."""

    def __init__(self, rngs: nnx.Rngs):
        """Draw the parameters."""
        self.inside = nnx.Linear(8, 32, rngs=rngs)
        self.blocks = nnx.List([Block(32, rngs) for _ in range(3)])
        self.outside = nnx.Linear(32, 1, rngs=rngs)

    def __call__(self, x):
        """Apply the model."""
        x = self.inside(x)
        for block in self.blocks:
            x = block(x)
        return self.outside(x)


graph, start = nnx.split(Model(nnx.Rngs(0)))
optimizer = optax.adam(1e-2)


def train_step(params, opt_state, x, y):
    """Run one step; `params` is the module's state."""

    def loss(params):
        return jnp.mean((nnx.merge(graph, params)(x) - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def main():
    """Train, and print the plan."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    steps = parser.parse_args().steps
    step = partir.jit(
        train_step,
        mesh=jax.make_mesh((4, 2), ("batch", "model")),
        donate_argnums=(0, 1),
        schedule=[
            partir.ManualPartition(name="BP", axis="batch", inputs={"x": 0, "y": 0}),
            partir.ManualPartition(name="MP", axis="model", inputs={"params/blocks/*/up/kernel/**": 1}),
        ],
    )
    x = jax.random.normal(jax.random.key(1), (64, 8))
    y = jnp.sin(x.sum(-1, keepdims=True))
    params = start
    opt_state = optimizer.init(params)
    print(step.lower(params, opt_state, x, y))
    for i in range(steps):
        params, opt_state, value = step(params, opt_state, x, y)
        if i % 10 == 0 or i == steps - 1:
            print(f"step {i}: loss {float(value):.5f}")
    model = nnx.merge(graph, params)
    print("up of the first block:", model.blocks[0].up.kernel.get_value().sharding.spec)


if __name__ == "__main__":
    main()
