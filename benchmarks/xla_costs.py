"""Prints our FLOPs and peak memory of partitioned modules beside XLA's cost_analysis() and memory_analysis() of the same
modules, compiled for the CPU. Says "skipped" without jax.

    python3 benchmarks/xla_costs.py build/partir CORPUS [--full]     --full: train steps of real size, too (minutes)

XLA's memory here is arguments + outputs + temporaries - aliased, ours what has to fit: the peak, gathers issued early and an allocator's gaps; "live" is the peak's share of
XLA's. docs/simulator.md explains the differences.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CASES = [  # program, mesh, schedule
    ("mlp_train_tiny", "batch=4,model=2", "mlp_bp"),
    ("mlp_train_tiny", "batch=4,model=2", "mlp_bp_mp"),
    ("t2_train_tiny", "batch=4,model=2", "t_bp"),
    ("t2_train_tiny", "batch=4,model=2", "t_bp_mp"),
    ("t2_train_tiny", "batch=4,model=2", "t_bp_mp_z2"),
    ("t2_train_tiny", "batch=4,model=2", "t_bp_mp_z3"),
    ("llama3_8b_train_tiny", "batch=4,model=2", "llama_bp_mp"),
    ("unet_train_tiny", "batch=4", "t_bp"),
]
FULL = [
    ("mlp_train", "batch=4,model=2", "mlp_bp_mp"),
    ("t32_train", "batch=4,model=2", "t_bp"),
    ("t32_train", "batch=4,model=2", "t_bp_mp"),
    ("t32_train", "batch=4,model=2", "t_bp_mp_z3"),
]
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute")


def operations(op):
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield inner
                yield from operations(inner)


def as_replicas(text):
    """The module with replicas in place of partitions, which XLA compiles as it stands, without its own partitioner."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir
    with jax_mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for key in ("mhlo.num_partitions", "mhlo.num_replicas"):
            del module.operation.attributes[key]
        for op in operations(module.operation):
            if op.operation.name.removeprefix("stablehlo.") in COLLECTIVES:
                if "use_global_device_ids" in op.operation.attributes:
                    continue  # ids of devices are ids of replicas
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
    options = compiler.get_compile_options(num_replicas=devices, num_partitions=1, backend=client, device_assignment=ids)
    compiled = client.compile_and_load(as_replicas(text), xla_client.DeviceList(tuple(cpus)), options)
    memory = compiled.get_compiled_memory_stats()
    cost = compiled.cost_analysis()
    cost = cost[0] if isinstance(cost, list) else cost
    peak = (memory.argument_size_in_bytes + memory.output_size_in_bytes + memory.temp_size_in_bytes
            - memory.alias_size_in_bytes)
    return cost.get("flops", 0.0), memory.argument_size_in_bytes, memory.temp_size_in_bytes, peak


def ours(program, corpus, name, mesh, schedule, folder):
    out = f"{folder}/out.mlir"
    subprocess.run([program, "partition", f"{corpus}/{name}.mlir", "--mesh", mesh, "--schedule",
                    f"{corpus}/schedules/{schedule}.json", "--no-check", "-o", out], check=True, capture_output=True)
    done = subprocess.run([program, "simulate", out, "--names", f"{corpus}/{name}.json", "--device", "a100", "--json", "-"],
                          check=True, capture_output=True, text=True)
    figures = json.loads(done.stdout)["programs"][0]
    return open(out).read(), figures


def main():
    program, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import jax
    except ImportError:
        print("skipped: no jax")
        return
    jax.config.update("jax_enable_x64", True)
    print(f"{'program':<22}{'schedule':<22}{'FLOPs':>11}{'XLA':>11}{'ratio':>8}{'memory B':>12}{'XLA':>12}{'ratio':>8}{'live':>8}"
          f"{'temp B':>12}{'XLA':>12}")
    for name, mesh, schedule in CASES + (FULL if "--full" in sys.argv else []):
        with tempfile.TemporaryDirectory() as folder:
            text, figures = ours(program, corpus, name, mesh, schedule, folder)
        devices = 1
        for axis in mesh.split(","):
            devices *= int(axis.split("=")[1])
        flops, arguments, temporary, peak = xla(text, devices)
        memory = figures["memory"]
        needed = memory["peak"] + memory["slack"]  # what has to fit
        print(f"{name:<22}{schedule:<22}{figures['flops']['device']:>11.4g}{flops:>11.4g}{figures['flops']['device'] / flops:>8.3f}"
              f"{needed:>12.5g}{peak:>12.5g}{needed / peak:>8.3f}"
              f"{memory['peak'] / peak:>8.3f}{needed - memory['arguments']:>12.5g}{temporary:>12.5g}", flush=True)


if __name__ == "__main__":
    main()
