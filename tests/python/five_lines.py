"""What a new installation must be able to do: partition, prove and run a train step."""

import jax
import jax.numpy as jnp

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)


def train_step(params, opt_state, batch):
    def loss(params):
        x = batch
        for layer in params["layers"]:
            q, k, v = jnp.einsum("bsd,zdhe->zbshe", x, layer["qkv"])
            weights = jax.nn.softmax(jnp.einsum("bshe,bthe->bhst", q, k))
            x = x + jnp.einsum("bhst,bthe,hed->bsd", weights, v, layer["out"])
        return jnp.mean(x**2)

    value, grads = jax.value_and_grad(loss)(params)
    opt_state = jax.tree.map(lambda m, g: 0.9 * m + g, opt_state, grads)
    return jax.tree.map(lambda p, m: p - 0.1 * m, params, opt_state), opt_state, value


params = {"layers": [{"qkv": jnp.full((3, 16, 4, 4), 0.1), "out": jnp.full((4, 4, 16), 0.1)} for _ in range(2)]}
opt_state = jax.tree.map(jnp.zeros_like, params)
batch = jax.random.normal(jax.random.key(0), (8, 4, 16))

mesh = jax.make_mesh((4, 2), ("batch", "model"))
step = partir.jit(train_step, mesh=mesh, donate_argnums=(0, 1), schedule=[
    partir.ManualPartition(name="BP", axis="batch", inputs={"batch": 0}),
    partir.ManualPartition(name="MP", axis="model", inputs={"params/layers/*/qkv": 2, "params/layers/*/out": 0}),
    partir.ManualPartition(name="Z3", axis="batch", inputs={"params/**": partir.FIRST_DIVISIBLE_DIM,
                                                            "opt_state/**": partir.FIRST_DIVISIBLE_DIM})])  # fmt: skip
print(step.lower(params, opt_state, batch))
losses = []
for _ in range(3):
    params, opt_state, loss = step(params, opt_state, batch)  # jax.Arrays with NamedSharding, like jax.jit  # fmt: skip
    losses.append(float(loss))
print(losses, loss.sharding)
assert losses[2] < losses[0] and step.lower(params, opt_state, batch).verdict.startswith("proved")
