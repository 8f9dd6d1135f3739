"""What schedules can name, and how."""

import collections
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import openpartir as partir

MESH = {"batch": 4, "model": 2}
Pair = collections.namedtuple("Pair", ["left", "right"])


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Box:
    inside: jax.Array


def shapes(*sizes):
    return jax.ShapeDtypeStruct(sizes, jnp.float32)


def specs(plan):
    return jax.tree.map(lambda s: tuple(s.spec), plan.in_shardings)


def planned(fun, args, mesh=None, **tactic):
    return partir.jit(fun, mesh=mesh or MESH, schedule=[partir.ManualPartition("batch", **tactic)]).lower(*args)


def total(tree):
    return sum(jnp.sum(a**2) for a in jax.tree.leaves(tree))


def test_key_paths_have_the_parameter_in_front():
    tree = {"layers": [Pair(shapes(8, 8), Box(shapes(8, 4)))], "a.b": shapes(8)}
    plan = planned(lambda params, *rest, flag=None: total((params, rest, flag)), (tree, shapes(8)))
    names = ["params/a.b", "params/layers/0/left", "params/layers/0/right/inside", "rest/0"]
    assert [p.name for p in plan.engine.arguments] == names


def test_results_are_named_by_their_path():
    plan = planned(lambda x: ({"loss": jnp.sum(x)}, x), (shapes(8),))
    assert [p.name for p in plan.engine.results] == ["0/loss", "1"]


@pytest.mark.parametrize(
    "inputs",
    [
        {"params/layers/*/w": 0},
        {"params/**/w": 0},
        {"params/layers/[01]/w": 0, "params/layers/**": None},
        {"params": {"layers": [{"w": 0}, {"w": 0}]}},
        {"params": {"layers": {"*": {"w": 0}}}},
        ({"layers": [{"w": 0}, {"w": 0}]},),
        lambda name, aval: 0 if name.endswith("/w") else None,
        {"params": lambda name, aval: 0 if aval.ndim == 2 else partir.UNKNOWN},
        {"params/layers/0/w": 0, "params/layers/1/w": partir.FIRST_DIVISIBLE_DIM},
        {"params/layers/0/b": None, "params/**/w": 0},
    ],
)
def test_all_ways_of_writing_a_schedule_say_the_same(inputs):
    params = {"layers": [{"w": shapes(8, 6), "b": shapes(6)} for _ in range(2)]}
    plan = planned(lambda params, x: total(params) + jnp.sum(x), (params, shapes(3)), inputs=inputs)
    assert specs(plan) == ({"layers": [{"w": ("batch",), "b": ()}] * 2}, ())


def test_a_name_of_a_subtree_stands_for_what_is_inside():
    plan = planned(lambda batch: total(batch), ({"x": shapes(8, 2), "y": shapes(4)},), inputs={"batch": 0})
    assert specs(plan) == ({"x": ("batch",), "y": ("batch",)},)


@pytest.mark.parametrize("inputs", [{"p/*/w": 0}, {"**/w": 0}, {"p/*/w": lambda name, aval: aval.ndim - 1}])
def test_a_pattern_of_subtrees_stands_for_what_is_inside(inputs):
    tree = {name: {"w": {"value": shapes(8)}, "b": {"value": shapes(8)}} for name in ("up", "down")}
    plan = planned(lambda p: total(p), (tree,), inputs=inputs)
    assert specs(plan) == ({n: {"w": {"value": ("batch",)}, "b": {"value": ()}} for n in ("up", "down")},)


def test_names_with_the_patterns_own_characters():
    tree = {"a*": shapes(8), "ab": shapes(8), "c[0]": shapes(8), "c0": shapes(8)}
    plan = planned(lambda p: total(p), (tree,), inputs=lambda name, aval: 0 if name in ("p/a*", "p/c[0]") else None)
    assert specs(plan) == ({"a*": ("batch",), "ab": (), "c[0]": ("batch",), "c0": ()},)


def test_results_can_be_requested():
    plan = planned(lambda x: {"y": x * 2, "z": x + 1}, (shapes(8, 8),), results={"y": 1})
    assert plan.out_shardings["y"].spec == P(None, "batch")


