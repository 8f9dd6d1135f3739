#!/usr/bin/env python3
"""Measures time and memory of `partir validate`, and lists published figures of other validators.

usage: validation.py PARTIR SHARED [--only TEXT] [--json OUT]
       SHARED has corpus/ with its programs and schedules/; without it, prints "skipped".

Our partitioner writes each module; `partir validate` gets the source and that module, without a certificate. Three
limits are enforced: t32_train 2 s, llama3_405b_train 10 s and 4 GiB, and 512 devices at most twice the time of 8. Exit
status 1 if one is exceeded or a verdict is not `proved`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

MESHES = {8: "batch=4,model=2", 32: "batch=8,model=4", 128: "batch=16,model=8", 512: "batch=16,model=32"}
ROWS = [
    ("t32_train", "t_bp_mp", "batch=4,model=2", 2, None),
    ("t48_train", "t_bp_mp", "batch=4,model=2", None, None),
    ("llama3_8b_train", "llama_bp_mp", "batch=4,model=2", None, None),
    ("llama3_405b_train", "llama_bp_mp", "batch=4,model=8", 10, 4.0),
    ("unet_train", "t_bp", "batch=4", None, None),
    ("it32_step", "it_bp_mp", "batch=4,model=2", None, None),
]
ROWS += [("t32_train", "t_bp_mp", mesh, None, None) for mesh in MESHES.values()]
PUBLISHED = [
    ("Scalify, Llama 405B", "minutes", "-"),
    ("Entangle, 8 Llama layers, tensor parallel over 8", "237 s", "16 cores"),
    ("TrainVerify", "-", "1 TB of memory"),
]


def measured(command):
    """Runs a command. Returns its seconds, its peak memory in GiB, its exit status and its output."""
    start = time.time()
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = done.stdout.read()
    _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    return time.time() - start, usage.ru_maxrss / 2**20, done.returncode, said


def main():
    p = argparse.ArgumentParser()
    p.add_argument("partir")
    p.add_argument("shared")
    p.add_argument("--only", default="")
    p.add_argument("--json")
    a = p.parse_args()
    corpus = os.path.join(a.shared, "corpus")
    if not os.path.isdir(corpus):
        print("skipped: no corpus in", a.shared)
        return
    rows, failed = [], False
    print(f"{'program':20} {'schedule':12} {'mesh':20} {'operations':>10} {'verdict':8} {'seconds':>8} {'GiB':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        for program, schedule, mesh, seconds_at_most, gib_at_most in ROWS:
            source = os.path.join(corpus, program + ".mlir")
            if a.only not in f"{program}.{mesh}" or not os.path.exists(source):
                continue
            module, report = os.path.join(scratch, "module.mlir"), os.path.join(scratch, "report.json")
            wrote = measured(
                [
                    a.partir,
                    "partition",
                    source,
                    "--mesh",
                    mesh,
                    "--schedule",
                    os.path.join(corpus, "schedules", schedule + ".json"),
                    "--no-check",
                    "-o",
                    module,
                    "--json",
                    report,
                ]
            )
            if wrote[2] != 0:
                print(f"{program:20} {schedule:12} {mesh:20} not partitioned: {wrote[3].strip()[-160:]}")
                failed = True
                continue
            with open(report) as f:
                operations = json.load(f)["operations"]
            seconds, gib, status, said = measured([a.partir, "validate", source, module])
            verdict = said.split(" ", 1)[0].rstrip(":")
            over = (seconds_at_most is not None and seconds > seconds_at_most) or (
                gib_at_most is not None and gib > gib_at_most
            )
            failed = failed or over or status != 0
            rows.append(
                {
                    "program": program,
                    "schedule": schedule,
                    "mesh": mesh,
                    "operations": operations,
                    "verdict": verdict,
                    "seconds": seconds,
                    "gib": gib,
                }
            )
            limit = (
                f"  limit {seconds_at_most} s" + (f", {gib_at_most:g} GiB" if gib_at_most else "")
                if seconds_at_most
                else ""
            )
            print(
                f"{program:20} {schedule:12} {mesh:20} {operations:10} {verdict:8} {seconds:8.2f} {gib:6.2f}"
                f"{limit}{'  EXCEEDED' if over else ''}",
                flush=True,
            )
    flat = [r["seconds"] for r in rows[-len(MESHES) :]] if not a.only else []
    if flat:
        print(f"from {min(MESHES)} to {max(MESHES)} devices: {flat[0]:.2f} s to {flat[-1]:.2f} s")
        failed = failed or flat[-1] > 2 * flat[0]
    print("published by others, on their machines and programs:")
    for what, time_, where in PUBLISHED:
        print(f"  {what}: {time_}, {where}")
    if a.json:
        with open(a.json, "w") as f:
            json.dump(rows, f, indent=1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
