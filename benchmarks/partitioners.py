#!/usr/bin/env python3
"""Partitions programs with Shardy's passes and with XLA (Shardy's and GSPMD's propagation), and validates the outputs.

usage: partitioners.py PARTIR SHARED [--only TEXT] [--keep FOLDER] [--timeout S] [--json OUT]
       SHARED has corpus/ with its _tiny programs and schedules/; without it, or without jax, prints "skipped".

We partition each program under BP, BP+MP and BP+MP+Z3 (those schedules that fit it) to get the shardings of arguments
and results. Three partitioners get the source with those shardings: Shardy's passes (StableHLO with collectives), and
XLA's spmd-partitioning pass after Shardy's or GSPMD's propagation (HLO, read by jaxlib's converter). `partir validate`
gets only the source and the output. A refuted pair is a finding; docs/findings.md states how findings are handled.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PASSES = [
    "builtin.module(func.func(chlo-legalize-to-stablehlo))",
    "builtin.module(sdy-propagation-pipeline)",
    "builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))",
    "builtin.module(func.func(sdy-reshard-to-collectives))",
    "builtin.module(sdy-convert-global-to-local)",
]
MESH = "batch=2,model=2"
DEVICES = 4
PROGRAMS = [("matmul_chain_tiny", [("matmul_chain_bp_mp_z3", "B=2,M=2")])]
PROGRAMS += [
    (p, [(s, MESH) for s in schedules])
    for p, schedules in [
        ("mlp_train_tiny", ["mlp_bp", "mlp_bp_mp"]),
        ("t2_train_tiny", ["t_bp", "t_bp_mp", "t_bp_mp_z3"]),
        ("t32_train_onehot_tiny", ["t_bp", "t_bp_mp", "t_bp_mp_z3"]),
        ("llama3_8b_train_tiny", ["llama_bp_mp"]),
        ("it32_step_tiny", ["it_bp_mp"]),
        ("gns_train_tiny", ["t_bp"]),
        ("unet_train_tiny", ["t_bp"]),
    ]
]
SHARDING = re.compile(r"sdy\.sharding = #sdy\.sharding<@mesh, (\[[^\]]*\])>")
# an operation with one result
OF_OPERATION = re.compile(r"sdy\.sharding = #sdy\.sharding_per_value<\[<@mesh, (\[[^\]]*\])>\]>")


def tiles(sharding):
    """Returns the axes of each dimension: [["batch"], []] for `[{"batch"}, {}]`."""
    return [re.findall(r'"([^"]+)"', d) for d in re.findall(r"\{([^}]*)\}", sharding)]


def mhlo_sharding(sharding, axes):
    """Returns the sharding in HLO's form: the devices in the order of the tiles, replicas of a tile last."""
    dims = tiles(sharding)
    used = [a for d in dims for a in d]
    if not used:
        return "{replicated}"
    names = list(axes)
    order = [names.index(a) for a in used] + [k for k, a in enumerate(names) if a not in used]
    parts = [1] * len(dims)
    for k, d in enumerate(dims):
        for a in d:
            parts[k] *= axes[a]
    total = 1
    for n in axes.values():
        total *= n
    rest = total
    for n in parts:
        rest //= n
    shape = ",".join(str(n) for n in parts + ([rest] if rest > 1 else []))
    mesh = ",".join(str(n) for n in axes.values())
    return (
        f"{{devices=[{shape}]<=[{mesh}]T({','.join(map(str, order))}){' last_tile_dim_replicate' if rest > 1 else ''}}}"
    )


def as_text(sharding):
    """Returns the sharding as `partir validate --shardings` reads it: "[{batch}, {}]"."""
    return "[" + ", ".join("{" + ", ".join(d) + "}" for d in tiles(sharding)) + "]"


def with_hlo_shardings(text, axes):
    """Returns the module with HLO's shardings in place of Shardy's."""

    def converted(match):
        return f'mhlo.sharding = "{mhlo_sharding(match[1], axes)}"'

    for form in (SHARDING, OF_OPERATION):
        text = form.sub(converted, text)
    return "\n".join(line for line in text.splitlines() if "sdy.mesh" not in line)


def child(folder, *arguments, **environment):
    """Runs this script in a child process, because a partitioner may abort. Raises its last error message."""
    done = subprocess.run(
        [sys.executable, os.path.abspath(__file__), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu", **environment},
        cwd=folder,
    )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("#")]
        raise RuntimeError(
            (next((line for line in lines if "ERROR" in line), None) or (lines or ["aborted"])[-1])[:200]
        )


def by_shardy(text, folder):
    source = os.path.join(folder, "in.mlir")
    out = os.path.join(folder, "out.mlir")
    pathlib.Path(source).write_text(text)
    child(folder, "--shardy", source, out)
    return pathlib.Path(out).read_text()


def run_shardy(source, out):
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo

    stablehlo.register_stablehlo_passes()
    context = jax_mlir.make_ir_context()
    with context, ir.Location.unknown(context):
        module = ir.Module.parse(pathlib.Path(source).read_text())
        for pipeline in PASSES:
            passmanager.PassManager.parse(pipeline).run(module.operation)
        pathlib.Path(out).write_text(str(module))


