"""Compares our FLOPs and peak memory of partitioned modules with XLA's cost_analysis() and memory_analysis().

    python3 benchmarks/xla_costs.py build/partir CORPUS [--full]     --full: also full-size train steps (minutes)

XLA compiles the same modules for the CPU. CORPUS is the output of ./run corpus. XLA's memory is arguments + outputs +
temporaries - aliased; ours is what must fit: the peak, gathers issued early and allocator gaps, with `--software
xla_cpu` and, in the last column, without the CPU-specific rules of that file. docs/simulator.md explains the
differences. Prints "skipped" without jax.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

MESH = "batch=4,model=2"
CASES = [  # program, mesh, schedule of examples/schedules
    ("mlp_train_tiny", MESH, "mlp_bp"),
    ("mlp_train_tiny", MESH, "mlp_bp_mp"),
    ("t2_train_tiny", MESH, "transformer_bp"),
    ("t2_train_tiny", MESH, "transformer_bp_mp"),
    ("t2_train_tiny", MESH, "transformer_bp_mp_z2"),
    ("t2_train_tiny", MESH, "transformer_bp_mp_z3"),
    ("llama3_8b_train_tiny", MESH, "llama_bp_mp"),
    ("llama3_8b_scan_train_tiny", MESH, "llama_scan_bp_mp"),
    ("it32_step_tiny", MESH, "decode_bp_mp"),
    ("it32_infer_tiny", MESH, "decode_bp_mp"),
    ("rnn_train_tiny", "batch=4", "data_parallel"),
    ("moe_train_tiny", "batch=4", "data_parallel"),
    ("microbatch_train_tiny", MESH, "mlp_bp_mp"),
    ("gns_train_tiny", "batch=4", "gns_es"),
    ("unet_train_tiny", "batch=4", "unet_bp"),
]
FULL = [
    ("mlp_train", MESH, "mlp_bp_mp"),
    ("t32_train", MESH, "transformer_bp"),
    ("t32_train", MESH, "transformer_bp_mp"),
    ("t32_train", MESH, "transformer_bp_mp_z3"),
]
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute")


def operations(op):
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield inner
                yield from operations(inner)


def as_replicas(text):
    """Returns the module with replicas in place of partitions, which XLA compiles as it is, without partitioning it."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir

    with jax_mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for key in ("mhlo.num_partitions", "mhlo.num_replicas"):
            del module.operation.attributes[key]
        for op in operations(module.operation):
            if op.operation.name.removeprefix("stablehlo.") in COLLECTIVES:
                if "use_global_device_ids" in op.operation.attributes:
                    continue  # device ids are replica ids
                if "channel_handle" in op.operation.attributes:
                    del op.operation.attributes["channel_handle"]
        return str(module).replace("stablehlo.partition_id", "stablehlo.replica_id")


def xla(text, devices):
    import jax
    import numpy as np
    from jax._src import compiler
    from jaxlib import xla_client

    cpus = jax.devices("cpu")[:devices]
    client = cpus[0].client
    ids = np.array([d.id for d in cpus]).reshape(devices, 1)
    options = compiler.get_compile_options(
        num_replicas=devices, num_partitions=1, backend=client, device_assignment=ids
    )
    compiled = client.compile_and_load(as_replicas(text), xla_client.DeviceList(tuple(cpus)), options)
    memory = compiled.get_compiled_memory_stats()
    cost = compiled.cost_analysis()
    cost = cost[0] if isinstance(cost, list) else cost
    peak = (
        memory.argument_size_in_bytes
        + memory.output_size_in_bytes
        + memory.temp_size_in_bytes
        - memory.alias_size_in_bytes
    )
    return cost.get("flops", 0.0), memory.argument_size_in_bytes, memory.temp_size_in_bytes, peak


def partitioned(program, corpus, name, mesh, schedule, folder):
    """Returns the path of the partitioned module of a corpus program."""
    out = f"{folder}/out.mlir"
    schedules = pathlib.Path(__file__).parents[1] / "examples" / "schedules"
    subprocess.run(
        [
            program,
            "partition",
            f"{corpus}/{name}.mlir",
            "--mesh",
            mesh,
            "--schedule",
            f"{schedules}/{schedule}.json",
            "--no-check",
            "-o",
            out,
        ],
        check=True,
        capture_output=True,
    )
    return out


def ours(program, module, names, software):
    """Returns FLOPs, live bytes at the peak, bytes that must fit, and those of them that are not arguments."""
    done = subprocess.run(
        [program, "simulate", module, "--names", names, "--device", "a100", "--software", software, "--json", "-"],
        check=True,
        capture_output=True,
        text=True,
    )
    figures = json.loads(done.stdout)["programs"][0]
    memory = figures["memory"]
    needed = memory["peak"] + memory["slack"]
    return figures["flops"]["device"], memory["peak"], needed, needed - memory["arguments"]


def devices_of(mesh):
    return math.prod(int(axis.split("=")[1]) for axis in mesh.split(","))


def prepare():
    """Configures jax for eight devices. Returns False if jax is not installed."""
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import jax
    except ImportError:
        return False
    jax.config.update("jax_enable_x64", True)
    return True


def main():
    program, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    if not prepare():
        print("skipped: no jax")
        return
    print(
        f"{'program':<27}{'schedule':<22}{'FLOPs':>11}{'XLA':>11}{'ratio':>8}"
        f"{'memory B':>12}{'XLA':>12}{'ratio':>8}{'live':>8}{'temp B':>12}{'XLA':>12}{'general':>9}"
    )
    for name, mesh, schedule in CASES + (FULL if "--full" in sys.argv else []):
        with tempfile.TemporaryDirectory() as folder:
            module = partitioned(program, corpus, name, mesh, schedule, folder)
            names = f"{corpus}/{name}.json"
            _, live, needed, temporary = ours(program, module, names, "xla_cpu")
            flops, _, general, _ = ours(program, module, names, "xla")
            xla_flops, _, xla_temporary, peak = xla(pathlib.Path(module).read_text(), devices_of(mesh))
        print(
            f"{name:<27}{schedule.removeprefix('transformer_'):<22}"
            f"{flops:>11.4g}{xla_flops:>11.4g}{flops / xla_flops:>8.3f}"
            f"{needed:>12.5g}{peak:>12.5g}{needed / peak:>8.3f}{live / peak:>8.3f}"
            f"{temporary:>12.5g}{xla_temporary:>12.5g}{general / peak:>9.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
