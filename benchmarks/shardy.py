#!/usr/bin/env python3
"""Compares the partitioning time of OpenPartIR and of Shardy (jaxlib's passes) on the same programs and shardings.

usage: shardy.py BUILD SHARED [--runs N] [--all]
       BUILD has partir and benchmarks/partition, SHARED has corpus/; without it, or without jaxlib, prints "skipped".
       --all: also the largest program.

Times are processor seconds of one thread each, of the fastest run. Ours covers propagation, lowering and optimisation
of collectives for BP, then BP+MP (the program of each tactic is lowered), without reading and printing. Shardy gets the
same program with the shardings of all arguments and results that ours found (--emit sdy), and runs propagation,
explicit reshards, their collectives, and the conversion to a local program. Then follow the cost of an axis that no
tactic uses, the largest program's whole command, and the work on each device.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
PASSES = [
    ("propagation", "builtin.module(sdy-propagation-pipeline)"),
    ("reshards", "builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))"),
    ("collectives", "builtin.module(func.func(sdy-reshard-to-collectives))"),
    ("local program", "builtin.module(sdy-convert-global-to-local)"),
]
MESH = "batch=4,model=2"


def partitioned(build, corpus, program, mesh, *more):
    """Returns the report of `partir partition`."""
    schedule = "llama_bp_mp" if program.startswith("llama") else "t_bp_mp"
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run(
            [
                os.path.join(build, "partir"),
                "partition",
                os.path.join(corpus, program + ".mlir"),
                "--mesh",
                mesh,
                "--schedule",
                os.path.join(corpus, "schedules", schedule + ".json"),
                "--json",
                report,
                *more,
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return json.loads(pathlib.Path(report).read_text())


def ours(build, shared, program, mesh=MESH):
    """Returns (operations, seconds of propagation, lowering and optimisation of collectives)."""
    text = subprocess.run(
        [os.path.join(build, "benchmarks", "partition"), shared, mesh, program],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    name, operations, _, propagate, lower, optimize = text.splitlines()[-1].split()[:6]
    assert name == program, text
    return int(operations), float(propagate) + float(lower) + float(optimize)


def shardys(text, runs):
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir, passmanager

    best = None
    for _ in range(runs):
        context = jax_mlir.make_ir_context()
        with context, ir.Location.unknown(context):
            module = ir.Module.parse(text)
            took = {}
            for name, pipeline in PASSES:
                manager = passmanager.PassManager.parse(pipeline)
                start = time.process_time()
                try:
                    manager.run(module.operation)
                except Exception as error:
                    took[name] = None  # the passes after a failed one cannot run
                    print(f"  Shardy's {name}: {str(error).splitlines()[0][:160]}")
                    break
                took[name] = time.process_time() - start
        total = sum(t for t in took.values() if t is not None)
        if best is None or total < sum(t for t in best.values() if t is not None):
            best = took
    return best


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    runs = int(sys.argv[sys.argv.index("--runs") + 1]) if "--runs" in sys.argv else 3
    build, shared = arguments[0], arguments[1]
    corpus = os.path.join(shared, "corpus")
    if not os.path.isdir(corpus):
        print("skipped: no corpus at", corpus)
        return 0
    try:
        import jaxlib
    except ImportError:
        print("skipped: jaxlib is not installed")
        return 0
    print(f"BP+MP on {MESH}; seconds of processor time, fastest of {runs} runs; jaxlib {jaxlib.__version__}")
    print(f"{'program':<18}{'operations':>11}{'ours':>8}{'Shardy':>9}{'ratio':>7}   Shardy's stages")
    for program in ["t32_train", "t48_train", "llama3_8b_train"] + (
        ["llama3_405b_train"] if "--all" in sys.argv else []
    ):
        operations, took = ours(build, shared, program)
        with tempfile.TemporaryDirectory() as folder:
            annotated = os.path.join(folder, "annotated.mlir")
            partitioned(build, corpus, program, MESH, "--no-check", "--emit", "sdy", "-o", annotated)
            theirs = shardys(pathlib.Path(annotated).read_text(), runs if program != "llama3_405b_train" else 1)
        total = sum(t for t in theirs.values() if t is not None)
        stages = ", ".join(f"{n} {'failed' if t is None else f'{t:.2f}'}" for n, t in theirs.items())
        print(f"{program:<18}{operations:>11}{took:>8.3f}{total:>9.2f}{took / total:>7.3f}   {stages}", flush=True)

    plain = ours(build, shared, "t32_train")[1]
    idle = ours(build, shared, "t32_train", MESH + ",idle=2048")[1]
    print(
        f"\nan idle axis of 2048 on t32_train: {plain:.3f} s without, {idle:.3f} s with it, ratio {idle / plain:.2f}"
        " (wanted: at most 1.5)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = partitioned(build, corpus, "llama3_405b_train", MESH)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"llama3_405b_train, whole command: {whole['operations']} operations, {took:.2f} s of processor time"
        f" (wanted: under 5); largest command so far {after.ru_maxrss / 2**20:.2f} GiB (wanted: under 2)"
    )
    print("\nwork on each of 8 devices of batch=8, of a sequential eighth (wanted: at most 1.1)")
    for program in ["t32_train", "t48_train", "llama3_8b_train"]:
        r = partitioned(build, corpus, program, "batch=8,model=1", "--no-check", "--after", "BP")
        print(
            f"{program:<18}{r['flops_per_device'] * 8 / r['flops_sequential']:>8.3f}, "
            f"{r['collectives']['all_gather']} all_gather"
        )
    return 0


sys.exit(main())
