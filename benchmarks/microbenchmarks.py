#!/usr/bin/env python3
"""Compares the simulator with published measurements of single operations: products, copies and collectives.

usage: microbenchmarks.py PARTIR [--csv FILE] [--only REGEX] [--points] [--test]

FILE (benchmarks/microbenchmarks.csv) has a row for each measurement, with its source; nothing is fitted to them. For
each device, operation and range of sizes the table has the number of points, the median of simulated / measured, and
how many points are within 15 % and within 30 %. A point is left out, by name, if its network is not the one that the
device's file describes. --points prints every point. --test exits with 1 if a group is worse than LIMITS.
"""

import argparse
import collections
import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"bf16": "bf16", "fp16": "f16", "tf32": "f32", "fp32": "f32", "fp8": "f8E4M3FN", "int8": "i8"}
RESULTS = {"fp8": "bf16", "int8": "i32"}
NETWORKS = {  # the networks that device files describe
    "a100": "8x200 Gb/s InfiniBand",
    "h100": "8x400 Gb/s InfiniBand",
    "h200": "8x400 Gb/s InfiniBand",
    "b200": "8x400 Gb/s InfiniBand",
}
# What --test requires of the median of a group: name, sizes, and from where to where. Not among them: messages below
# 1 MB, which depend on how kernels are launched (factors of three between sources); 2 nodes, where NCCL reduces in the
# switch of each; and single products in bf16, for which the range is wide: the files' efficiencies are those of long
# steps, in which the clock is lower.
LIMITS = [
    (r" copy$", "large", 0.85, 1.15),
    (r" copy$", "medium", 0.85, 1.15),
    (r" (all_reduce|all_gather|reduce_scatter) nvlink 8$", "large", 0.85, 1.1),
    (r" (all_to_all|collective_permute) nvlink 8$", "large", 0.75, 1.1),
    (r" (all_reduce|all_gather|reduce_scatter) nvlink 8$", "medium", 0.6, 1.4),
    (r" all_reduce [48] nodes", "large", 0.85, 1.1),
    (r"tpu_v5e all_reduce 2x4$", "large", 0.85, 1.15),
    (r" matmul (fp8|fp16|fp32)$", "large", 0.85, 1.15),
    (r" matmul (bf16|tf32|int8)$", "large", 0.85, 1.7),
]


def module(argument, result, operation, lines=""):
    return f"func.func @main({argument}) -> {result} {{\n  %r = {operation}\n{lines}  return %r : {result}\n}}\n"


def product(row):
    m, n, k = (int(row[d]) for d in ("m", "n", "k"))
    a, out = TYPES[row["type"]], RESULTS.get(row["type"], TYPES[row["type"]])
    left, right, result = f"tensor<{m}x{k}x{a}>", f"tensor<{k}x{n}x{a}>", f"tensor<{m}x{n}x{out}>"
    precision = ", precision = [HIGHEST, HIGHEST]" if row["type"] == "fp32" else ""
    return module(
        f"%x: {left}, %y: {right}",
        result,
        f"stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]{precision} : ({left}, {right}) -> {result}",
    )


def copy(row):
    tensor = f"tensor<{max(1, int(row['bytes']) // 8)}xf32>"
    return module(f"%x: {tensor}", tensor, f"stablehlo.negate %x : {tensor}")


