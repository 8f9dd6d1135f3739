"""Validation of partitions that XLA's own partitioners make."""

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from models import MODELS

import openpartir as partir
from openpartir import _engine
from openpartir._hlo import listed_replica_groups

MESH = ("batch", "model")


def mesh():
    return jax.make_mesh((4, 2), MESH, axis_types=(jax.sharding.AxisType.Auto,) * 2)


@pytest.mark.parametrize("shardy", [True, False])
@pytest.mark.parametrize("name", ["mlp", "transformer", "transformer_scan", "decoding"])
def test_partitions_by_shardy_and_gspmd_pass(name, shardy):
    make, schedules, _ = MODELS[name]
    step, args = make()
    plan = partir.jit(step, mesh=mesh(), schedule=list(schedules.values())[1]).lower(*args)
    before = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", shardy)
    try:
        result = partir.validate(step, *args, mesh=mesh(), in_shardings=plan.in_shardings, seconds=3)
    finally:
        jax.config.update("jax_use_shardy_partitioner", before)
    assert result.verdict in ("proved", "passed") and result, str(result)
    assert "partir.sharding" in result.module


def test_arguments_that_are_not_used_and_functions_jitted_already():
    fun = jax.jit(lambda x, unused, y: x @ y, in_shardings=(NamedSharding(mesh(), P("batch")), None, None))
    assert partir.validate(fun, jnp.ones((8, 4)), jnp.ones(3), jnp.ones((4, 4)), mesh=mesh()).verdict == "proved"
    with pytest.raises(partir.PartirError, match="jitted already"):
        partir.validate(fun, jnp.ones((8, 4)), mesh=mesh(), in_shardings=(P(), P(), P()))


@pytest.mark.quick
def test_static_and_keyword_arguments():
    x, batch = jnp.ones((8, 4)), NamedSharding(mesh(), P("batch"))
    jitted = jax.jit(lambda x, n: x[:n], static_argnums=1, in_shardings=(batch,))
    assert partir.validate(jitted, x, 4, mesh=mesh()).verdict == "proved"
    fun = lambda x, y: x * y  # noqa: E731
    assert partir.validate(fun, x, y=x, mesh=mesh(), in_shardings=(batch, batch)).verdict == "proved"
    with pytest.raises(partir.PartirError, match="which XLA does not partition"):
        partir.validate(partir.jit(fun, mesh=mesh(), schedule=[]), x, x, mesh=mesh())


def test_a_wrong_module_is_refuted():
    fun = lambda x: jnp.sum(x, axis=0)  # noqa: E731
    right = partir.validate(fun, jnp.ones((8, 4)), mesh=mesh(), in_shardings=(P("batch"),))
    program = jax.jit(fun).lower(jnp.ones((8, 4))).as_text()
    assert right.verdict == "proved" and right.results == {"the result": "proved"}
    text = right.module
    assert "stablehlo.all_reduce" in text and "stablehlo.add" in text
    local = dict(mesh="batch=4,model=2", arguments=["[{batch}, {}]"], results=["[{}]"])
    largest, differs = _engine.compare(program=program, local=_engine.Local(text=text, **local), seed=1)
    assert not differs and largest < 1e-12
    wrong = text.replace("stablehlo.add", "stablehlo.maximum")
    _, differs = _engine.compare(program=program, local=_engine.Local(text=wrong, **local), seed=1)
    assert differs == [0]


@pytest.mark.parametrize(
    ("fun", "shapes", "shardings"),
    [
        (lambda x, w: jax.nn.gelu(x @ w, approximate=False), [(8, 4), (4, 6)], (P("batch"), P(None, "model"))),
        (lambda x: jax.scipy.special.gammaln(x).sum(0), [(8, 4)], (P("batch"),)),
        (lambda x: jnp.linalg.cholesky(x), [(8, 3, 3)], (P("batch"),)),
        (lambda x: jnp.linalg.eigvals(x), [(4, 4)], (P("batch"),)),
    ],
)
def test_special_functions_and_linear_algebra_are_proved(fun, shapes, shardings):
    args = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    result = partir.validate(fun, *args, mesh=mesh(), in_shardings=shardings)
    assert result.verdict == "proved", str(result)


def test_what_has_no_meaning_is_unknown():
    approximately = lambda x: jax.lax.approx_max_k(x, 3)[0]  # noqa: E731
    result = partir.validate(approximately, jnp.ones((8, 32)), mesh=mesh(), in_shardings=(P("batch", "model"),))
    assert result.verdict == "unknown" and not result


@pytest.mark.parametrize(
    ("groups", "listed"),
    [
        ("mesh['a'=4,'b'=2] {'a'}", "{{0,2,4,6},{1,3,5,7}}"),
        ("mesh['a'=4,'b'=2] {'b'}", "{{0,1},{2,3},{4,5},{6,7}}"),
        ("mesh['a'=4,'b'=2] {'b','a'}", "{{0,2,4,6,1,3,5,7}}"),
        ("mesh['a'=8] {'a':(1)2}", "{{0,4},{1,5},{2,6},{3,7}}"),
        ("mesh['a'=8] {'a':(2)2}", "{{0,2},{1,3},{4,6},{5,7}}"),
        ("mesh['a'=8] {'a':(2)4}", "{{0,1,2,3},{4,5,6,7}}"),
        ("mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'b'}", "{{0,2},{1,3}}"),
        ("mesh['a'=4] {}", "{{0},{1},{2},{3}}"),
    ],
)
def test_replica_groups_over_a_mesh_are_listed(groups, listed):
    assert listed_replica_groups(f"replica_groups={groups}, x") == f"replica_groups={listed}, x"


def test_other_forms_of_replica_groups_stay_or_are_refused():
    assert listed_replica_groups("replica_groups={{0,1}}") == "replica_groups={{0,1}}"
    with pytest.raises(NotImplementedError):
        listed_replica_groups("replica_groups=mesh<a=4>")


@pytest.mark.quick
def test_what_xla_has_beside_stablehlo_and_typed_keys_are_read():
    """erf and top_k are XLA instructions outside StableHLO; a typed key is an array of words in the module."""

    def fun(x, key):
        values, places = jax.lax.top_k(jax.lax.erf(x), 3)
        return values + jax.random.uniform(key, values.shape), places, key

    args = jnp.ones((8, 16)), jax.random.key(0)
    result = partir.validate(fun, *args, mesh=mesh(), in_shardings=(P("batch"), P()))
    assert result.verdict == "proved", result
    assert "chlo.erf" in result.module and "chlo.top_k" in result.module
