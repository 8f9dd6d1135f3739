"""The parts of JAX that are not promised and on which openpartir/_jax_private.py relies: a failure here says what
broke.

Tested on jax 0.8.3, 0.9.2 and 0.10.2. If a test fails on a newer version, fix _jax_private.py; nothing else depends on
JAX's internals.
"""

import dataclasses
import pathlib
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import openpartir
from openpartir import _jax_private

pytestmark = pytest.mark.quick
LOCAL = """
module @local attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<ui32>) {
    %sum = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1xf32>) -> tensor<1xf32>
    %id = stablehlo.partition_id : tensor<ui32>
    %erf = chlo.erf %sum : tensor<1xf32> -> tensor<1xf32>
    return %sum, %id : tensor<1xf32>, tensor<ui32>
  }
}
"""


def test_only_one_file_looks_inside():
    package = pathlib.Path(openpartir.__file__).parent
    inside = re.compile(r"jax\._src|from jaxlib|import jaxlib|jax\.core\.")
    assert [p.name for p in package.glob("*.py") if inside.search(p.read_text())] == ["_jax_private.py"]


def test_exported_has_the_fields_that_are_filled_in():
    names = {f.name for f in dataclasses.fields(export.Exported)}
    assert {"in_avals", "out_avals", "nr_devices", "module_kept_var_idx", "_get_vjp"} <= names


@pytest.mark.parametrize("order", [list(range(8)), [5, 2, 7, 0, 3, 6, 1, 4]])
def test_a_called_module_keeps_its_collectives_and_numbers_devices_by_the_mesh(order):
    mesh = jax.sharding.Mesh(np.array(jax.devices())[order], ("d",))
    shape = jax.ShapeDtypeStruct
    call = _jax_private.calling(
        "local", LOCAL, [shape((1,), np.float32)], [shape((1,), np.float32), shape((), np.uint32)]
    )
    spec = jax.sharding.PartitionSpec("d")
    fun = jax.jit(
        jax.shard_map(
            lambda x: (lambda s, i: (s, i[None]))(*call(x)),
            mesh=mesh,
            in_specs=spec,
            out_specs=(spec, spec),
            check_vma=False,
        )
    )
    x = jnp.asarray(np.arange(8, dtype=np.float32))
    sums, ids = fun(x)
    np.testing.assert_array_equal(sums, [12, 16] * 4)
    np.testing.assert_array_equal(ids, np.arange(8))
    with pytest.raises(ValueError, match="No VJP"):  # and not silent zeros
        jax.grad(lambda x: fun(x)[0].sum())(x)


def test_weak_types_and_effects_of_a_trace():
    traced = jax.jit(lambda x: (x, 2.0 * x)).trace(jax.ShapeDtypeStruct((), np.float32, weak_type=True))
    assert [a.weak_type for a in _jax_private.output_avals(traced)] == [True, True]
    assert not traced.jaxpr.effects


def test_locations_name_scopes_and_identities():
    def fun(x):
        with jax.named_scope("outer"):
            return openpartir.named(x * 2, "inner/name")

    text = _jax_private.module_text(jax.jit(fun).trace(1.0).lower())
    assert "outer/mul" in text and "partir_named_inner/name" in text
    assert __file__ in text and "_named.py" not in text


def test_tracers_callbacks_keys_and_surrounding_shard_maps_are_known():
    seen = []
    jax.jit(lambda x: seen.append(_jax_private.is_tracer(x)))(1.0)
    assert seen == [True] and not _jax_private.is_tracer(jnp.ones(1))
    text = jax.jit(lambda x: jax.pure_callback(np.sin, x, x)).lower(jnp.ones(2)).as_text()
    assert _jax_private.has_host_callbacks(text)
    key = jax.random.key(3, impl="rbg")
    again = _jax_private.wrap_key(jax.random.key_data(key), key.dtype)
    assert again.dtype == key.dtype and (jax.random.key_data(again) == jax.random.key_data(key)).all()
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("d",))
    spec = jax.sharding.PartitionSpec("d")
    jax.shard_map(lambda x: seen.append(_jax_private.manual_axes()) or x, mesh=mesh, in_specs=spec, out_specs=spec)(
        jnp.ones(8)
    )
    assert seen[-1] == ("d",) and _jax_private.manual_axes() == ()


def test_hlo_is_converted():
    text = jax.jit(lambda x: x + 1).lower(jnp.ones(3)).compile().as_text()
    assert "stablehlo.add" in _jax_private.hlo_to_stablehlo(text)


def test_the_configuration_is_that_of_jax_jit():
    plain = _jax_private.configuration()
    changes = [
        jax.threefry_partitionable(not jax.config.jax_threefry_partitionable),
        jax.numpy_rank_promotion("raise"),
        jax.numpy_dtype_promotion("strict"),
        jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64(),
        jax.default_matmul_precision("float32"),
    ]
    for change in changes:
        with change:
            assert _jax_private.configuration() != plain
    assert _jax_private.configuration() == plain
    # A mesh around the call is none of it.
    mesh = jax.make_mesh((8,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
    with jax.set_mesh(mesh):
        assert _jax_private.configuration() == plain
    with jax.sharding.use_abstract_mesh(mesh.abstract_mesh):
        assert _jax_private.configuration() == plain
