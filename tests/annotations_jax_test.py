#!/usr/bin/env python3
"""Partitions functions that carry shardings of their own, as the installed JAX lowers them, by those shardings.

usage: annotations_jax_test.py PARTIR

For Shardy and for GSPMD: arguments and results sharded by jax.jit, and with_sharding_constraint inside. For Shardy also
shard_map with collectives, axis_index (over all axes, and over some) and a loop. Each partition must be proved, and
must give what the program gives when both are interpreted on the same inputs. What `--emit sdy` writes must compile on
XLA. Skipped (exit 77) without JAX.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
try:
    import jax
    import jax.numpy as jnp
    from jax import shard_map
    from jax.sharding import AxisType, NamedSharding
    from jax.sharding import PartitionSpec as P
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "benchmarks"))
from bytes_exchanged import compile_with_shardy

MESH = jax.make_mesh((4, 2), ("batch", "model"), axis_types=(AxisType.Auto, AxisType.Auto))


def sharded(*spec):
    return NamedSharding(MESH, P(*spec))


def mlp(x, up, down):
    hidden = jax.lax.with_sharding_constraint(jnp.maximum(x @ up, 0), sharded("batch", "model"))
    return jax.lax.with_sharding_constraint(hidden @ down, sharded("batch", P.UNCONSTRAINED)), (x**2).sum()


def psum(x, up, down):
    def body(x, up):
        h = jax.lax.psum(x @ up, "model")
        return h + jax.lax.axis_index("batch"), jax.lax.psum(h.sum(), "batch")

    h, total = shard_map(
        body, mesh=MESH, in_specs=(P("batch", "model"), P("model", None)), out_specs=(P("batch", None), P())
    )(x * 2, up)
    return h @ down, total


def ring(x, up, down):
    """Rows are passed around the ring of "batch"; propagation decides about "model"."""

    def body(x, up):
        def step(_, carried):
            block, total = carried
            return jax.lax.ppermute(block, "batch", [(i, (i + 1) % 4) for i in range(4)]), total + block @ up

        return jax.lax.fori_loop(
            0, 4, step, (x, jax.lax.pcast(jnp.zeros((x.shape[0], up.shape[1])), "batch", to="varying"))
        )[1]

    return (
        shard_map(body, mesh=MESH, in_specs=(P("batch", None), P()), out_specs=P("batch", None), axis_names={"batch"})(
            x, up
        )
        @ down
    )


def index(x, up, down):
    def body(x, up):
        return x @ up + jax.lax.axis_index("batch")

    h = shard_map(body, mesh=MESH, in_specs=(P("batch", None), P()), out_specs=P("batch", None), axis_names={"batch"})
    return h(x, up) @ down


def emits_what_xla_compiles(partir):
    """Checks that XLA accepts the shardings written for a loop whose tiled values propagation would not infer."""
    examples = pathlib.Path(__file__).resolve().parents[1] / "examples"
    program = examples / "cookbook" / "microbatches.mlir"
    schedule = examples / "schedules" / "data_parallel.json"
    command = [partir, "partition", program, "--mesh", "batch=4", "--schedule", schedule, "--emit", "sdy", "-o", "-"]
    text = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout
    assert "sdy.sharding_constraint" in text
    compile_with_shardy(text, 4)
    print("microbatches: XLA compiles what --emit sdy writes")


def main():
    partir = sys.argv[1]
    emits_what_xla_compiles(partir)
    arguments = [jax.ShapeDtypeStruct(s, jnp.float32) for s in ((16, 8), (8, 32), (32, 8))]
    failed = 0
    for function, shardy in ((mlp, True), (mlp, False), (psum, True), (ring, True), (index, True)):
        jax.config.update("jax_use_shardy_partitioner", shardy)
        jax.clear_caches()
        name = f"{function.__name__}.{'sdy' if shardy else 'gspmd'}"
        lowered = jax.jit(function, in_shardings=(sharded("batch"), sharded(None, "model"), None)).lower(*arguments)
        with tempfile.TemporaryDirectory() as folder:
            source, out, arrays = (pathlib.Path(folder) / n for n in ("source.mlir", "out.mlir", "out.npz"))
            source.write_text(lowered.as_text())
            for command in (
                [partir, "partition", source, "-o", out, "--mesh", "batch=4,model=2"],
                [partir, "run", source, "--seed", "1", "--outputs", arrays],
                [partir, "run", out, "--seed", "1", "--expect", arrays],
            ):
                done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
                if done.returncode != 0 or (command[1] == "partition" and "check: proved" not in done.stdout):
                    failed += 1
                    print(f"FAIL {name}: {command[1]}: exit {done.returncode}\n{done.stdout}{done.stderr}")
                    break
            else:
                print(f"{name}: proved, and the interpreters agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
