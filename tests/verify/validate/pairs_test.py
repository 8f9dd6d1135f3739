#!/usr/bin/env python3
"""Checks the verdicts of `partir validate` on pairs of a program and a partitioned program.

usage: pairs_test.py PARTIR FOLDER [--shared SHARED] [--json OUT] [--verbose]

FOLDER holds NAME.seq.mlir and NAME.VARIANT.spmd.mlir, whose first line is `// EXPECT: equal`, `// EXPECT: different
(why)`, or `// EXPECT: not equal (why)` where unknown is as good as refuted. `pairs/` in SHARED holds more pairs, listed
in index.json; without it they are skipped. A wrong verdict fails. In FOLDER every pair must be decided, in SHARED 99 %
of them.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

VERDICTS = {0: "proved", 1: "refuted", 3: "unknown"}


class Runner:
    def __init__(self, partir, verbose):
        self.partir, self.verbose, self.rows = partir, verbose, []
        self.scratch = tempfile.TemporaryDirectory()

    def run(self, name, source, target, expect, why, shardings=None):
        report = pathlib.Path(self.scratch.name, "report.json")
        command = [self.partir, "validate", source, target, "--json", report, "--timeout", "120"]
        if shardings:
            path = os.path.join(self.scratch.name, "shardings.json")
            with open(path, "w") as f:
                json.dump(shardings, f)
            command += ["--shardings", path]
        start = time.time()
        done = subprocess.run(command, capture_output=True, text=True)
        verdict = VERDICTS.get(done.returncode, f"exit {done.returncode}")
        said = json.loads(report.read_text()) if done.returncode in VERDICTS else {}
        wanted = {"equal": "proved", "different": "refuted", "not equal": "refuted"}[expect]
        right = verdict == wanted or (expect == "not equal" and verdict == "unknown")
        wrong = not right and verdict != "unknown"
        row = dict(
            name=name,
            expect=expect,
            why=why,
            verdict=verdict,
            scope=said.get("scope", ""),
            at=said.get("at"),
            right=right,
            wrong=wrong,
            seconds=time.time() - start,
        )
        self.rows.append(row)
        if not right or self.verbose:
            at = said.get("at")
            place = f"at line {at['line']}: {at['why']}" if at else ""
            print(
                f"{'ok' if right else 'WRONG' if wrong else 'undecided'}: {name}: {verdict}, wanted {wanted} ({why}): "
                f"{said.get('reason', '')} {place}{done.stderr.strip()[-300:]}"
            )
            if not right:
                print("  " + " ".join(command[:4]))

    def table(self, title, rows):
        if not rows:
            return
        equal = [r for r in rows if r["expect"] == "equal"]
        other = [r for r in rows if r["expect"] != "equal"]
        decided = sum(r["right"] for r in rows)
        print(
            f"{title}: {len(rows)} pairs, {decided} decided ({100 * decided / len(rows):.1f} %), "
            f"{sum(r['wrong'] for r in rows)} wrong, {sum(r['seconds'] for r in rows):.1f} s"
        )
        if equal:
            exact = sum(r["scope"] == "all inputs" and r["verdict"] == "proved" for r in equal)
            chance = sum(r["scope"] != "all inputs" and r["verdict"] == "proved" for r in equal)
            print(
                f"  equal: {len(equal)}: {exact} proved for all inputs ({100 * exact / len(equal):.0f} %), "
                f"{chance} with an error below 2^-80"
            )
        if other:
            refuted = [r for r in other if r["verdict"] == "refuted"]
            placed = sum(r["at"] is not None for r in refuted)
            print(
                f"  different: {len(other)}: {len(refuted)} refuted and replayed, {placed} with the operation at fault"
            )


def own_pairs(runner, folder):
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".spmd.mlir"):
            continue
        target = os.path.join(folder, file)
        stem = file[: -len(".spmd.mlir")]
        source = os.path.join(folder, stem.split(".")[0] + ".seq.mlir")
        with open(target) as f:
            match = re.match(r"// EXPECT: (equal|different|not equal)\s*(?:\((.*)\))?", f.readline())
        runner.run(stem, source, target, match[1], match[2] or "")


def shared_pairs(runner, folder):
    for e in json.loads(pathlib.Path(folder, "index.json").read_text()):
        expect = "not equal" if e["float_only"] and e["expect"] == "different" else e["expect"]
        runner.run(
            e["name"],
            os.path.join(folder, e["name"] + ".seq.mlir"),
            os.path.join(folder, e["name"] + ".spmd.mlir"),
            expect,
            e["why"],
        )
    real = os.path.join(folder, "real")
    for e in json.loads(pathlib.Path(real, "index.json").read_text()):
        shardings = {k: e[k] for k in ("mesh", "arguments", "results")}
        runner.run(
            e["name"],
            os.path.join(real, e["sequential"]),
            os.path.join(real, e["file"]),
            e["expect"],
            e["why"],
            shardings,
        )


def main():
    p = argparse.ArgumentParser()
    p.add_argument("partir")
    p.add_argument("folder")
    p.add_argument("--shared")
    p.add_argument("--json")
    p.add_argument("--verbose", action="store_true")
    a = p.parse_args()
    runner = Runner(a.partir, a.verbose)
    own_pairs(runner, a.folder)
    own = list(runner.rows)
    runner.table("own pairs", own)
    more = []
    if a.shared and os.path.isdir(os.path.join(a.shared, "pairs")):
        shared_pairs(runner, os.path.join(a.shared, "pairs"))
        more = runner.rows[len(own) :]
        runner.table("shared pairs", more)
    else:
        print("shared pairs: skipped, no folder of them")
    if a.json:
        with open(a.json, "w") as f:
            json.dump(runner.rows, f, indent=1)
    failed = any(not r["right"] for r in own) or any(r["wrong"] for r in more)
    failed = failed or (more and sum(r["right"] for r in more) < 0.95 * len(more))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
