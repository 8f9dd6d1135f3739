#!/usr/bin/env python3
"""Partitions real programs and compares four runs of each: the sequential interpreter, the SPMD interpreter, JAX's own
outputs (.npz) and, where jax is installed, XLA on as many CPU devices.

usage: corpus_test.py PARTIR SHARED [--quick] [--no-xla] [--only WORD]
       SHARED holds corpus/NAME.mlir with NAME.npz; without it the test is skipped (exit 77). After ./run corpus, the
       folder build is such a folder. XLA is compared only if it also holds tools/run_spmd.py, which runs modules.
       --quick: the last schedule of each program, on one mesh, and XLA only where it compiles fast.
       --only: only programs, schedules or meshes that contain WORD.
       PARTIR_NO_XLA in the environment has the effect of --no-xla.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEDULES = os.path.join(HERE, "..", "examples", "schedules")
TRANSFORMER = [
    "transformer_bp",
    "transformer_emb",
    "transformer_mp",
    "transformer_mp_emb",
    "transformer_bp_mp_z2",
    "transformer_bp_mp_z3",
    "transformer_bp_mp_z3_emb",
    "transformer_bp_mp_vocab",
    "transformer_bp_mp",
]
PROGRAMS = {
    "matmul_chain_tiny": ["matmul_chain_bp", "matmul_chain_mp", "matmul_chain_bp_mp_z3", "matmul_chain_bp_mp"],
    "mlp_train_tiny": ["mlp_bp", "mlp_mp", "mlp_bp_mp"],
    "t2_train_tiny": TRANSFORMER,
    "t32_train_onehot_tiny": TRANSFORMER,
    "llama3_8b_train_tiny": ["llama_bp_mp"],
    "llama3_8b_scan_train_tiny": ["llama_scan_bp", "llama_scan_bp_mp_z3", "llama_scan_bp_mp"],
    "it32_step_tiny": ["decode_bp_seq", "decode_bp_mp"],
    "it32_infer_tiny": ["decode_bp_seq", "decode_bp_mp"],
    "unet_train_tiny": ["unet_bp", "unet_bp_z3", "unet_bp_z2"],
    "gns_train_tiny": ["gns_es"],
}
XLA_IS_SLOW = {
    "llama3_8b_train_tiny",
    "llama3_8b_scan_train_tiny",
    "it32_infer_tiny",
    "unet_train_tiny",
    "gns_train_tiny",
}
MESHES = ["batch=2,model=2", "batch=4,model=2", "batch=2,model=2,idle=2"]
# Runs many modules in one process, because starting jax takes longer than most of them do.
JUDGE = """
import sys
sys.path.insert(0, sys.argv[1])
pairs = [line.split("\\t") for line in sys.stdin.read().splitlines()]
sys.argv.append("--npz")
import run_spmd
for out, npz in pairs:
    try:
        good = all([run_spmd.check_npz(open(out).read(), npz, mode, 1e-4) for mode in ("replicas", "manual")])
    except Exception as error:
        good = False
        print(type(error).__name__, str(error).replace("\\n", " ")[:500])
    print("VERDICT", out, "ok" if good else "FAIL", flush=True)
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


class Tally:
    def __init__(self):
        self.held = self.failed = self.skipped = 0

    def note(self, what, good, text, replay=()):
        self.held, self.failed = self.held + good, self.failed + (not good)
        print(f"{'ok  ' if good else 'FAIL'} {what}: {text.splitlines()[-1] if text else ''}", flush=True)
        if not good:
            print("     replay:", " ".join(replay), "\n    ", text[-2000:])


def judged_by_xla(tally, judge, modules):
    """`modules` maps the path of a partitioned module to (what, npz, command)."""
    judging = subprocess.Popen(
        [sys.executable, "-u", "-c", JUDGE, os.path.dirname(judge)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    judging.stdin.write("".join(f"{out}\t{npz}\n" for out, (_, npz, _) in modules.items()))
    judging.stdin.close()
    lines = []
    seen = set()
    for line in map(str.rstrip, judging.stdout):
        if not line.startswith("VERDICT"):
            lines.append(line)
            continue
        _, out, verdict = line.split()
        what, _, command = modules[out]
        shown = [x for x in lines if "devices" in x] or lines
        tally.note(f"{what}, XLA", verdict == "ok", "; ".join(shown), command)
        seen.add(out)
        lines = []
    code = judging.wait()
    for out in modules.keys() - seen:
        tally.note(
            f"{modules[out][0]}, XLA", False, f"no verdict (exit {code}) " + " ".join(lines[-3:]), modules[out][2]
        )


def main():
    partir, shared = sys.argv[1], sys.argv[2]
    quick = "--quick" in sys.argv
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    xla = "--no-xla" not in sys.argv and "PARTIR_NO_XLA" not in os.environ
    corpus, judge = os.path.join(shared, "corpus"), os.path.join(shared, "tools", "run_spmd.py")
    if not os.path.isdir(corpus):
        print("skipped: no corpus at", shared)
        return 77
    if xla and not os.path.exists(judge):
        print("XLA is left out: there is no", judge)
        xla = False
    if xla and run(sys.executable, "-c", "import jax")[0] != 0:
        print("XLA is left out: jax is not installed")
        xla = False
    tally, modules = Tally(), {}
    with tempfile.TemporaryDirectory() as folder:
        for program, schedules in PROGRAMS.items():
            source, npz = (os.path.join(corpus, program + end) for end in (".mlir", ".npz"))
            if not os.path.exists(source):
                continue
            cases = [
                (s, m)
                for s in (schedules[-1:] if quick else schedules)
                for m in (MESHES[1:2] if quick else MESHES)
                if only in f"{program} {s} on {m}"
            ]
            if cases:
                code, text = run(partir, "run", source, "--inputs", npz, "--expect", npz)
                tally.note(f"{program} in sequence", code == 0, text)
            for schedule, mesh in cases:
                what = f"{program} {schedule} on {mesh}"
                path = os.path.join(SCHEDULES, schedule + ".json")
                out = os.path.join(folder, re.sub(r"[^a-z0-9_]+", "_", what) + ".mlir")
                command = [partir, "partition", source, "--mesh", mesh, "--schedule", path, "-o", out]
                code, text = run(*command)
                if code == 2 and "divides" in text:
                    print(f"skip {what}: {text}")
                    tally.skipped += 1
                    continue
                tally.note(f"{what}, partition", code == 0, text, command)
                if code != 0:
                    continue
                again = [partir, "run", out, "--inputs", npz, "--expect", npz]
                code, text = run(*again)
                tally.note(f"{what}, interpreter", code == 0, text, command)
                if not (quick and program in XLA_IS_SLOW):
                    modules[out] = (what, npz, command)
        if xla and modules:
            judged_by_xla(tally, judge, modules)
    print(f"{tally.held} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


sys.exit(main())
