"""Trains an Equinox model: its arrays are partitioned, and the rest of the module is static.

usage: python equinox_model.py [--steps 50]
"""

import argparse

import equinox as eqx
import jax
import jax.numpy as jnp
import optax

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)  # used if there are no accelerators

model = eqx.nn.MLP(in_size=8, out_size=1, width_size=64, depth=3, activation=jax.nn.gelu, key=jax.random.key(0))
start, static = eqx.partition(model, eqx.is_array)
optimizer = optax.adam(3e-3)


def train_step(params, opt_state, x, y):
    """Run one step; the module is combined from arrays and static parts inside."""

    def loss(params):
        return jnp.mean((jax.vmap(eqx.combine(params, static))(x) - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(params, updates), opt_state, value


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
            # Every second matrix is tiled by its rows; tiling the next one by its columns follows from that.
            partir.ManualPartition(name="MP", axis="model", inputs={"params/layers/[02]/weight": 0}),
        ],
    )
    x = jax.random.normal(jax.random.key(1), (64, 8))
    y = jnp.sin(x.sum(-1, keepdims=True))
    params, opt_state = start, optimizer.init(start)
    print(step.lower(params, opt_state, x, y))
    for i in range(steps):
        params, opt_state, value = step(params, opt_state, x, y)
        if i % 10 == 0 or i == steps - 1:
            print(f"step {i}: loss {float(value):.5f}")
    print("first weight:", params.layers[0].weight.sharding.spec)


if __name__ == "__main__":
    main()
