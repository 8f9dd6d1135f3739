#!/usr/bin/env python3
"""Partitions real programs and holds four runs of each to one another: the sequential interpreter, the SPMD interpreter,
JAX's own outputs (.npz) and, where jax is installed, XLA on as many CPU devices.

usage: corpus_test.py PARTIR SHARED [--quick] [--no-xla]
       SHARED has corpus/NAME.mlir with NAME.npz, and tools/run_spmd.py; without it the test is skipped (exit 77).
       PARTIR_NO_XLA in the environment is --no-xla.
"""
import os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEDULES = os.path.join(HERE, "..", "examples", "schedules")
PROGRAMS = {"matmul_chain_tiny": ("matmul_chain", ("bp", "mp", "bp_mp")), "mlp_train_tiny": ("mlp", ("bp", "mp", "bp_mp")),
            "t2_train_tiny": ("transformer", ("bp", "mp", "bp_mp")),
            "t32_train_onehot_tiny": ("transformer", ("bp", "mp", "bp_mp")),
            "it32_infer_tiny": ("decode", ("bp_mp",)),
            "llama3_8b_scan_train_tiny": ("llama_scan", ("bp", "bp_mp", "bp_mp_z3"))}
MESHES = ["batch=2,model=2", "batch=4,model=2", "batch=2,model=4"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def main():
    partir, shared = sys.argv[1], sys.argv[2]
    quick = "--quick" in sys.argv
    xla = "--no-xla" not in sys.argv and "PARTIR_NO_XLA" not in os.environ
    corpus, judge = os.path.join(shared, "corpus"), os.path.join(shared, "tools", "run_spmd.py")
    if not os.path.isdir(corpus):
        print("skipped: no corpus at", shared)
        return 77
    if xla and run(sys.executable, "-c", "import jax")[0] != 0:
        print("XLA is left out: jax is not installed")
        xla = False
    held = failed = skipped = 0
    for program, (kind, schedules) in PROGRAMS.items():
        source, npz = (os.path.join(corpus, program + end) for end in (".mlir", ".npz"))
        code, text = run(partir, "run", source, "--inputs", npz, "--expect", npz)
        held, failed = held + (code == 0), failed + (code != 0)
        print(f"{'ok  ' if code == 0 else 'FAIL'} {program} in sequence: {text.splitlines()[-1]}")
        for schedule in schedules:
            for mesh in MESHES[1:2] if quick else MESHES:
                what = f"{program} {schedule} on {mesh}"
                with tempfile.TemporaryDirectory() as folder:
                    out = os.path.join(folder, "out.mlir")
                    command = [partir, "partition", source, "--mesh", mesh, "--schedule",
                               os.path.join(SCHEDULES, f"{kind}_{schedule}.json"), "-o", out]
                    code, text = run(*command)
                    if code == 2 and "divides" in text:
                        print(f"skip {what}: {text}")
                        skipped += 1
                        continue
                    steps = [("partition", code, text)]
                    if code == 0:
                        steps.append(("interpreter",) + run(partir, "run", out, "--inputs", npz, "--expect", npz))
                        if xla and os.path.exists(judge):
                            steps.append(("XLA",) + run(sys.executable, judge, out, "--npz", npz))
                    for name, code, text in steps:
                        held, failed = held + (code == 0), failed + (code != 0)
                        last = text.splitlines()[-1] if text else ""
                        if name == "XLA":
                            last = "; ".join(line for line in text.splitlines() if "devices" in line) or last
                        print(f"{'ok  ' if code == 0 else 'FAIL'} {what}, {name}: {last}")
                        if code != 0:
                            print("     replay:", " ".join(command), "\n    ", text[-2000:])
    print(f"{held} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
