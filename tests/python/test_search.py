"""`partir.AutomaticPartition` finds tactics that behave like written ones."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import openpartir as partir

AXES = ("batch", "model")


def mlp(params, x):
    return jnp.tanh(x @ params["w1"]) @ params["w2"]


def example():
    keys = jax.random.split(jax.random.key(0), 3)
    params = {"w1": jax.random.normal(keys[0], (256, 1024)), "w2": jax.random.normal(keys[1], (1024, 256))}
    return params, jax.random.normal(keys[2], (512, 256))


def auto(axes, **options):
    return partir.AutomaticPartition(axes, "a100", evaluations=300, **options)


@pytest.mark.quick
def test_what_is_found_is_proved_and_computes_the_function():
    args = example()
    fun = partir.jit(mlp, mesh=jax.make_mesh((4, 2), AXES), schedule=[auto(AXES)])
    plan = fun.lower(*args)
    assert plan.verdict.startswith("proved")
    assert plan.tactics and all(t.name.startswith("Auto: ") for t in plan.tactics)
    np.testing.assert_allclose(np.array(fun(*args)), np.array(mlp(*args)), rtol=2e-3, atol=2e-3)


@pytest.mark.quick
def test_the_schedule_found_gives_the_same_again():
    args = example()
    mesh = jax.make_mesh((4, 2), AXES)
    plan = partir.jit(mlp, mesh=mesh, schedule=[auto(AXES, seed=3)]).lower(*args)
    written = [
        partir.ManualPartition(t["axis"], t.get("inputs"), values=t.get("values"), name=t["name"])
        for t in plan.schedule["tactics"]
    ]
    again = partir.jit(mlp, mesh=mesh, schedule=written).lower(*args)
    searched_again = partir.jit(mlp, mesh=mesh, schedule=[auto(AXES, seed=3)]).lower(*args)
    assert again.collectives == plan.collectives == searched_again.collectives
    assert searched_again.schedule == plan.schedule


@pytest.mark.quick
def test_a_search_completes_a_written_schedule():
    bp = partir.ManualPartition(name="BP", axis="batch", inputs={"x": 0})
    plan = partir.jit(mlp, mesh=jax.make_mesh((4, 2), AXES), schedule=[bp, auto("model")]).lower(*example())
    assert plan.tactics[0].name == "BP"
    assert {t["axis"] for t in plan.schedule["tactics"][1:]} <= {"model"}
