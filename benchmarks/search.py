"""Compares the schedules that `partir search` finds with those that experts write, on the same simulator.

usage: python3 benchmarks/search.py [--partir build/partir] [--shared ../shared] [--seconds 60 | --evaluations N]
                                    [--baselines] [--cases REGEX] [--seed S] [--json F]

Each case is a program of the corpus (or of `./run corpus`), a mesh and a device. The experts' schedules are batch
parallelism on one and on both axes, Megatron's products, vocabulary, ZeRO 2 and 3, sequence parallelism, expert
parallelism, sharded edges, and caches by head. A
schedule that does not apply (the axis size does not divide a dimension) is left out. For each case the table has the
fastest expert schedule that fits the device's memory ("none fits" if there is none), the schedule that the search found
within its budget, and the ratio. With --evaluations the result does not depend on the load of the machine.

--baselines (requires --evaluations) runs each of these with the same number of evaluations and prints processor time:
  by argument    as in automap: tree search over tiles of single arguments, without the analysis
  random         random plans over the decisions of the analysis
  ILP            as in Alpa: an integer program over strategies of operations (benchmarks/ilp.py), 60 s per case
as well as the search without one of its parts: the analysis, sharing decisions between repeated layers and conflicts,
the tree, local improvement. "to 1 %" is the number of evaluations, and processor seconds, until the plan is within 1 %
of the best plan of all methods for the case.

Without the corpus: prints "skipped" (exit status 77).
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

TRANSFORMER = {
    "batch": {"batch/**": 0},
    "megatron": {
        "params/layers/*/qkv": 2,
        "params/layers/*/out": 0,
        "params/layers/*/w1": 1,
        "params/layers/*/b1": 0,
        "params/layers/*/w2": 0,
    },
    "vocabulary": {"params/embed": 0},
    "embedding": {"params/embed": 1},
    "sequence": {"batch/**": 1},
    "matrices": ["embed", "layers/*/qkv", "layers/*/out", "layers/*/w1", "layers/*/w2"],
}
LLAMA = {
    "batch": {"batch/**": 0},
    "megatron": {
        "params/layers/*/attn/w[qkv]": 1,
        "params/layers/*/attn/wo": 0,
        "params/layers/*/ffn/gate": 1,
        "params/layers/*/ffn/up": 1,
        "params/layers/*/ffn/down": 0,
    },
    "vocabulary": {"params/embed": 0, "params/head": 1},
    "embedding": {"params/embed": 1},
    "sequence": {"batch/**": 1},
    "matrices": ["embed", "head", "layers/*/attn/w[qkvo]", "layers/*/ffn/*"],
}
DECODE = {
    "batch": {"kv/**": 0, "token": 0},
    "megatron": {"params/layers/*/q": 1, "params/layers/*/out": 0, "params/layers/*/w1": 1, "params/layers/*/w2": 0},
    "vocabulary": {"params/embed": 0},
    "cache": {"kv/**": 2},
    "matrices": ["embed", "layers/*/q", "layers/*/out", "layers/*/w1", "layers/*/w2"],
    "inference": True,
}
UNET = {"batch": {"batch/**": 0}, "matrices": ["**"]}
MIXTURE = {
    "batch": {"batch/*": 0},
    "experts": {"batch/*": 0, "params/experts/*": 0},
    "exchange": {"tokens/*": 1, "experts/in": 0, "experts/out": 0},
    "matrices": ["experts/*"],
}
GNS = {
    "batch": {"batch/edges": 0, "batch/senders": 0, "batch/receivers": 0},
    "nodes": {"batch/nodes": 0, "batch/target": 0},
    "matrices": ["**"],
}
FAMILIES = {
    "t32_train": TRANSFORMER,
    "t48_train": TRANSFORMER,
    "llama3_8b_train": LLAMA,
    "llama3_405b_train": LLAMA,
    "it32_infer": DECODE,
    "unet_train": UNET,
    "gns_train": GNS,
    "moe_train": MIXTURE,
}

CASES = [
    ("t32_train", "batch=4,model=2", "a100"),
    ("t32_train", "batch=8,model=8", "h100"),
    ("t32_train", "batch=16,model=8", "tpu_v3"),
    ("t32_train", "batch=16,model=16", "tpu_v5p"),
    ("t32_train", "batch=8,model=8", "a100"),
    ("t48_train", "batch=16,model=8", "h100"),
    ("t48_train", "batch=8,model=8", "tpu_v5p"),
    ("t48_train", "batch=16,model=32", "a100"),
    ("it32_infer", "batch=4,model=2", "a100"),
    ("it32_infer", "batch=16,model=4", "tpu_v5p"),
    ("it32_infer", "batch=8,model=8", "h100"),
    ("it32_infer", "batch=8,model=8", "a100"),
    ("it32_infer", "batch=16,model=8", "tpu_v5p"),
    ("it32_infer", "batch=16,model=4", "h100"),
    ("it32_infer", "batch=32,model=8", "h100"),
    ("it32_infer", "batch=16,model=16", "tpu_v3"),
    ("it32_infer", "batch=4,model=16", "a100"),
    ("unet_train", "batch=4,model=2", "a100"),
    ("unet_train", "batch=16,model=4", "tpu_v3"),
    ("unet_train", "batch=8,model=8", "h100"),
    ("unet_train", "batch=8,model=8", "tpu_v3"),
    ("unet_train", "batch=16,model=8", "tpu_v3"),
    ("gns_train", "batch=4,model=2", "a100"),
    ("gns_train", "batch=8,model=8", "tpu_v5p"),
    ("gns_train", "batch=8,model=8", "h100"),
    ("gns_train", "batch=8,model=8", "a100"),
    ("gns_train", "batch=16,model=8", "tpu_v5p"),
    ("moe_train", "batch=4,model=2", "a100"),
    ("moe_train", "batch=8,model=8", "h100"),
    ("moe_train", "batch=16,model=8", "tpu_v5p"),
    ("llama3_8b_train", "batch=4,model=2", "h100"),
    ("llama3_8b_train", "batch=8,model=8", "h100"),
    ("llama3_8b_train", "batch=16,model=8", "tpu_v5p"),
    ("llama3_8b_train", "batch=16,model=32", "h100"),
    ("llama3_8b_train", "batch=16,model=4", "tpu_v5p"),
    ("llama3_405b_train", "batch=16,model=32", "h100"),
    ("llama3_405b_train", "batch=16,model=256", "tpu_v5p"),
]


def tactic(name, axis, inputs, values=None):
    return {"name": name, "axis": axis, "inputs": inputs, **({"values": values} if values else {})}


def zero(family, axis, level):
    """ZeRO on the matrices: shards optimizer state only (2), or parameters as well (3)."""
    inputs = {}
    for m in family["matrices"]:
        inputs[f"params/{m}"] = "first_divisible_dim" if level == 3 else "replicated"
        if not family.get("inference"):
            inputs[f"opt_state/*/[mn]u/{m}"] = "first_divisible_dim"
    return tactic(f"Z{level} {axis}", axis, inputs)


def experts(family, axes):
    """Returns names and tactics of the schedules that experts write for such a program."""
    data, model = axes
    out = {}
    bp = tactic("BP", data, family["batch"])
    out["BP"] = [bp]
    out["BP both"] = [bp, tactic("BP2", model, family["batch"])]
    if "experts" in family:
        ep = tactic("EP", model, family["experts"], family["exchange"])
        out["EP both"] = [tactic("EP", data, family["experts"], family["exchange"]), {**ep, "name": "EP2"}]
        out["BP+EP"] = [bp, ep]
    if "nodes" in family:
        out["ES+nodes"] = [bp, tactic("nodes", model, family["nodes"])]
        out["ES both+nodes"] = [*out["BP both"], tactic("nodes", data, family["nodes"])]
    if "megatron" in family:
        mp = tactic("MP", model, family["megatron"])
        vp = tactic("VP", model, family["vocabulary"])
        out["BP+MP"] = [bp, mp]
        out["MP both"] = [mp, tactic("MP2", data, family["megatron"])]
        out["BP+MP+VP"] = [bp, mp, vp]
        if "sequence" in family:
            sp = tactic("SP", model, family["sequence"])
            out["BP+MP+SP"] = [bp, mp, sp]
            out["BP+MP+VP+SP"] = [bp, mp, vp, sp]
            out["BP+MP+EMB"] = [bp, mp, tactic("EMB", model, family["embedding"])]
        if "cache" in family:
            out["BP+MP+MQ"] = [bp, mp, tactic("MQ", model, {"kv/**": 0})]
            out["BP+MP+cache"] = [bp, mp, tactic("cache", model, family["cache"])]
    for name, tactics in list(out.items()):
        for level in (3,) if family.get("inference") else (2, 3):
            out[f"{name}+Z{level}"] = [*tactics, zero(family, data, level)]
            if name == "BP both":
                out[f"{name}+Z{level} both"] = [*tactics, zero(family, data, level), zero(family, model, level)]
    return out


def run(arguments, timeout):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, check=False)


def partitioned(a, program, mesh, device, tactics, explain=()):
    """Returns (seconds, whether it fits) for a schedule, or None if it does not apply."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "schedule.json"
        path.write_text(json.dumps({"tactics": tactics}))
        got = run(
            [
                a.partir,
                "partition",
                program,
                "--mesh",
                mesh,
                "--schedule",
                path,
                "--device",
                device,
                "--no-check",
                "--json",
                "-",
                *explain,
            ],
            900,
        )
    if got.returncode != 0:
        return None
    last = json.loads(got.stdout)["tactics"][-1]["simulation"]
    return last["seconds"]["overlapped"], last["memory"]["fits"]


