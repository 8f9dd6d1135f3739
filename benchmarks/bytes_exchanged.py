#!/usr/bin/env python3
"""Compares the collectives of a partition with those of XLA for the same shardings.

usage: bytes_exchanged.py PARTIR PROGRAM MESH SCHEDULE

`partir partition` writes the device-local program, and with `--emit sdy` the source with shardings, which XLA
partitions by Shardy and compiles for as many CPU devices. For each kind of collective: how many there are, and the
megabytes of their larger side on a device. XLA combines all_reduces, so that it has fewer of them. Skipped (exit 77)
without JAX.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BYTES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8, "f64": 8}
KINDS = ("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_permute")


def compile_with_shardy(text, devices):
    """Compiles a module that has sdy annotations for several CPU devices; returns XLA's module as text."""
    import jax
    import numpy as np
    from jax._src import compiler
    from jax._src.interpreters import mlir
    from jaxlib import xla_client
    from jaxlib.mlir import ir

    chosen = jax.devices()[:devices]
    options = compiler.get_compile_options(
        num_replicas=1, num_partitions=devices, device_assignment=np.array([[d.id for d in chosen]])
    )
    options.executable_build_options.use_spmd_partitioning = True
    options.executable_build_options.use_shardy_partitioner = True
    with mlir.make_ir_context(), ir.Location.unknown():
        module = str(ir.Module.parse(text))
    compiled = chosen[0].client.compile_and_load(module, xla_client.DeviceList(tuple(chosen)), options)
    return compiled.hlo_modules()[0].to_string()


def of_xla(text):
    """Returns count and bytes of each kind of collective in XLA's module; loops count once."""
    out = {}
    kinds = "|".join(k.replace("_", "-") for k in KINDS)
    for results, kind in re.findall(rf"= (.*?) ({kinds})(?:-start)?\(", text):
        size = 0
        for element, dims in re.findall(r"(\w+)\[([\d,]*)\]", results):
            count = 1
            for d in dims.split(","):
                count *= int(d or 1)
            size += BYTES[element] * count
        number, total = out.get(kind.replace("-", "_"), (0, 0))
        out[kind.replace("-", "_")] = (number + 1, total + size)
    return out


def of_ours(report):
    """Returns count and bytes of each kind of collective, from the report of `partir partition --device`."""
    out = {}
    for c in report["tactics"][-1]["simulation"]["collectives"]:
        number, total = out.get(c["kind"], (0, 0))
        out[c["kind"]] = (number + c["count"], total + c["count"] * c["bytes"])
    return out


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    partir, program, mesh, schedule = sys.argv[1:]
    devices = 1
    for axis in mesh.split(","):
        devices *= int(axis.split("=")[1])
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + f" --xla_force_host_platform_device_count={devices}"
    try:
        import jax  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    command = [partir, "partition", program, "--mesh", mesh, "--schedule", schedule, "--no-check"]
    with tempfile.TemporaryDirectory() as folder:
        report, annotated = pathlib.Path(folder, "report.json"), pathlib.Path(folder, "annotated.mlir")
        for more in (["--device", "a100", "--json", report], ["--emit", "sdy", "-o", annotated]):
            subprocess.run([*command, *map(str, more)], check=True, stdout=subprocess.DEVNULL)
        ours = of_ours(json.loads(report.read_text()))
        theirs = of_xla(compile_with_shardy(annotated.read_text(), devices))
    print(f"{'':<20}{'ours':>8}{'MB':>10}{'XLA':>8}{'MB':>10}")
    for kind in KINDS:
        a, b = ours.get(kind, (0, 0)), theirs.get(kind, (0, 0))
        if a[0] + b[0] > 0:
            print(f"{kind:<20}{a[0]:>8}{a[1] / 1e6:>10.1f}{b[0]:>8}{b[1] / 1e6:>10.1f}")
    total = [sum(size for _, size in side.values()) / 1e6 for side in (ours, theirs)]
    print(f"{'total':<20}{'':>8}{total[0]:>10.1f}{'':>8}{total[1]:>10.1f}")


if __name__ == "__main__":
    main()