def collective(row):
    n, size = int(row["devices"]), int(row["bytes"])
    whole = max(n, size // 4 // n * n)
    part = f"tensor<{whole // n}xf32>"
    all_of_it = f"tensor<{whole}xf32>"
    ids = ", ".join(str(d) for d in range(n))
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    groups = f"{channel}, replica_groups = dense<[[{ids}]]> : tensor<1x{n}xi64>"
    add = (
        " ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %s = stablehlo.add %a, %b : tensor<f32>\n"
        "    stablehlo.return %s : tensor<f32>\n  })"
    )
    operand, result, body = all_of_it, all_of_it, ""
    attributes = groups
    if row["operation"] == "all_reduce":
        attributes, body = groups + ", use_global_device_ids", add
    elif row["operation"] == "reduce_scatter":
        attributes, body, result = groups + ", scatter_dimension = 0 : i64, use_global_device_ids", add, part
    elif row["operation"] == "all_gather":
        attributes, operand = groups + ", all_gather_dim = 0 : i64, use_global_device_ids", part
    elif row["operation"] == "all_to_all":
        attributes = groups + f", split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = {n} : i64"
    else:
        pairs = ", ".join(f"[{d}, {(d + 1) % n}]" for d in range(n))
        attributes = f"{channel}, source_target_pairs = dense<[{pairs}]> : tensor<{n}x2xi64>"
    operation = f'"stablehlo.{row["operation"]}"(%x) <{{{attributes}}}>{body} : ({operand}) -> {result}'
    return module(f"%x: {operand}", result, operation)


WRITERS = {"matmul": product, "copy": copy, "collective": collective}


def left_out(row):
    """Returns why the point is not comparable; empty if it is."""
    topology = row["topology"]
    if row["kind"] == "collective" and " nodes x " in topology:
        network = topology.split(", ", 1)[1]
        if network != NETWORKS[row["device"]]:
            return f"{row['device']} over {network}"
    return ""


def simulated(partir, row, scratch):
    path = pathlib.Path(scratch, "point.mlir")
    path.write_text(WRITERS[row["kind"]](row))
    argv = [partir, "simulate", str(path), "--device", row["device"], "--mesh", f"a={row['devices'] or 1}"]
    if re.fullmatch(r"\d+(x\d+)+", row["topology"]):
        argv += ["--topology", row["topology"]]
    done = subprocess.run([*argv, "--json", "-"], capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: does not fit
        raise SystemExit(f"{row}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)["programs"][0]["seconds"]["overlapped"]


def work(row):
    """Returns what the row's sizes are compared by: FLOPs of a product, else bytes."""
    if row["kind"] == "matmul":
        return 2.0 * int(row["m"]) * int(row["n"]) * int(row["k"])
    return float(row["bytes"])


def size_class(row):
    size = work(row)
    if row["kind"] == "matmul":
        return "large" if size >= 1e12 else "medium" if size >= 1e11 else "small"
    return "large" if size >= 2.5e8 else "medium" if size >= 1e6 else "small"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("partir")
    parser.add_argument("--csv", default=str(HERE / "microbenchmarks.csv"))
    parser.add_argument("--only", default="")
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--test", action="store_true")
    args = parser.parse_args()
    groups = collections.defaultdict(list)
    missing = collections.Counter()
    with open(args.csv, newline="") as f, tempfile.TemporaryDirectory() as scratch:
        for row in csv.DictReader(f):
            kind = row["type"] if row["kind"] == "matmul" else row["topology"]
            name = f"{row['device']} {row['operation']} {kind}".strip()
            if not re.search(args.only, name):
                continue
            if reason := left_out(row):
                missing[reason] += 1
                continue
            ratio = simulated(args.partir, row, scratch) / float(row["seconds"])
            groups[name, size_class(row)].append(ratio)
            if args.points:
                print(
                    f"{name:44} {work(row):10.3g} {float(row['seconds']):10.3g} s  {ratio:6.3f}  {row['source'][:60]}"
                )
    print(f"{'':44} {'size':8} {'points':>6} {'median':>7} {'15 %':>6} {'30 %':>6}")
    order = ["small", "medium", "large"]
    for (name, size), ratios in sorted(groups.items(), key=lambda g: (g[0][0], order.index(g[0][1]))):
        within = [sum(1 / (1 + p) <= r <= 1 + p for r in ratios) for p in (0.15, 0.3)]
        print(f"{name:44} {size:8} {len(ratios):6} {statistics.median(ratios):7.2f} {within[0]:6} {within[1]:6}")
    bad = 0
    for pattern, size, low, high in LIMITS if args.test else []:
        found = [(n, statistics.median(r)) for (n, s), r in groups.items() if s == size and re.search(pattern, n)]
        for name in [] if found else [pattern]:
            print(f"FAILED: no point for {name!r}, {size}")
            bad += 1
        for name, median in found:
            if not low <= median <= high:
                print(f"FAILED: {name}, {size}: {median:.2f} is not from {low} to {high}")
                bad += 1
    for reason, count in sorted(missing.items()):
        print(f"left out: {count} points, {reason}: not the network of its file")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
