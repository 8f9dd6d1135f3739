"""Tactics along parts of mesh axes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import openpartir as partir

PARTS = [
    partir.ManualPartition("x:(1)2", inputs={"a": 0}),
    partir.ManualPartition("x:(2)4", inputs={"b": 1}),
]
A = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)
B = np.random.default_rng(1).normal(size=(16, 12)).astype(np.float32)


def product(a, b):
    return jnp.tanh(a @ b)


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
def test_devices_are_those_of_the_mesh(kind):
    mesh = jax.make_mesh((8,), ("x",), axis_types=(kind,))
    step = partir.jit(product, mesh=mesh, schedule=PARTS)
    out = step(A, B)
    np.testing.assert_allclose(out, product(A, B), rtol=1e-5)
    assert out.sharding.spec == P("x_0", "x_1")
    assert dict(out.sharding.mesh.shape) == {"x_0": 2, "x_1": 4}
    assert list(out.sharding.mesh.devices.flat) == list(mesh.devices.flat)
    # Arguments may be sharded over the complete axis.
    sharded = jax.device_put(A, NamedSharding(mesh, P("x")))
    np.testing.assert_array_equal(step(sharded, B), out)


def test_an_axis_is_used_in_parts_where_a_reshape_needs_it():
    """16 columns as 4 x 4 on an axis of 8: its part 4 tiles one dimension, and its part 2 the other."""

    def heads(b):
        return jnp.tanh(b.reshape(16, 4, 4) * 2)

    b = np.random.default_rng(2).normal(size=(16, 16)).astype(np.float32)
    mesh = jax.make_mesh((8,), ("x",))
    step = partir.jit(heads, mesh=mesh, schedule=[partir.ManualPartition("x", inputs={"b": 1})])
    plan = step.lower(b)
    assert plan.verdict.startswith("proved")
    assert dict(plan.mesh.shape) == {"x_0": 4, "x_1": 2}
    assert plan.collectives["all_gather"] == 0
    out = step(b)
    np.testing.assert_array_equal(out, heads(b))
    assert out.sharding.spec == P(None, "x_0", "x_1")


def test_plans_without_devices():
    plan = partir.jit(product, mesh={"x": 8, "y": 2}, schedule=PARTS).lower(A, B)
    assert [s.spec for s in plan.in_shardings] == [P("x_0"), P(None, "x_1")]
    assert dict(plan.mesh.shape) == {"x_0": 2, "x_1": 4, "y": 2}
    assert plan.verdict.startswith("proved")


def test_a_part_that_the_axis_lacks():
    with pytest.raises(partir.PartirError, match="a part of x, whose size is 8"):
        partir.jit(product, mesh={"x": 8}, schedule=[partir.ManualPartition("x:(1)3", inputs={"a": 0})]).lower(A, B)
