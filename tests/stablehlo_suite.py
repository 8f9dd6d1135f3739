"""Runs StableHLO's own tests through `partir run` and prints what failed, by operation and reason.

    python3 tests/stablehlo_suite.py build/partir CHECKOUT [--only GLOB] [--at-least PERCENT] [--json FILE]

CHECKOUT is a clone of github.com/openxla/stablehlo. Of stablehlo/testdata, those files count whose RUN line runs
StableHLO's interpreter (others say RUN-DISABLED) and that have no quantised types; of stablehlo/tests/interpret, all
without quantised types. Files that test the command line of StableHLO's own tool are listed in NOT_OURS.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import time

NOT_OURS = {
    "api_input_arguments.mlir": "values for arguments from the command line of StableHLO's tool",
}


def enabled(path, text):
    if path.parent.name == "testdata":
        return re.search(r"^// RUN:.*--interpret", text, re.M) is not None
    return True


def run(program, path):
    start = time.monotonic()
    try:
        done = subprocess.run([program, "run", str(path)], capture_output=True, text=True, timeout=120)
        status, output = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        status, output = -1, "more than 120 s"
    return path, status, output, time.monotonic() - start


def reason(status, output):
    lines = [line for line in output.strip().splitlines() if "checks held" not in line]
    text = re.sub(r"^\S*?:\d+:\d+: ", "", lines[0]) if lines else "no output"
    return f"{status}: {text[:110]}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("program")
    arguments.add_argument("checkout", type=pathlib.Path)
    arguments.add_argument("--only", default="*", help="glob over file names")
    arguments.add_argument("--at-least", type=float, default=100, help="percent of each suite that must pass")
    arguments.add_argument("--json", type=pathlib.Path)
    a = arguments.parse_args()
    suites = {
        "testdata": sorted((a.checkout / "stablehlo/testdata").glob("*.mlir")),
        "tests/interpret": sorted((a.checkout / "stablehlo/tests/interpret").rglob("*.mlir")),
    }
    if not any(suites.values()):
        print(f"skipped: no stablehlo/testdata below {a.checkout}")
        return 77
    report = {}
    complete = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for suite, files in suites.items():
            chosen, left_out = [], collections.Counter()
            for path in files:
                text = path.read_text()
                if not fnmatch.fnmatch(path.name, a.only):
                    continue
                if not enabled(path, text):
                    left_out["disabled there"] += 1
                elif "!quant." in text:
                    left_out["quantized"] += 1
                elif path.name in NOT_OURS:
                    left_out[NOT_OURS[path.name]] += 1
                else:
                    chosen.append(path)
            results = list(pool.map(lambda p: run(a.program, p), chosen))
            failed = [(p, s, o) for p, s, o, _ in results if s != 0]
            checks = sum(int(m.group(1)) for _, _, o, _ in results if (m := re.search(r"(\d+) of \d+ checks held", o)))
            print(
                f"\nstablehlo/{suite}: {len(chosen) - len(failed)} of {len(chosen)} files pass"
                + (f" ({100 * (1 - len(failed) / len(chosen)):.2f} %)" if chosen else "")
                + f", {checks} checks held; left out: "
                + (", ".join(f"{n} {why}" for why, n in left_out.items()) or "none")
            )
            slow = sorted(((t, p.name) for p, _, _, t in results), reverse=True)[:3]
            print("slowest: " + ", ".join(f"{name} {t:.1f} s" for t, name in slow))
            groups = collections.defaultdict(list)
            for path, status, output in failed:
                groups[(re.split(r"[_.]", path.name)[0], reason(status, output))].append(path.name)
            if groups:
                print(f"{'files':>5}  {'of':<14} exit: reason (first file)")
            for (operation, why), names in sorted(groups.items(), key=lambda g: -len(g[1])):
                print(f"{len(names):5}  {operation:<14} {why} ({names[0]})")
            complete = complete and len(chosen) - len(failed) >= a.at_least / 100 * len(chosen)
            report[suite] = {
                "files": len(chosen),
                "passed": len(chosen) - len(failed),
                "checks": checks,
                "failed": {p.name: reason(s, o) for p, s, o in failed},
            }
    if a.json:
        a.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
