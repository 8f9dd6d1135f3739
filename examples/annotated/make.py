"""Writes the programs of this folder: one function with its own shardings, as JAX lowers it for Shardy and for GSPMD.

XLA_FLAGS=--xla_force_host_platform_device_count=8 python3 examples/annotated/make.py [FOLDER]
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P


def mlp(x, up, down):
    """Apply two layers; the hidden activations and, only by rows, the output have sharding constraints."""
    hidden = jax.lax.with_sharding_constraint(jax.nn.relu(x @ up), NamedSharding(mesh, P("batch", "model")))
    y = jax.lax.with_sharding_constraint(hidden @ down, NamedSharding(mesh, P("batch", P.UNCONSTRAINED)))
    return y, (y**2).mean()


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    mesh = jax.make_mesh((4, 2), ("batch", "model"), axis_types=(AxisType.Auto, AxisType.Auto))
    arguments = [jax.ShapeDtypeStruct(s, jnp.float32) for s in ((16, 8), (8, 32), (32, 8))]
    for name, shardy in (("mlp.sdy", True), ("mlp.gspmd", False)):
        jax.config.update("jax_use_shardy_partitioner", shardy)
        jax.clear_caches()
        lowered = jax.jit(
            mlp,
            in_shardings=(NamedSharding(mesh, P("batch")), NamedSharding(mesh, P(None, "model")), None),
            out_shardings=(NamedSharding(mesh, P(("batch", "model"))), None),
        ).lower(*arguments)
        (folder / f"{name}.mlir").write_text(lowered.as_text())
