#!/usr/bin/env python3
"""Compares the peak memory of `partir simulate --software xla_cpu` with XLA's memory_analysis() of the same modules.

The programs are of many kinds. Each rule of that software is tested by leaving it out, which must make the figures
worse.

usage: xla_memory_test.py PARTIR CORPUS
CORPUS is what ./run corpus writes; without it, or without jax, the test is skipped (exit 77).
"""

import json
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "benchmarks"))
import xla_costs  # noqa: E402

WORST = 0.12  # for any program
MEAN = 0.06
# Rules that matter only where rows are longer than the library's threshold, which no row of programs this small is.
LONG_ROWS = {"common_once"}


def main():
    """Compare, and exit with 1 if a figure is off."""
    program, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = [case for case in xla_costs.CASES if (corpus / f"{case[0]}.mlir").exists()]
    if not cases or not xla_costs.prepare():
        print("skipped: no jax" if cases else "skipped: no corpus")
        sys.exit(77)
    failed = []
    known = []  # module, names, XLA's bytes
    software = json.loads((HERE.parent / "simulate/software/xla_cpu.software.json").read_text())

    def ratio(module, names, peak, by):
        return xla_costs.ours(program, module, names, by)[2] / peak

    with tempfile.TemporaryDirectory() as folder:
        ratios = []
        for number, (name, mesh, schedule) in enumerate(cases):
            place = pathlib.Path(folder, str(number))
            place.mkdir()
            module = xla_costs.partitioned(program, corpus, name, mesh, schedule, place)
            peak = xla_costs.xla(pathlib.Path(module).read_text(), xla_costs.devices_of(mesh))[3]
            known.append((module, f"{corpus}/{name}.json", peak))
            ratios.append(ratio(*known[-1], "xla_cpu"))
            print(f"{name:<27}{schedule:<24}{ratios[-1]:>7.3f}", flush=True)
            if abs(ratios[-1] - 1) > WORST:
                failed.append(f"{name} under {schedule}: {ratios[-1]:.3f} of XLA's bytes")
        mean = statistics.mean(abs(r - 1) for r in ratios)
        print(f"mean error {mean:.3f}")
        if mean > MEAN:
            failed.append(f"mean error {mean:.3f}")
        for rule in software["buffers"]:
            file = pathlib.Path(folder, "without.json")
            gone = {rule, "combines_first"} if rule == "one_result" else {rule}  # the former needs the latter
            changed = {**software, "buffers": [r for r in software["buffers"] if r not in gone]}
            changed["sources"] = {
                k: v for k, v in software["sources"].items() if k.removeprefix("buffers.") not in gone
            }
            file.write_text(json.dumps(changed))
            others = [ratio(*k, str(file)) for k in known]
            without = statistics.mean(abs(r - 1) for r in others)
            print(f"without {rule:<20} mean error {without:.3f}")
            if rule in LONG_ROWS:
                if others == ratios:
                    failed.append(f"{rule} changes nothing")
            elif without <= mean:
                failed.append(f"without {rule} the mean error is {without:.3f}, no worse")
    for line in failed:
        print("FAIL", line)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
