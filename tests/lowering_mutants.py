#!/usr/bin/env python3
"""Breaks the lowering in one place at a time; `partir validate` must refute each module that computes other values.

usage: lowering_mutants.py [--folder FOLDER] [--only NAME] [--jobs N]

The mutants are those of tests/mutant_table.py in lowering/, one build of them (see tests/mutants.py). Each partitions a few of
the examples, unchecked, and what it writes differently is validated by the same program with no mutant chosen, without a
certificate. A module that is proved computes the same in another way (a longer plan, say); one that is neither proved nor
refuted fails. What a mutant cannot write, or writes so that it does not read, counts as noticed.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import mutants

CASES = [("matmul_chain", "batch=4,model=2", "matmul_chain_bp_mp_z3")]
CASES += [("transformer_train", "batch=2,model=2", s) for s in ("transformer_bp_mp_z3", "transformer_mp_emb", "transformer_bp_mp_vocab", "sequence_parallel")]


def called(*command, mutant=None):
    env = dict(os.environ)
    env.pop("PARTIR_MUTANT", None)
    if mutant:
        env["PARTIR_MUTANT"] = str(mutant)
    try:
        return subprocess.run(command, capture_output=True, text=True, env=env, timeout=120).returncode
    except subprocess.TimeoutExpired:
        return "out of time"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--folder", default=os.path.join(mutants.ROOT, "build-mutants"))
    p.add_argument("--only", default="")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    a = p.parse_args()
    chosen = [m for m in mutants.mutants() if m.file.startswith("lowering/") and a.only in m.name]
    mutants.make(a.folder, mutants.with_mutants(mutants.sources(), chosen), a.jobs, ["partir"])
    partir = os.path.join(a.folder, "build", "partir")
    examples = os.path.join(mutants.ROOT, "examples")
    count = {"refuted": 0, "proved, the same values": 0, "not written": 0, "unknown": 0}
    seen = 0
    with tempfile.TemporaryDirectory() as scratch:
        cases = []
        for program, mesh, schedule in CASES:
            source, rules = os.path.join(examples, program + ".mlir"), os.path.join(examples, "schedules", schedule + ".json")
            out = os.path.join(scratch, f"{program}.{schedule}.mlir")
            command = [partir, "partition", source, "--mesh", mesh, "--schedule", rules, "--no-check", "-o"]
            if not os.path.exists(source) or not os.path.exists(rules) or called(*command, out) != 0:
                print(f"left out: {program} {schedule}")
                continue
            with open(out) as f:
                cases.append((source, schedule, command, f.read()))
        for m in chosen:
            told = {}
            for source, schedule, command, unbroken in cases:
                out = os.path.join(scratch, "mutant.mlir")
                if os.path.exists(out):
                    os.remove(out)
                status = called(*command, out, mutant=m.number)
                if status != 0:
                    told[schedule] = "not written"
                    continue
                with open(out) as f:
                    if f.read() == unbroken:
                        continue
                status = called(partir, "validate", source, out, "--timeout", "60")
                told[schedule] = {0: "proved, the same values", 1: "refuted", 2: "not written", 3: "unknown"}.get(status, f"exit {status}")
            seen += bool(told)
            for verdict in told.values():
                count[verdict] = count.get(verdict, 0) + 1
            if told:
                print(f"{m.name:<44} " + ", ".join(f"{k}: {v}" for k, v in told.items()), flush=True)
    bad = sum(n for verdict, n in count.items() if verdict == "unknown" or verdict.startswith("exit"))
    print(f"{len(chosen)} mutants, {seen} of them write other modules of these programs: " + ", ".join(f"{n} {v}" for v, n in count.items()))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
