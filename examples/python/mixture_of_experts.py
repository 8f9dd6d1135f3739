"""Trains a layer of experts with expert parallelism: each device holds some experts and some of the tokens.

usage: python mixture_of_experts.py [--steps 20]

Tokens are sent to the devices of their experts and back: where the named values change from tiles of tokens to tiles of
experts the plan has all_to_alls.
"""

import argparse

import jax
import jax.numpy as jnp

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)  # used if there are no accelerators

EXPERTS, WIDTH, GROUPS, TOKENS, CAPACITY = 8, 32, 8, 16, 4


def layer(params, x):
    """Send each token to its best expert if there is capacity left; x is [groups, tokens, width]."""
    weights = jax.nn.softmax(x @ params["gate"])
    chosen = jax.nn.one_hot(jnp.argmax(weights, -1), EXPERTS)
    place = jnp.cumsum(chosen, axis=1) * chosen - 1  # position in the expert's queue
    dispatch = jax.nn.one_hot(place, CAPACITY) * chosen[..., None]
    sent = jnp.einsum("gtec,gtd->egcd", dispatch, x)
    sent = partir.named(sent, "experts/in")
    hidden = jax.nn.relu(jnp.einsum("egcd,edf->egcf", sent, params["up"]))
    received = partir.named(jnp.einsum("egcf,efd->egcd", hidden, params["down"]), "experts/out")
    return jnp.einsum("gtec,egcd->gtd", dispatch * weights[..., None], received)


def train_step(params, batch):
    """Run one step of gradient descent towards copying the input."""
    value, grads = jax.value_and_grad(lambda p: jnp.mean((layer(p, batch) - batch) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 3.0 * g, params, grads), value


def main():
    """Train, and print the communication."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    steps = parser.parse_args().steps
    step = partir.jit(
        train_step,
        mesh=jax.make_mesh((8,), ("expert",)),
        donate_argnums=0,
        schedule=[
            partir.ManualPartition(
                name="EP",
                axis="expert",
                inputs={"params/up": 0, "params/down": 0, "batch": 0},
                values={"experts/*": 0},
            )
        ],
    )
    keys = jax.random.split(jax.random.key(0), 4)
    params = {
        "gate": jax.random.normal(keys[0], (WIDTH, EXPERTS)) / 8,
        "up": jax.random.normal(keys[1], (EXPERTS, WIDTH, 64)) / 8,
        "down": jax.random.normal(keys[2], (EXPERTS, 64, WIDTH)) / 8,
    }
    batch = jax.random.normal(keys[3], (GROUPS, TOKENS, WIDTH))
    plan = step.lower(params, batch)
    print(plan)
    print(plan.explain("experts/in"))
    assert plan.collectives["all_to_all"] > 0
    for i in range(steps):
        params, value = step(params, batch)
        if i % 5 == 0 or i == steps - 1:
            print(f"step {i}: loss {float(value):.5f}")


if __name__ == "__main__":
    main()
