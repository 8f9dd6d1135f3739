#!/usr/bin/env python3
"""Prints a table of the entries that `partir registry --derive` finds in addition to the declared ones.

usage: benchmarks/derived_entries.py PARTIR [OPERATION]
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [sys.argv[1], "registry", *sys.argv[2:3], "--derive", "--json", report.name]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 1, 3):
            sys.exit(run.stderr)
        rows = json.loads(pathlib.Path(report.name).read_text())
    declared = collections.Counter()
    reasons = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        if row["declared"]:
            declared[row["operation"]] += 1
        else:
            found = reasons[row["operation"]][row["reason"] or "tiles, or what is not said"]
            if row["entry"] not in found:
                found.append(row["entry"])
    print("| operation | declared (all patterns) | more that hold | which |\n| --- | --- | --- | --- |")
    for operation in sorted(set(declared) | set(reasons)):
        if operation not in reasons:
            print(f"| {operation} | {declared[operation]} | none | |")
        for reason, entries in sorted(reasons[operation].items()):
            shown = ", ".join(f"`{e}`" for e in entries[:6]) + (", …" if len(entries) > 6 else "")
            print(f"| {operation} | {declared[operation]} | {len(entries)}: {reason} | {shown} |")
    print("\n" + "\n".join(line for line in run.stdout.splitlines()[-8:] if not line.startswith(" ")))


if __name__ == "__main__":
    main()