def test_replicated_stops_propagation():
    def fun(x, w):
        return x @ w

    schedule = [
        partir.ManualPartition("batch", inputs={"w": partir.REPLICATED}, name="keep"),
        partir.ManualPartition("model", inputs={"w": 1}),
    ]
    plan = partir.jit(fun, mesh=MESH, schedule=schedule).lower(shapes(8, 8), shapes(8, 8))
    assert specs(plan) == ((), (None, "model"))


def hidden(scan):
    def layer(x, w):
        h = partir.named(x @ w, "layers/hidden")
        return jnp.tanh(h) @ w.T

    def loss(x, ws):
        if scan:
            x, _ = jax.lax.scan(lambda x, w: (layer(x, w), None), x, ws)
        else:
            for w in ws:
                x = layer(x, w)
        return jnp.sum(x**2)

    return loss


@pytest.mark.parametrize("scan", [False, pytest.param(True, marks=pytest.mark.quick)])
@pytest.mark.parametrize("around", ["", "grad", "remat", "vmap"])
def test_named_values_stay_nameable(scan, around):
    loss = hidden(scan)
    fun = {
        "": loss,
        "grad": jax.grad(loss, argnums=1),
        "remat": jax.grad(jax.checkpoint(loss), argnums=1),
        "vmap": lambda x, ws: jnp.sum(jax.vmap(loss, in_axes=(0, None))(x[None], ws)),
    }[around]
    dim = 2 if around == "vmap" else 1
    args = (np.ones((4, 8), np.float32), np.ones((3, 8, 16), np.float32) / 8)
    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    step = partir.jit(fun, mesh=mesh, schedule=[partir.ManualPartition("model", values={"layers/hidden": dim})])
    plan = step.lower(*args)
    assert plan.executed["all_reduce"] >= 3, str(plan)
    assert plan.verdict.startswith("proved")
    np.testing.assert_allclose(step(*args), fun(*args), rtol=1e-5)


@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("differentiated", ["once", "twice"])
def test_a_name_stays_on_the_value_and_its_gradient(scan, differentiated):
    """JAX forwards the inputs of a differentiated jitted identity: without a rule only the gradient is named."""
    loss = hidden(scan)
    step = jax.grad(loss, argnums=1)
    if differentiated == "twice":
        step = jax.grad(lambda x, ws: jnp.sum(jax.grad(loss, argnums=1)(x, ws) ** 2), argnums=1)
    text = jax.jit(step).lower(np.ones((4, 8), np.float32), np.ones((3, 8, 16), np.float32)).as_text()
    values = 1 if scan else 3
    assert text.count('call @"partir_named_layers/hidden') >= 2 * values


def test_names_of_integers_and_keys_under_grad():
    def loss(x):
        index = partir.named(jnp.argmax(x), "index")
        key = partir.named(jax.random.key(0), "key")
        return x[index] ** 2 + jnp.sum(x) * jax.random.normal(key, ())

    x = jnp.arange(4.0)
    np.testing.assert_allclose(jax.grad(loss)(x), jax.jit(jax.grad(loss))(x), rtol=1e-6)


def test_a_named_argument_and_a_named_tree():
    def fun(x):
        x = partir.named(x, "input")
        return partir.named({"a": x * 2, "b": x + 1}, "both")

    step = partir.jit(fun, mesh=MESH, schedule=[partir.ManualPartition("batch", values={"input": 0})])
    assert specs(step.lower(shapes(8))) == (("batch",),)
    step = partir.jit(fun, mesh=MESH, schedule=[partir.ManualPartition("batch", values={"both": 0})])
    assert jax.tree.map(lambda s: tuple(s.spec), step.lower(shapes(8)).out_shardings) == {
        "a": ("batch",),
        "b": ("batch",),
    }


def test_named_does_nothing_else():
    x = jnp.arange(3)
    assert partir.named(x, "x") is x or (partir.named(x, "x") == x).all()
    assert jax.grad(lambda v: partir.named(v, "v") ** 2)(3.0) == 6.0
    with pytest.raises(partir.PartirError, match="letters"):
        partir.named(x, "a b")
