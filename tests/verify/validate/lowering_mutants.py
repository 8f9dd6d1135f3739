#!/usr/bin/env python3
"""Holds `partir validate` to wrong partitions that a broken lowering writes: ./run mutants --validate.

usage: lowering_mutants.py PARTIR [--folder FOLDER] [--shared SHARED] [--only NAME] [--jobs N] [--timeout S]

The build with all mutants (tests/mutants.py) partitions each program by each of its schedules, one mutant at a time. A
module that differs from the one without mutants is run on random inputs beside its source by PARTIR, which has no
mutants. Where the values differ, `partir validate` must refute it; where they agree, it may prove it or say unknown.
One line a mutant; exit status 1 if a module whose values differ is proved, or is unknown for every program on which its
mutant changes values.

Programs are those of operation_programs.py, which need JAX, with each dimension of each argument tiled. For a mutant
that changes no values of theirs, they are the examples and those of the shared corpus, with their own schedules.
"""

import argparse
import concurrent.futures
import fnmatch
import glob
import itertools
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import mutants

MESHES = ["batch=4,model=2", "B=4,M=2", "batch=2,model=2", "data=4,model=2", "x=4", "stage=4", "batch=3,model=5"]
ENOUGH = 6  # modules of which a mutant changes the values; more say little that is new
ENOUGH_CHANGED = 12  # modules that it changes at all
SHARED_PROGRAMS = [
    "t2_train_tiny",
    "llama3_8b_train_tiny",
    "it32_step_tiny",
    "gns_train_tiny",
    "unet_train_tiny",
    "mlp_train_tiny",
]


def call(argv, mutant=None, seconds=120):
    env = dict(os.environ)
    env.pop("PARTIR_MUTANT", None)
    if mutant:
        env["PARTIR_MUTANT"] = str(mutant)
    try:
        return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return -1


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Case:
    """A program and a schedule, partitioned without mutants, and what the source gives on random inputs."""

    def __init__(self, partir, program, schedule, mesh, scratch):
        self.name = f"{os.path.basename(program)[:-5]} {os.path.basename(schedule)[:-5]}"
        self.program = program
        self.argv = ["partition", program, "--mesh", mesh, "--schedule", schedule, "--no-check", "-o"]
        key = self.name.replace(" ", ".")
        self.right = os.path.join(scratch, key + ".right.mlir")
        self.values = os.path.join(scratch, os.path.basename(program) + ".npz")
        self.applies = call([partir, *self.argv, self.right]) == 0
        if self.applies and not os.path.exists(self.values):
            self.applies = call([partir, "run", program, "--seed", "1", "--outputs", self.values], seconds=60) == 0

    def values_of(self, partir, module):
        """same, differs (also where devices wait for each other), or None for a module that is invalid or that no
        interpreter runs.
        """
        code = call([partir, "run", module, "--seed", "1", "--expect", self.values])
        return {0: "same", 1: "differs"}.get(code)

    def verdict(self, partir, module, seconds):
        report = module + ".json"
        argv = [partir, "validate", self.program, module, "--timeout", str(seconds), "--json", report]
        code = call(argv, seconds=120 + seconds)
        if code not in (0, 1, 3):
            return f"exit {code}", ""
        with open(report) as f:
            found = json.load(f)
        return found.get("verdict", "rejected"), found.get("reason", "")


def operation_cases(partir, scratch):
    """The programs of operation_programs.py: each dimension of each argument over x, and pairs of them over x and y."""
    try:
        import operation_programs
    except ImportError:
        print("programs of single operations: skipped, no JAX")
        return
    for name, text, shapes in operation_programs.modules():
        program = os.path.join(scratch, name + ".mlir")
        write(program, text)
        dims = [(f"arg{k}", d) for k, shape in enumerate(shapes) for d in range(len(shape))]
        tilings = [[("x", arg, d)] for arg, d in dims]
        tilings += [[("x", *first), ("y", *second)] for first, second in itertools.pairwise(dims[:3])]
        for k, tiling in enumerate(tilings):
            tactics = [{"name": axis, "axis": axis, "inputs": {arg: d}, "uneven": True} for axis, arg, d in tiling]
            schedule = os.path.join(scratch, f"{name}.{k}.json")
            write(schedule, json.dumps({"tactics": tactics}))
            yield Case(partir, program, schedule, "x=4" if len(tiling) == 1 else "x=2,y=2", scratch)