# The parts of the search that each method omits (partir search --without).
METHODS = {
    "search": "",
    "by argument": "analysis,local",
    "random": "tree,local",
    "without analysis": "analysis",
    "without sharing": "sharing",
    "without tree": "tree",
    "without local": "local",
}


def processor_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def searched(a, program, mesh, device, without=""):
    """Returns the JSON of a search with its processor seconds, or the error message if it fails."""
    budget = ["--evaluations", str(a.evaluations)] if a.evaluations else ["--seconds", str(a.seconds)]
    before = processor_seconds()
    got = run(
        [
            a.partir,
            "search",
            program,
            "--mesh",
            mesh,
            "--device",
            device,
            *budget,
            "--seed",
            a.seed,
            "--no-check",
            "--json",
            "-",
            *(["--without", without] if without else []),
        ],
        7200,
    )
    if got.returncode != 0:
        return got.stderr.strip()[-200:]
    return {**json.loads(got.stdout), "processor_seconds": processor_seconds() - before}


def reached(row, seconds):
    """Returns the number of evaluations after which the best plan fits and takes at most `seconds`, or None."""
    if not row["fits"]:
        return None
    first, fastest = None, 0
    for n, step in reversed(row["history"]):  # before a plan fits, the order is by size, not time
        if step < fastest or step > seconds:
            break
        first, fastest = n, step
    return first