def package(module):
    """Loads a module of the Python package from the sources; the module must not need the engine."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "openpartir", module + ".py")
    spec = importlib.util.spec_from_file_location(module, file)
    out = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(out)
    return out


def by_xla(text, shardy, folder):
    """Partitions by XLA in a child process, because XLA reads its dump options when it starts."""
    source = os.path.join(folder, "in.mlir")
    pathlib.Path(source).write_text(text)
    dump = tempfile.mkdtemp(dir=folder)
    flags = (
        f"--xla_force_host_platform_device_count={DEVICES} --xla_dump_to={dump} "
        "--xla_dump_hlo_pass_re=spmd-partitioning --xla_dump_large_constants=true"
    )
    child(folder, "--compile", source, "shardy" if shardy else "gspmd", XLA_FLAGS=flags)
    dumps = [os.path.join(dump, f) for f in os.listdir(dump) if "after_spmd-partitioning" in f and f.endswith(".txt")]
    if not dumps:
        raise RuntimeError("no dump")
    hlo = pathlib.Path(max(dumps, key=os.path.getsize)).read_text()
    return package("_jax_private").hlo_to_stablehlo(package("_hlo").listed_replica_groups(hlo))


def compile_text(file, partitioner):
    import jax
    import numpy as np
    from jax._src import compiler
    from jaxlib import xla_client

    backend = jax.devices("cpu")[0].client
    options = compiler.get_compile_options(
        num_replicas=1,
        num_partitions=DEVICES,
        backend=backend,
        device_assignment=np.arange(DEVICES).reshape(1, DEVICES),
    )
    build = options.executable_build_options
    build.use_spmd_partitioning, build.use_shardy_partitioner = True, partitioner == "shardy"
    text = pathlib.Path(file).read_text()
    backend.compile_and_load(text, xla_client.DeviceList(tuple(jax.devices("cpu")[:DEVICES])), options)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("partir")
    p.add_argument("shared")
    p.add_argument("--only", default="")
    p.add_argument("--keep")
    p.add_argument("--timeout", default="120")
    p.add_argument("--json")
    a = p.parse_args()
    corpus = os.path.join(a.shared, "corpus")
    if not os.path.isdir(corpus):
        print("skipped: no corpus at", corpus)
        return 0
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import jax  # noqa: F401
    except ImportError as error:
        print("skipped:", error)
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = a.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for program, schedules in PROGRAMS:
            for schedule, mesh in schedules:
                if a.only not in f"{program}.{schedule}":
                    continue
                source = os.path.join(corpus, program + ".mlir")
                annotated = os.path.join(folder, f"{program}.{schedule}.sdy.mlir")
                done = subprocess.run(
                    [
                        a.partir,
                        "partition",
                        source,
                        "--mesh",
                        mesh,
                        "--schedule",
                        os.path.join(corpus, "schedules", schedule + ".json"),
                        "--emit",
                        "sdy",
                        "--no-check",
                        "-o",
                        annotated,
                    ],
                    capture_output=True,
                    text=True,
                )
                if done.returncode != 0:
                    print(f"{program} {schedule}: {done.stderr.strip()[:200]}")
                    continue
                text = pathlib.Path(annotated).read_text()
                text = re.sub(r"tf\.aliasing_output = \d+ : i32(, )?", "", text)
                axes = {k: int(v) for k, v in (x.split("=") for x in mesh.split(","))}
                head = text[: text.index("{\n", text.index("@main"))]
                given, returned = head.split(") -> (")
                shardings = {
                    "mesh": mesh,
                    "arguments": [as_text(s) for s in SHARDING.findall(given)],
                    "results": [as_text(s) for s in SHARDING.findall(returned)],
                }
                own = os.path.join(folder, f"{program}.{schedule}.json")
                pathlib.Path(own).write_text(json.dumps(shardings))
                hlo = with_hlo_shardings(text, axes)
                for partitioner in ("shardy", "xla_shardy", "xla_gspmd"):
                    name = f"{program}.{schedule}.{partitioner}"
                    row = {"name": name}
                    try:
                        out = (
                            by_shardy(text, scratch)
                            if partitioner == "shardy"
                            else by_xla(
                                hlo if partitioner == "xla_gspmd" else text, partitioner == "xla_shardy", scratch
                            )
                        )
                    except Exception as error:  # the partitioner gives up
                        row.update(verdict="not partitioned", reason=str(error).splitlines()[0][:160])
                    else:
                        file = os.path.join(folder, name + ".spmd.mlir")
                        pathlib.Path(file).write_text(out)
                        start = time.time()
                        report = pathlib.Path(scratch, "report.json")
                        done = subprocess.run(
                            [
                                a.partir,
                                "validate",
                                source,
                                file,
                                "--shardings",
                                own,
                                "--timeout",
                                a.timeout,
                                "--json",
                                report,
                            ],
                            capture_output=True,
                            text=True,
                        )
                        said = json.loads(report.read_text()) if report.exists() else {}
                        row.update(
                            verdict={0: "proved", 1: "refuted", 3: "unknown"}.get(
                                done.returncode, f"exit {done.returncode}"
                            ),
                            scope=said.get("scope", ""),
                            reason=said.get("reason", "") or done.stderr.strip()[-300:],
                            at=said.get("at"),
                            seconds=time.time() - start,
                        )
                    rows.append(row)
                    print(
                        f"{name:<50} {row['verdict']:<16} {row.get('scope', ''):<36} "
                        f"{row.get('seconds', 0):6.1f} s  {row['reason'][:150]}",
                        flush=True,
                    )
    made = [r for r in rows if r["verdict"] != "not partitioned"]
    decided = sum(r["verdict"] in ("proved", "refuted") for r in made)
    print(
        f"{len(made)} outputs of {len(rows)}: {decided} decided, {sum(r['verdict'] == 'proved' for r in made)} proved, "
        f"{sum(r.get('scope') == 'all inputs' for r in made)} of these without probability, "
        f"{sum(r['verdict'] == 'refuted' for r in made)} refuted"
    )
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    if "--shardy" in sys.argv:
        run_shardy(sys.argv[2], sys.argv[3])
    elif "--compile" in sys.argv:
        compile_text(sys.argv[2], sys.argv[3])
    else:
        sys.exit(main())
