"""Partitions Shardy's executable tests by their own shardings with `partir partition`, and runs their checks.

    python3 tests/shardy_suite.py build/partir CHECKOUT [--only GLOB] [--at-least COUNT] [--keep FOLDER] [--json FILE]

CHECKOUT is a clone of github.com/openxla/shardy. Each test
(shardy/dialect/sdy/transforms/export/test/executable_*/*.mlir) has two parts: functions on global arrays with the
shardings that they have after propagation, and a main that slices arrays, runs the functions on all devices
(interpreter.run_parallel) and compares. Shardy's passes are replaced by ours; the rest is as in the tests' own
run_sdy_interpreter_test.sh:
- a function with shardings is replaced by what `partir partition` writes for it; as after propagation, an argument or
  result without a sharding is replicated;
- if there is a @parallel_x and no @sequential_x, the latter is the former without its shardings;
- the combined file runs, and each check in it must hold.
Each RUN line is a variant. For us, variants differ only if a RUN line states how devices are numbered
(--replica_count).

A variant passes if all its partitions are proved and all its checks hold. "As annotated" counts those in which every
sharding inside was followed as well: one that does not divide its dimension is reported and not followed.
"""

import argparse
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = "shardy/dialect/sdy/transforms/export/test"


def parts(text):
    """Returns the texts after //--- part1.mlir and //--- part2.mlir."""
    pieces = re.split(r"^//--- (\S+)$", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def functions(part):
    """Returns (name, text) of each top-level function."""
    return [(m.group(2), m.group(1)) for m in re.finditer(r"^(func\.func(?: \w+)? @(\w+).*?^\})", part, re.M | re.S)]


def closed(rank, mesh):
    dims = ", ".join(["{}"] * rank)
    return f"{{sdy.sharding = #sdy.sharding<@{mesh}, [{dims}]>}}"


def rank_of(tensor):
    return tensor[len("tensor<") :].count("x") if re.match(r"tensor<[^x>]+x", tensor) else 0


def all_sharded(function, mesh):
    """Returns the function with a sharding on every argument and on a single result."""

    def replicated(m):
        return f"{m.group(1)} {closed(rank_of(m.group(2)), mesh)}{m.group(3)}"

    head, brace, body = function.partition("{\n")
    head = re.sub(r"(%\w+:\s*(tensor<[^>]*>))(\s*[,)])", replicated, head)
    head = re.sub(
        r"->\s*(tensor<[^>]*>)\s*$", lambda m: f"-> ({m.group(1)} {closed(rank_of(m.group(1)), mesh)}) ", head
    )
    return head + brace + body


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def first_line(text):
    lines = [line for line in text.strip().splitlines() if "checks held" not in line]
    return re.sub(r"^\S*?:\d+(:\d+)?: ", "", lines[0])[:150] if lines else "no output"


def partitioned(program, name, function, meshes, folder):
    """Returns the local function of this name and whether every sharding inside was followed, or a reason."""
    source, out, report = folder / f"{name}.mlir", folder / f"{name}.out.mlir", folder / f"{name}.json"
    mesh = re.search(r"@(\w+)", meshes).group(1)
    text = all_sharded(re.sub(rf"@{name}\b", "@main", function, count=1), mesh)
    source.write_text(f"{meshes}\n{text}\n")
    status, _, errors = run([program, "partition", str(source), "-o", str(out), "--json", str(report)])
    if status != 0:
        reason = first_line(errors)
        if report.is_file() and "check" in (found := json.loads(report.read_text())):
            reason = f"{found['check']['verdict']}: {found['check']['reason'][:120]}"
        return None, ("unsupported: " if status == 3 else f"exit {status}: ") + reason
    found = json.loads(report.read_text())
    if found["check"]["verdict"] != "proved":
        return None, f"{found['check']['verdict']}: {found['check']['reason'][:120]}"
    followed = not any(
        "needs sizes that" in c["reason"] and "sharding_constraint" in c["operation"]
        for t in found["tactics"]
        for c in t["conflicts"]
    )
    local = functions("\n".join(line[2:] for line in out.read_text().splitlines()[1:-1]) + "\n")
    return re.sub(r"func\.func public @main\b", f"func.func @{name}", local[0][1], count=1), followed


def variants(text):
    """Returns one variant for each RUN line that runs the complete test."""
    lines = re.findall(r"^// RUN: .*run_sdy_interpreter_test.sh (.*)$", text, re.M)
    return lines if lines else ["sdy_opt"]


def combined(program, text, variant, folder):
    part = parts(text)
    meshes = "\n".join(re.findall(r"^sdy\.mesh .*$", part["part1.mlir"], re.M))
    known = functions(part["part1.mlir"])
    names = {name for name, _ in known}
    # A test with steps of its own renames the result for one function: sed 's/all_gather_test/combined_gather/g'.
    renamed = re.findall(r"sed 's/(\w+)/(\w+)/g'", text)
    out, followed = [], True
    for name, function in known:
        if "sdy." not in function:
            out.append(function)
            continue
        for local_name in [new for old, new in renamed if old == name] or [name]:
            named = re.sub(rf"@{name}\b", f"@{local_name}", function)
            local, how = partitioned(program, local_name, named, meshes, folder)
            if local is None:
                return None, how
            followed = followed and how
            out.append(local)
        sequential = name.replace("parallel_", "sequential_")
        if sequential != name and not any(n.startswith("sequential_") for n in names):
            out.append(function.replace(f"@{name}", f"@{sequential}", 1))
    if "--replica_count" in variant:  # devices are replicas there, numbered as partitions are elsewhere
        out = [f.replace("stablehlo.partition_id", "stablehlo.replica_id") for f in out]
    return "\n".join([meshes, *out, part["part2.mlir"]]), followed


def outcome(program, path, text, variant, folder):
    folder.mkdir(parents=True, exist_ok=True)
    module, how = combined(program, text, variant, folder)
    if module is None:
        return "unsupported" if how.startswith(("unsupported", "unknown")) else "failed", how
    file = folder / "combined.mlir"
    file.write_text(module)
    status, output, errors = run([program, "run", str(file)])
    if status != 0:
        return "failed", f"run: {status}: {first_line(errors + output)}"
    return ("as annotated" if how else "computes the same"), ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("program")
    arguments.add_argument("checkout", type=pathlib.Path)
    arguments.add_argument("--only", default="*", help="glob over file names")
    arguments.add_argument("--at-least", type=int, default=0, help="variants that must pass")
    arguments.add_argument("--keep", type=pathlib.Path, help="folder for the programs that were written")
    arguments.add_argument("--json", type=pathlib.Path)
    a = arguments.parse_args()
    files = sorted(a.checkout.glob(f"{TESTS}/executable_*/*.mlir"))
    if not files:
        print(f"skipped: no {TESTS}/executable_* below {a.checkout}")
        return 77
    counts, reasons, report = collections.Counter(), collections.defaultdict(list), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = a.keep or pathlib.Path(temporary)
        for path in files:
            if not fnmatch.fnmatch(path.name, a.only):
                continue
            text = path.read_text()
            for number, variant in enumerate(variants(text)):
                how, why = outcome(a.program, path, text, variant, folder / path.stem / str(number))
                counts[how] += 1
                if why:
                    reasons[f"{how}: {why}"].append(path.name)
                report.append({"file": path.name, "variant": variant, "outcome": how, "reason": why})
    for reason, names in sorted(reasons.items(), key=lambda r: -len(r[1])):
        print(f"{len(names):4}  {reason}\n      {', '.join(sorted(set(names)))}")
    passed = counts["as annotated"] + counts["computes the same"]
    total = sum(counts.values())
    print(
        f"{passed} of {total} variants of {len({r['file'] for r in report})} files pass, {counts['as annotated']} as "
        f"annotated; {counts['unsupported']} unsupported, {counts['failed']} failed"
    )
    if a.json:
        a.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if passed >= a.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
