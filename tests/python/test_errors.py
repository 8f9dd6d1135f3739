"""Errors state their place and what would be right."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import openpartir as partir

MESH = {"batch": 4, "model": 2}


def fun(params, x, power=1):
    return x**power @ params["w1"] @ params["w2"]


ARGS = ({"w1": jnp.ones((8, 6)), "w2": jnp.ones((6, 8))}, jnp.ones((8, 8)))


def lower(mesh=MESH, args=ARGS, **tactic):
    tactic.setdefault("axis", "batch")
    return partir.jit(fun, mesh=mesh, schedule=[partir.ManualPartition(**tactic)], static_argnames="power").lower(*args)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("tactic", "message"),
    [
        ({"axis": "bach", "inputs": {"x": 0}}, "axis 'bach'.*wanted an axis of the mesh batch=4,model=2"),
        ({"inputs": {"params/w3": 0}}, r"'params/w3'.*params/w1"),
        ({"inputs": {"x": 2}}, "dimension 2 of argument 'x'.*wanted a dimension of tensor<8x8xf32>"),
        ({"inputs": {"x": -1}}, "dimension -1 for 'x'.*wanted a dimension from 0"),
        ({"inputs": {"params/w1": 1}}, 'of local size 6.*divides, or "uneven"'),
        ({"inputs": {"power": 0}}, "the static argument 'power'.*wanted an argument that holds arrays"),
        ({"inputs": {"x": "replicated?"}}, "'replicated.'.*partir.REPLICATED"),
        ({"inputs": {"x": 0.5}}, "0.5 for 'x'"),
        ({"inputs": {"x": True}}, "True for 'x'"),
        ({"inputs": {3: 0}}, "the key 3"),
        ({"inputs": 0}, "wanted a mapping"),
        ({"inputs": [0, 0, 0, 0]}, "4 entries"),
        ({"inputs": {"x": 0, "*": 0}}, "'[*]' is wholly shadowed.*wanted it before 'x'"),
        ({"inputs": {"zzz": lambda name, aval: 0}}, "'zzz'"),
        ({"values": {"nothing/here": 0}}, "nothing/here"),
        ({"results": {"7": 0}}, "'7'"),
    ],
)  # fmt: skip
def test_bad_schedules(tactic, message):
    line = inspect.currentframe().f_lineno + 2
    with pytest.raises(partir.PartirError, match=message) as caught:
        lower(**tactic)
    error = caught.value
    assert isinstance(error, ValueError) and error.file.endswith("test_errors.py") and error.line, error
    assert error.found and error.wanted and error.code == "schedule" and line


@pytest.mark.quick
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"check": "no"}, "check='no'; wanted True or False"),
        ({"device": 3}, "device=3; wanted the name of a device"),
        ({"mesh": {}}, "a mesh without axes"),
        ({"mesh": {"batch": 0}}, "axis 'batch' of size 0"),
        ({"static_argnums": -9}, "argument number -9; wanted a number of one of its 3"),
        ({"donate_argnums": 3}, "argument number 3; wanted a number of one of its 3"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(partir.PartirError, match=message):
        partir.jit(fun, **{"mesh": MESH, "schedule": [], **options})


def test_the_place_is_where_the_tactic_was_written():
    line = inspect.currentframe().f_lineno + 1
    tactic = partir.ManualPartition(axis="bach", inputs={"x": 0})
    with pytest.raises(partir.PartirError, match=rf"test_errors.py:{line}: ") as caught:
        partir.jit(fun, mesh=MESH, schedule=[tactic]).lower(*ARGS)
    assert caught.value.line == line
    plan = partir.jit(fun, mesh=MESH, schedule=[partir.ManualPartition("batch", inputs={"x": 0}, name="BP")]).lower(
        *ARGS
    )
    assert f"BP ({__file__}:" in plan.explain("x")


def test_axes_that_divide_a_result_alone_and_not_together():
    """Also where an earlier tactic tiles the result along its other dimension."""
    rows = partir.ManualPartition("batch", inputs={"x": 0}, results={"": 1})
    columns = partir.ManualPartition("model", results={"": 1})
    step = partir.jit(lambda x: 2 * x, mesh={"batch": 2, "model": 2}, schedule=[rows, columns])
    with pytest.raises(partir.PartirError, match="local size 3"):
        step.lower(jnp.ones((8, 6)))


def test_one_axis_twice_on_a_value():
    schedule = [partir.ManualPartition("batch", inputs={"x": d}, name=f"T{d}") for d in (0, 1)]
    with pytest.raises(partir.PartirError, match="by T0 and T1"):
        partir.jit(fun, mesh=MESH, schedule=schedule).lower(*ARGS)


def test_an_abstract_mesh_plans_and_does_not_run():
    for mesh in (MESH, jax.sharding.AbstractMesh((4, 2), ("batch", "model"))):
        step = partir.jit(fun, mesh=mesh, schedule=[partir.ManualPartition("batch", inputs={"x": 0})])
        assert step.lower(*ARGS).out_shardings.spec == jax.sharding.PartitionSpec("batch")
        with pytest.raises(partir.PartirError, match="a mesh without devices"):
            step(*ARGS)
    with pytest.raises(partir.PartirError, match="wanted a jax"):
        partir.jit(fun, mesh="batch=4", schedule=[])
    with pytest.raises(partir.PartirError, match="size 0"):
        partir.jit(fun, mesh={"batch": 0}, schedule=[])
    with pytest.raises(partir.PartirError, match="name 'a=b'"):
        partir.jit(fun, mesh={"a=b": 2}, schedule=[])


def test_a_mesh_of_another_size():
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:3]), ("batch",))
    with pytest.raises(partir.PartirError, match="3"):
        partir.jit(fun, mesh=mesh, schedule=[partir.ManualPartition("batch", inputs={"x": 0})])(*ARGS)


def test_questions_that_have_no_answer():
    plan = lower(inputs={"x": 0})
    with pytest.raises(partir.PartirError, match="params/w1"):
        plan.explain("params/w9")
    with pytest.raises(partir.PartirError, match="a100"):
        plan.simulate("a10")
    with pytest.raises(partir.PartirError, match="stablehlo"):
        plan.as_text("hlo")


def test_searches_that_cannot_begin():
    for auto, what in (
        (partir.AutomaticPartition(["batch"], "a10"), "a100"),
        (partir.AutomaticPartition(["bath"], "a100"), "axis 'bath'"),
        (partir.AutomaticPartition(["batch"], "a100", memory="lots"), "80GB"),
    ):
        with pytest.raises(partir.PartirError, match=what):
            partir.jit(fun, mesh=MESH, schedule=[auto]).lower(*ARGS)
    with pytest.raises(partir.PartirError, match="wanted a ManualPartition"):
        partir.jit(fun, mesh=MESH, schedule=["BP"]).lower(*ARGS)


def test_errors_of_the_function_are_those_of_jax():
    with pytest.raises(TypeError, match="dot_general"):
        lower(args=({"w1": jnp.ones((7, 6)), "w2": jnp.ones((6, 8))}, jnp.ones((8, 8))))


@pytest.mark.quick
def test_a_leaf_that_is_no_array_is_named():
    for name, args in (("params/w1", ({"w1": "a", "w2": 0}, jnp.ones((8, 8)))), ("x", ({}, object()))):
        with pytest.raises(TypeError, match=f"argument '{name}' of fun is no array but a (str|object)"):
            lower(args=args)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axis": None}, "the axis None; wanted the name of one axis"),
        ({"axis": ("batch",)}, r"the axis \('batch',\)"),
        ({"axis": "batch", "name": 5}, "the name 5"),
        ({"axis": "batch", "values": ["h"]}, r"values=\['h'\]; wanted a mapping"),
        ({"axis": "batch", "values": {3: 0}}, "values={3: 0}"),
    ],
)
def test_odd_arguments_of_a_tactic_are_errors_where_it_is_written(arguments, message):
    with pytest.raises(partir.PartirError, match=r"test_errors\.py.*" + message):
        partir.ManualPartition(**arguments)


@pytest.mark.quick
@pytest.mark.parametrize(
    "arguments",
    [
        {"axes": [1], "device": "a100"},
        {"axes": ["batch"], "device": None},
        {"axes": ["batch"], "device": "a100", "seconds": -1.0},
        {"axes": ["batch"], "device": "a100", "seconds": float("nan")},
        {"axes": ["batch"], "device": "a100", "evaluations": 0},
        {"axes": ["batch"], "device": "a100", "seed": -1},
        {"axes": ["batch"], "device": "a100", "memory": 80},
    ],
)
def test_odd_arguments_of_a_search_are_errors_where_it_is_written(arguments):
    with pytest.raises(partir.PartirError, match=r"test_errors\.py"):
        partir.AutomaticPartition(**arguments)


@pytest.mark.quick
def test_odd_arguments_elsewhere():
    with pytest.raises(partir.PartirError, match="for 'x'"):
        lower(inputs={"x": 2**63})
    for size in (True, 2**40):
        with pytest.raises(partir.PartirError, match="of size"):
            lower(mesh={"batch": size}, inputs={"x": 0})
    with pytest.raises(partir.PartirError, match="argument numbers 'x'"):
        partir.jit(fun, mesh=MESH, schedule=[], donate_argnums="x")
    plan = partir.jit(fun, mesh=MESH, schedule=[], donate_argnums=None, static_argnums=None).lower(*ARGS)
    for given in (None, "", 3):
        with pytest.raises(partir.PartirError, match="wanted the name"):
            plan.explain(given)
        with pytest.raises(partir.PartirError, match="wanted the name"):
            plan.simulate(given)
    mesh = jax.make_mesh((8,), ("a",))
    with pytest.raises(partir.PartirError, match="seconds=-1"):
        partir.validate(lambda x: x, ARGS[1], mesh=mesh, seconds=-1)
