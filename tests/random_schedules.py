#!/usr/bin/env python3
"""Partitions a real program by random schedules: every outcome must be a checked partition or an error of the user's.

usage: random_schedules.py PARTIR PROGRAM.mlir [--cases N] [--seed S]
PROGRAM.json, next to the program, names the arguments.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("partir")
parser.add_argument("program")
parser.add_argument("--cases", type=int, default=20)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
if not os.path.exists(options.program):
    print("skipped: no", options.program)
    sys.exit(77)
names = json.loads(pathlib.Path(options.program).with_suffix(".json").read_text())
arguments = [(a["name"], a["shape"]) for a in names["args"] if a["shape"]]
meshes = [{"a": 2, "b": 2}, {"a": 4, "b": 2}, {"a": 2, "b": 2, "c": 2}, {"a": 3}, {"a": 8}]
counts = {}
for case in range(options.cases):
    rng = random.Random(options.seed * 100003 + case)
    mesh = rng.choice(meshes)
    tactics, asked = [], set()
    for t in range(rng.randint(1, 4)):
        axis = rng.choice(list(mesh))
        inputs = {}
        for name, shape in rng.sample(arguments, min(len(arguments), rng.choice([1, 2, 5, 20]))):
            if (axis, name) in asked:
                continue
            asked.add((axis, name))
            inputs[name] = rng.choice(
                ["replicated", "first_divisible_dim", "first_divisible_dim"] + list(range(len(shape))) * 2
            )
        tactics.append({"name": f"T{t}", "axis": axis, "inputs": inputs})
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump({"tactics": tactics}, file)
    command = [
        options.partir,
        "partition",
        options.program,
        "--mesh",
        ",".join(f"{a}={n}" for a, n in mesh.items()),
        "--schedule",
        file.name,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    users_error = done.returncode == 2 and "divides" in done.stderr
    if done.returncode != 0 and not users_error:
        print(
            f"FAIL case {case} of seed {options.seed}: exit {done.returncode}\n{done.stdout[-1500:]}{done.stderr}\n"
            f"replay: {' '.join(command)}"
        )
        sys.exit(1)
    os.unlink(file.name)
    verdict = "user's error" if users_error else done.stdout.split("check: ")[1].split(" ")[0]
    counts[verdict] = counts.get(verdict, 0) + 1
print(f"{options.cases} schedules of {os.path.basename(options.program)}:", counts)
