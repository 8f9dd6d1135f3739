"""Measures a GPT train step on the local JAX devices, data parallel, and compares it with its simulation.

The simulation uses a device file that `partir simulate --calibrate` made from measurements of the same devices:

    python3 benchmarks/measured_step.py build/partir MEASURED.json [--layers 4] [--hidden 256]

On a CPU, set XLA_FLAGS=--xla_force_host_platform_device_count=8 for this and for examples/python/measure_device.py.
Prints "skipped" without jax.
"""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import published_programs
import published_steps
import xla_costs


class Gpt:
    """The fields that published_programs reads of a row."""

    def __init__(self, options, devices):
        self.layers = self.stage_layers = options.layers
        self.hidden, self.head = options.hidden, 64
        self.heads = self.kv_heads = options.hidden // 64
        self.ffn, self.vocab, self.seq = 4 * options.hidden, 2048, options.sequence
        self.program_batch, self.microbatches = 2 * devices, 1
        self.recompute, self.gated, self.tied = "none", False, True
        self.dp, self.tp, self.slices, self.zero = devices, 1, 1, 0
        self.numbers = "float32"
        self.framework = published_steps.Framework()


def executable(text, devices):
    import jax
    import numpy as np
    from jax._src import compiler
    from jaxlib import xla_client

    cpus = jax.devices()[:devices]
    ids = np.array([d.id for d in cpus]).reshape(devices, 1)
    options = compiler.get_compile_options(
        num_replicas=devices, num_partitions=1, backend=cpus[0].client, device_assignment=ids
    )
    return cpus[0].client.compile_and_load(xla_costs.as_replicas(text), xla_client.DeviceList(tuple(cpus)), options)


def arguments(types, devices):
    """Returns arrays of the given local types, one part on each device."""
    import jax
    import numpy as np

    mesh = jax.sharding.Mesh(np.array(jax.devices()[:devices]), ("d",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("d"))
    out = []
    for shape, dtype in types:
        parts = [
            jax.device_put(np.full(shape, 1 if "int" in dtype else 0.01, dtype), d) for d in jax.devices()[:devices]
        ]
        whole = (shape[0] * devices, *shape[1:]) if shape else (devices,)
        parts = parts if shape else [p.reshape(1) for p in parts]
        out.append(jax.make_array_from_single_device_arrays(whole, sharding, parts))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("partir")
    parser.add_argument("device")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--sequence", type=int, default=128)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="as of measure_device.py")
    parser.add_argument("--append", help="measurements (CSV) to which the step is added; its module goes beside them")
    options = parser.parse_args()
    try:
        import jax
    except ImportError:
        print("skipped: no jax")
        return
    devices = len(jax.devices())
    row = Gpt(options, devices)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        published_programs.write_program(row, folder)
        (folder / "schedule.json").write_text(json.dumps(published_programs.schedule(row)))
        partir = str(pathlib.Path(options.partir).resolve())

        def run(*command):
            subprocess.run([partir, *command], cwd=folder, check=True, capture_output=True, text=True)

        run(
            "partition",
            "step.mlir",
            "--mesh",
            f"data={devices}",
            "--schedule",
            "schedule.json",
            "--no-check",
            "-o",
            "spmd.mlir",
        )
        device = str(pathlib.Path(options.device).resolve())
        run("simulate", "spmd.mlir", "--names", "step.json", "--device", device, "--json", "out.json")
        figures = json.loads((folder / "out.json").read_text())["programs"][0]
        module = (folder / "spmd.mlir").read_text()
    compiled = executable(module, devices)
    _, abstract = published_programs.train_step(row)
    types = []
    for leaf in jax.tree.leaves(abstract):
        shape = list(leaf.shape)
        if str(leaf.dtype) == "int32":
            shape[0] //= devices
        types.append((tuple(shape), str(leaf.dtype)))
    now = time.perf_counter if options.clock == "wall" else lambda: time.process_time() / os.cpu_count()
    seconds = []
    for _ in range(7):
        values = arguments(types, devices)
        start = now()
        jax.block_until_ready(compiled.execute_sharded(values).disassemble_into_single_device_arrays())
        seconds.append(now() - start)
    measured = statistics.median(seconds[1:])
    parts = figures["seconds"]
    ours = parts["overlapped"]
    if options.append:
        name = f"gpt_{row.layers}_{row.hidden}_{row.seq}.mlir"
        pathlib.Path(options.append).with_name(name).write_text(module)
        with open(options.append, "a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(["step", *[""] * 7, f"{measured:.4g}", name])
    print(
        f"GPT, {row.layers} layers of {row.hidden}, on {devices} devices: measured {measured:.4f} s, "
        f"simulated {ours:.4f} s ({100 * (ours / measured - 1):+.1f} %); arithmetic {parts['compute']:.4f}, "
        f"memory {parts['memory']:.4f}, communication {parts['communication']:.4f}, launches {parts['launch']:.4f}"
    )


if __name__ == "__main__":
    main()