def folder_cases(partir, folders, scratch):
    for folder, names in folders:
        for program in sorted(glob.glob(os.path.join(folder, "*.mlir"))):
            if names and os.path.basename(program)[:-5] not in names:
                continue
            schedules = glob.glob(os.path.join(folder, "schedules", "*.json")) + glob.glob(
                os.path.join(folder, "..", "schedules", "*.json")
            )
            for schedule in sorted(schedules):
                made = (Case(partir, program, schedule, mesh, scratch) for mesh in MESHES)
                case = next((c for c in made if c.applies), None)
                if case:
                    yield case


def judged(mutant, broken, partir, small, large, scratch, seconds):
    """Counts of verdicts by whether values differ, and an example of each."""
    counts = {}
    examples = {}
    for n, case in enumerate(small + large):
        if n == len(small) and any(values == "differs" for values, _ in counts):
            break
        module = os.path.join(scratch, f"{mutant.number}.{n}.mlir")
        if call([broken, *case.argv, module], mutant.number) != 0 or read(module) == read(case.right):
            continue
        values = case.values_of(partir, module)
        if values is None:
            continue
        verdict, reason = case.verdict(partir, module, seconds)
        key = (values, verdict)
        counts[key] = counts.get(key, 0) + 1
        examples.setdefault(key, f"{case.name}: {reason[:160]}")
        os.remove(module)
        if sum(n for (v, _), n in counts.items() if v == "differs") == ENOUGH or sum(counts.values()) == ENOUGH_CHANGED:
            break
    return mutant, counts, examples


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("partir")
    p.add_argument("--folder", default=os.path.join(mutants.ROOT, "build-mutants"), help="where the mutants are built")
    p.add_argument("--shared")
    p.add_argument("--only", action="append", metavar="NAME", help="mutants of these names (globs), or of this group")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--timeout", type=int, default=60, metavar="S", help="of a validation, in seconds")
    a = p.parse_args()
    root = mutants.ROOT
    mutants.make(a.folder, mutants.with_mutants(mutants.sources(), mutants.mutants()), a.jobs, ["partir"])
    broken = os.path.join(a.folder, "build", "partir")
    folders = [(os.path.join(root, "examples"), None), (os.path.join(root, "examples", "cookbook"), None)]
    if a.shared and os.path.isdir(os.path.join(a.shared, "corpus")):
        folders.append((os.path.join(a.shared, "corpus"), SHARED_PROGRAMS))
    else:
        print("programs of the corpus: skipped, no folder of them")
    picked = [
        m for m in mutants.mutants() if not a.only or any(fnmatch.fnmatch(m.name, o) or o == m.group for o in a.only)
    ]
    wrong = undecided = changing = 0
    totals = {}
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        small = [c for c in operation_cases(a.partir, scratch) if c.applies]
        large = list(folder_cases(a.partir, folders, scratch))
        print(f"{len(small)} small and {len(large)} large partitions, {len(picked)} mutants", flush=True)
        for m, counts, examples in pool.map(
            lambda m: judged(m, broken, a.partir, small, large, scratch, a.timeout), picked
        ):
            if not counts:
                continue
            for key, n in counts.items():
                totals[key] = totals.get(key, 0) + n
            print(
                f"{m.name:<44} "
                + ", ".join(f"{n} {values} {verdict}" for (values, verdict), n in sorted(counts.items())),
                flush=True,
            )
            differing = {v: n for (values, v), n in counts.items() if values == "differs"}
            changing += bool(differing)
            if differing.get("proved"):
                wrong += 1
                print(f"    PROVED: {examples['differs', 'proved']}")
            if differing and not differing.get("refuted"):
                undecided += 1
                print(f"    NOT REFUTED: {next(iter(e for (values, _), e in examples.items() if values == 'differs'))}")
    print()
    for (values, verdict), n in sorted(totals.items()):
        print(f"modules whose values are {'others' if values == 'differs' else 'the same'}, {verdict}: {n}")
    print(f"{changing} mutants change values; {wrong} proved, {undecided} never refuted")
    return 1 if wrong or undecided else 0


if __name__ == "__main__":
    sys.exit(main())
