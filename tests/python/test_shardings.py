"""A plan's shardings and constraints as input for XLA's own partitioner."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P
from models import MODELS

import openpartir as partir


@pytest.mark.parametrize("name", ["mlp", "transformer", "transformer_scan"])
def test_jax_jit_takes_them(name):
    make, schedules, donate = MODELS[name]
    step, args = make()
    mesh = jax.make_mesh((4, 2), ("batch", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    schedule = list(schedules.values())[1]
    shardings = partir.in_shardings(step, *args, mesh=mesh, schedule=schedule, donate_argnums=donate)
    got = shardings.jit()(*args)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-4), got, step(*args))
    assert jax.tree.map(lambda x: x.sharding, got) == shardings.out_shardings


def test_static_and_donated_arguments_are_kept():
    mesh = jax.make_mesh((4, 2), ("batch", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    x, given = jnp.ones((8, 4)), {"mesh": mesh, "schedule": [partir.ManualPartition("batch", {"x": 0})]}
    options = {"static_argnames": "n", "donate_argnums": 0}
    shardings = partir.in_shardings(lambda x, y, n: (x * n, y), x, x, n=3, **given, **options)
    donated = jax.device_put(x, shardings.in_shardings[0])
    np.testing.assert_allclose(shardings.jit()(donated, x, 3)[0], 3 * x)
    assert donated.is_deleted()
    with pytest.raises(partir.PartirError, match="keyword arguments k; wanted positional"):
        partir.in_shardings(lambda x, *, k: x * k, x, k=x, **given)


def test_names_become_constraints():
    def fun(x, w):
        return jnp.sum(jnp.tanh(partir.named(x @ w, "hidden")), axis=1)

    mesh = jax.make_mesh((4, 2), ("batch", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    args = jnp.ones((8, 4)), jnp.ones((4, 6))
    schedule = [partir.ManualPartition("model", values={"hidden": 1})]
    shardings = partir.in_shardings(fun, *args, mesh=mesh, schedule=schedule)
    assert {k: s.spec for k, s in shardings.constraints.items()} == {"hidden": P(None, "model")}
    assert "sharding_constraint" in str(jax.make_jaxpr(shardings.fun)(*args))
    assert "sharding_constraint" not in str(jax.make_jaxpr(fun)(*args))
    np.testing.assert_allclose(shardings.jit()(*args), fun(*args), rtol=1e-6)
