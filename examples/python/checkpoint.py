"""Saves under one schedule and restores under another: a sharded checkpoint is read into the new plan's shardings.

usage: python checkpoint.py [--steps 6]
"""

import argparse
import pathlib
import tempfile

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)  # used if there are no accelerators

optimizer = optax.adam(1e-2)


def train_step(params, opt_state, batch):
    """Run one step of an autoencoder."""

    def loss(params):
        return jnp.mean((jnp.tanh(batch @ params["w1"]) @ params["w2"] - batch) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, value


def train(step, state, batch, steps):
    """Return the state after some steps, and the losses."""
    losses = []
    for _ in range(steps):
        *state, value = step(*state, batch)
        losses.append(float(value))
    return tuple(state), losses


def main():
    """Train in two halves, with a checkpoint and another schedule between them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=6)
    steps = parser.parse_args().steps
    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    batch_parallel = partir.ManualPartition(name="BP", axis="batch", inputs={"batch": 0})
    megatron = partir.ManualPartition(name="MP", axis="model", inputs={"params/w1": 1})
    zero = partir.ManualPartition(
        name="Z3",
        axis="batch",
        inputs={"params": partir.FIRST_DIVISIBLE_DIM, "opt_state": partir.FIRST_DIVISIBLE_DIM},
    )
    first = partir.jit(train_step, mesh=mesh, schedule=[batch_parallel, megatron])
    second = partir.jit(train_step, mesh=mesh, schedule=[batch_parallel, zero])

    keys = jax.random.split(jax.random.key(0), 3)
    params = {"w1": jax.random.normal(keys[0], (32, 64)) / 6, "w2": jax.random.normal(keys[1], (64, 32)) / 8}
    batch = jax.random.normal(keys[2], (16, 32))
    state = (params, optimizer.init(params))
    _, straight = train(jax.jit(train_step), state, batch, 2 * steps)

    state, losses = train(first, state, batch, steps)
    print("saved with   ", state[0]["w1"].sharding.spec)
    with tempfile.TemporaryDirectory() as folder, ocp.StandardCheckpointer() as checkpointer:
        path = pathlib.Path(folder).resolve() / "step"
        checkpointer.save(path, state)
        checkpointer.wait_until_finished()
        # The restored values have the shapes of the state and the shardings of the second plan.
        shardings = second.lower(*state, batch).in_shardings[:2]
        wanted = jax.tree.map(lambda x, s: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=s), state, shardings)
        state = checkpointer.restore(path, wanted)
    print("restored with", state[0]["w1"].sharding.spec)
    state, more = train(second, state, batch, steps)
    for i, (a, b) in enumerate(zip(losses + more, straight, strict=True)):
        print(f"step {i}: loss {a:.6f}, without a break on one device {b:.6f}")
    assert max(abs(a - b) for a, b in zip(losses + more, straight, strict=True)) < 1e-4


if __name__ == "__main__":
    main()