def by_ilp(a, program, mesh, device):
    """Returns the cost of the integer program's choice; its "cost" is None if there is none or it does not apply."""
    import ilp

    before = processor_seconds()
    tactics, optimal = ilp.tactics(
        pathlib.Path(a.partir).parent / "benchmarks" / "strategies", program, mesh, device, 60
    )
    cost = partitioned(a, program, mesh, device, tactics) if tactics else None
    return {
        "cost": cost,
        "optimal": optimal,
        "found": tactics is not None,
        "processor_seconds": processor_seconds() - before,
    }


def baselines(a, program, mesh, device, found, experts):
    """Prints one line per method, and returns what they found."""
    rows = {
        name: found if name == "search" else searched(a, program, mesh, device, without)
        for name, without in METHODS.items()
    }
    rows = {name: row for name, row in rows.items() if isinstance(row, dict)}
    ilp = by_ilp(a, program, mesh, device)
    fitting = [r["step_seconds"] for r in rows.values() if r["fits"]] + [c[0] for c in experts.values() if c[1]]
    if ilp["cost"] and ilp["cost"][1]:
        fitting.append(ilp["cost"][0])
    best = min(fitting) if fitting else float("nan")
    for name, row in rows.items():
        evaluations = reached(row, 1.01 * best)
        share = row["processor_seconds"] / max(1, row["evaluations"])
        until = f"{evaluations} evaluations, {evaluations * share:.1f} s" if evaluations is not None else "never"
        print(
            f"    {name:<18} {row['step_seconds']:>10.4f} {row['step_seconds'] / best:>7.3f} of the best  "
            f"{'fits' if row['fits'] else 'does not fit':<13} {row['evaluations']:>6} evaluations "
            f"{row['processor_seconds']:>7.1f} s, to 1 %: {until}",
            flush=True,
        )
    cost = ilp["cost"]
    what = (
        "nothing in time"
        if not ilp["found"]
        else "does not apply"
        if cost is None
        else (
            f"{cost[0]:>10.4f} {cost[0] / best:>7.3f} of the best  {'fits' if cost[1] else 'does not fit':<13}"
            f"{'' if ilp['optimal'] else ' (stopped before its optimum)'}"
        )
    )
    print(f"    {'ILP':<18} {what}", flush=True)
    return {**rows, "ILP": ilp}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--partir", default="build/partir")
    parser.add_argument("--shared", default="../shared")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--evaluations", type=int)
    parser.add_argument("--baselines", action="store_true")
    parser.add_argument("--cases", default="")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--json")
    a = parser.parse_args()
    if a.baselines and not a.evaluations:
        parser.error("--baselines needs --evaluations: each method gets as many")
    corpus = pathlib.Path(a.shared) / "corpus"
    if not corpus.exists():
        print("skipped: no corpus")
        return 77
    print(
        f"{'program':<18} {'mesh':<20} {'device':<8} {'best expert':<20} {'seconds':>10} {'found':>10} {'ratio':>6}  "
        f"{'fits':<5} {'bound':>6} {'evals':>6}  schedule"
    )
    rows = []
    for name, mesh, device in CASES:
        if not re.search(a.cases, f"{name} {mesh} {device}"):
            continue
        folders = [corpus, pathlib.Path(a.partir).parent / "corpus"]
        program = next((str(p) for f in folders if (p := f / f"{name}.mlir").exists()), None)
        if program is None:
            print(f"{name:<18} skipped: `./run corpus {name}` writes it")
            continue
        axes = [axis.split("=")[0] for axis in mesh.split(",")]
        costs = {
            k: c for k, t in experts(FAMILIES[name], axes).items() if (c := partitioned(a, program, mesh, device, t))
        }
        fitting = {k: c[0] for k, c in costs.items() if c[1]}
        best = min(fitting, key=fitting.get) if fitting else None
        found = searched(a, program, mesh, device)
        if isinstance(found, str):
            print(f"{name:<18} {mesh:<20} {device:<8} search failed: {found}")
            continue
        ratio = found["step_seconds"] / fitting[best] if best else float("nan")
        rows.append({"program": name, "mesh": mesh, "device": device, "experts": costs, "best": best, "found": found})
        print(
            f"{name:<18} {mesh:<20} {device:<8} {best or 'none fits':<20} {fitting.get(best, float('nan')):>10.4f} "
            f"{found['step_seconds']:>10.4f} {ratio:>6.3f}  {found['fits']!s:<5} "
            f"{found['step_seconds'] / max(found['lower_bound_seconds'], 1e-12):>6.2f} {found['evaluations']:>6}  "
            f"{'; '.join(t['name'] for t in found['schedule']['tactics'])}",
            flush=True,
        )
        if a.baselines:
            rows[-1]["methods"] = baselines(a, program, mesh, device, found, costs)
    good = sum(
        r["best"] is None or (r["found"]["fits"] and r["found"]["step_seconds"] <= r["experts"][r["best"]][0])
        for r in rows
    )
    print(f"{good} of {len(rows)} cases no slower than every expert schedule that fits")
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
