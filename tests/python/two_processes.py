"""Trains as one of several processes, each with some of the CPU devices. Without --processes, one process has all
devices.

usage: two_processes.py OUT.npz [--processes N --process I --port PORT]
"""

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("--processes", type=int, default=1)
parser.add_argument("--process", type=int, default=0)
parser.add_argument("--port", type=int, default=0)
options = parser.parse_args()
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={8 // options.processes}"

import jax  # noqa: E402
import numpy as np  # noqa: E402
from models import MODELS  # noqa: E402

import openpartir as partir  # noqa: E402

if options.processes > 1:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"127.0.0.1:{options.port}", options.processes, options.process)
from jax.experimental import multihost_utils  # noqa: E402

assert len(jax.devices()) == 8 and jax.process_count() == options.processes
mesh = jax.make_mesh((4, 2), ("batch", "model"))
found = {}
for name, schedule in (("transformer", "BP+MP+Z3"), ("noisy", "BP+MP"), ("decoding", "BP+MP")):
    make, schedules, donate = MODELS[name]
    fun, args = make()
    step = partir.jit(fun, mesh=mesh, schedule=schedules[schedule], donate_argnums=donate)
    batch = args[2] if name != "decoding" else None
    for _ in range(3):
        out = step(*args)
        args = (args[0], *out) if name == "decoding" else (*out[:2], batch)
    assert all(x.sharding == s for x, s in zip(jax.tree.leaves(out), step.lower(*args).flat_out_shardings, strict=True))
    for i, x in enumerate(jax.tree.leaves(out)):
        if jax.numpy.issubdtype(x.dtype, jax.dtypes.prng_key):
            x = jax.random.key_data(x)
        found[f"{name}/{i}"] = np.asarray(multihost_utils.process_allgather(x, tiled=True))
if options.process == 0:
    np.savez(options.out, **found)
if options.processes > 1:
    jax.distributed.shutdown()
