#!/usr/bin/env python3
"""Prints the verdicts of `partir rules` on the rules that Shardy gives the operations of programs.

usage: benchmarks/shardy_rules.py PARTIR PROGRAM_OR_FOLDER ... [--markdown]

Annotates each StableHLO program with jaxlib's Shardy (pip install jaxlib), runs `partir rules` on the result, and
prints a table over all programs. Exit status 77 ("skipped") without jaxlib; 70 if `partir` fails.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def annotated(text):
    """Returns the module with sdy.sharding_rule on its operations."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir, passmanager

    context = jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        pipeline = "builtin.module(func.func(sdy-populate-op-sharding-rules))"
        passmanager.PassManager.parse(pipeline).run(module.operation)
        return str(module)


def judge(partir, program):
    """Returns the JSON of `partir rules` on a program, and the seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        module = pathlib.Path(folder) / "rules.mlir"
        report = pathlib.Path(folder) / "rules.json"
        module.write_text(annotated(program.read_text()))
        start = time.monotonic()
        run = subprocess.run([partir, "rules", module, "--json", report], capture_output=True, text=True)
        if run.returncode not in (0, 1, 3):
            print(f"{program.name}: {run.stderr}", file=sys.stderr)
            sys.exit(70)
        return json.loads(report.read_text()), time.monotonic() - start


def row(cells, markdown):
    return "| " + " | ".join(str(c) for c in cells) + " |" if markdown else "  ".join(f"{c!s:>10}" for c in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("partir")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--markdown", action="store_true")
    a = parser.parse_args()
    try:
        import jax._src.interpreters.mlir  # noqa: F401
        import jaxlib.mlir.dialects.sdy  # noqa: F401
    except ImportError:
        print("skipped: no jax, pip install jax")
        sys.exit(77)
    programs = []
    for p in a.programs:
        programs += sorted(p.glob("*.mlir")) if p.is_dir() else [p]
    verdicts = ("proved", "refuted", "unknown", "skipped")

    print(row(["operations", "program", *verdicts, "seconds"], a.markdown))
    if a.markdown:
        print(row(["---"] * 7, True))
    kinds = collections.defaultdict(collections.Counter)  # by operation and kind: verdicts
    findings = {}
    for program in programs:
        report, seconds = judge(a.partir, program)
        totals = [report["totals"][v]["factors"] for v in verdicts]
        cells = [report["operations"], program.stem, *totals, f"{seconds:.1f}"]
        print(row(cells, a.markdown), flush=True)
        for f in report["factors"]:
            kinds[f["operation"], f["kind"]][f["verdict"]] += f["count"]
            if f["verdict"] in ("refuted", "unknown"):
                known = findings.setdefault((f["operation"], f["rule"], f["factor"], f["verdict"]), dict(f, count=0))
                known["count"] += f["count"]

    print("\nfactors by operation and kind, of all programs\n")
    print(row(["operation", "kind", *verdicts], a.markdown))
    if a.markdown:
        print(row(["---"] * 6, True))
    for (operation, kind), counts in sorted(kinds.items()):
        print(row([operation, kind, *(counts[v] for v in verdicts)], a.markdown))

    print("\nrefuted or unknown\n")
    for (operation, rule, factor, verdict), f in sorted(findings.items()):
        print(f"- {operation} `{rule}` {factor}: {verdict}, {f['count']} factors, read as `{f['entry']}`")


if __name__ == "__main__":
    main()
