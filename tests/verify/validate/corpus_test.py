#!/usr/bin/env python3
"""Validates the modules that `partir partition` writes for real programs without their certificates, and altered ones.

usage: corpus_test.py PARTIR FOLDER [--shared SHARED] [--full] [--most N]

FOLDER holds PROGRAM.mlir with schedules/; `corpus/` in SHARED holds more programs, which are skipped without it. Of
these only the small ones run, and all of them with --full; --most N runs a random N of the pairs of program and
schedule. Each module must be proved for all inputs. Then one place of its text is altered so that it computes something
else: it must not be proved, and an operation at or after that place must be named.
"""

import argparse
import glob
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MESHES = ["batch=4,model=2", "B=4,M=2", "batch=2,model=2", "B=2,M=2"]
UNEVEN = ["batch=3,model=5"]  # for schedules whose dimensions need not divide
ALTERED = [
    ("stablehlo.multiply", "stablehlo.add"),
    ("stablehlo.subtract", "stablehlo.add"),
    ("stablehlo.maximum", "stablehlo.minimum"),
]


def validate(partir, source, target, scratch, seconds=100):
    report = pathlib.Path(scratch, "report.json")
    done = subprocess.run(
        [partir, "validate", source, target, "--json", report, "--timeout", str(seconds)],
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"FAIL: exit {done.returncode}: {done.stderr}")
    return json.loads(report.read_text())


def altered(text, rng, uneven):
    """Returns (text, line) with one operation of the main function, on computed values, replaced by another."""
    lines = text.splitlines()
    places = [
        (i, old, new)
        for i, line in enumerate(lines)
        for old, new in ALTERED
        if re.match(r" {4}%\d+ = " + old + r" %\d+, %\d+ : tensor<.*x", line)
    ]
    # Masks: with LE for LT, one element of the padding is not masked.
    places += [
        (i, "compare LT", "compare LE")
        for i, line in enumerate(lines)
        if re.match(r" {4}%\d+ = stablehlo.compare LT, %\d+, %\d+ : \(tensor<\d+xi32>", line)
    ] * uneven
    if not places:
        return None
    i, old, new = rng.choice(places)
    lines[i] = lines[i].replace(old, new)
    return "\n".join(lines) + "\n", i + 1


def main():
    p = argparse.ArgumentParser()
    p.add_argument("partir")
    p.add_argument("folder")
    p.add_argument("--shared")
    p.add_argument("--full", action="store_true")
    p.add_argument("--most", type=int)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    programs = [(f, os.path.join(a.folder, "schedules")) for f in sorted(glob.glob(os.path.join(a.folder, "*.mlir")))]
    corpus = os.path.join(a.shared, "corpus") if a.shared else ""
    if os.path.isdir(corpus):
        files = sorted(glob.glob(os.path.join(corpus, "*.mlir")))
        small = [
            "t32_train",
            "matmul_chain",
            "mlp_train",
            "it32_step",
            "t2_train_tiny",
            "llama3_8b_train_tiny",
            "gns_train_tiny",
        ]
        programs += [
            (f, os.path.join(corpus, "schedules")) for f in files if a.full or os.path.basename(f)[:-5] in small
        ]
    else:
        print("programs of the corpus: skipped, no folder of them")
    rng = random.Random(a.seed)
    modules = exact = changed = named = 0
    with tempfile.TemporaryDirectory() as scratch:
        pairs = [(f, s) for f, folder in programs for s in sorted(glob.glob(os.path.join(folder, "*.json")))]
        if a.most:
            pairs = rng.sample(pairs, min(a.most, len(pairs)))
        for program, schedule in pairs:
            out = pathlib.Path(scratch, "out.mlir")
            uneven = '"uneven"' in pathlib.Path(schedule).read_text()
            for mesh in UNEVEN if uneven else MESHES:  # the first that suits the schedule and the sizes
                done = subprocess.run(
                    [a.partir, "partition", program, "--mesh", mesh, "--schedule", schedule, "--no-check", "-o", out],
                    capture_output=True,
                    text=True,
                )
                if done.returncode == 0:
                    break
            else:
                continue
            name = f"{os.path.basename(program)} by {os.path.basename(schedule)}, seed {a.seed}"
            said = validate(a.partir, program, out, scratch)
            modules += 1
            exact += said["scope"] == "all inputs"
            if said["verdict"] != "proved" or said["scope"] != "all inputs":
                print(f"FAIL: {name}: {said['verdict']} ({said['scope']}): {said['reason']}")
                return 1
            wrong = altered(out.read_text(), rng, uneven)
            if wrong is None:
                continue
            text, line = wrong
            out.write_text(text)
            said = validate(a.partir, program, out, scratch, seconds=2)
            changed += 1
            at = said["at"] or {}
            named += at.get("line", 0) >= line
            if said["verdict"] == "proved" and not computes_the_same(a.partir, program, out):
                print(f"FAIL: {name}, altered in line {line}: proved: {said['reason']}")
                return 1
    print(f"{modules} modules: {exact} proved for all inputs without a certificate given")
    print(
        f"{changed} altered in one place: none proved that computes something else; "
        f"of {named} an operation there or behind is named"
    )
    if modules == 0 or named < changed * 0.8:
        print("FAIL: too few")
        return 1
    return 0


def computes_the_same(partir, source, target):
    """An operation whose result nothing reads may be altered, which small programs show when they run."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted = os.path.join(scratch, "wanted.npz")
        subprocess.run(
            [partir, "run", source, "--seed", "3", "--domain", "f64", "--outputs", wanted],
            check=True,
            capture_output=True,
        )
        return (
            subprocess.run(
                [partir, "run", target, "--seed", "3", "--domain", "f64", "--expect", wanted], capture_output=True
            ).returncode
            == 0
        )


if __name__ == "__main__":
    sys.exit(main())
