#!/usr/bin/env python3
"""Programs that are nearly equal to their source, none of which `partir validate` may prove.

Each lacks something that a law would need: values, types, orders or promises. For the right programs in right.txt, the
test checks the arithmetic that the proof states.

usage: traps_test.py PARTIR FOLDER [NAME ...]

A file of FOLDER holds traps, each after a line `### NAME {"arguments": [types], "result": type}`: the lines by which a
source computes %r from %a0, %a1, …, then `---` and the device's lines. "local_arguments" and "local_result" are the
device's types if they differ, and "shardings" is the text of --shardings; without it, two devices hold everything
replicated. With "shardings" alone, both parts are modules as they are. In right.txt a name is followed by `bit-exact`
or `reals`.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def module(arguments, result, lines):
    given = ", ".join(f"%a{k}: {type_}" for k, type_ in enumerate(arguments))
    return f"module {{\nfunc.func @main({given}) -> {result} {{\n{lines}\n  return %r : {result}\n}}\n}}\n"


def replicated(type_):
    dims = re.match(r"tensor<((?:\d+x)*)", type_)[1].count("x")
    return "[" + ", ".join(["{}"] * dims) + "]"


def traps(path):
    with open(path) as f:
        for part in f.read().split("### ")[1:]:
            head, _, body = part.partition("\n")
            name, types = head.split(" {", 1)
            source, device = body.split("\n---\n")
            yield name, json.loads("{" + types), source.rstrip(), device.rstrip()


def judged(partir, scratch, types, source, device):
    source_file, device_file, shardings_file, report_file = (
        pathlib.Path(scratch, name) for name in ("source.mlir", "device.mlir", "shardings.json", "report.json")
    )
    whole = "result" not in types
    shardings = types.get("shardings") or {
        "mesh": "d=2",
        "arguments": [replicated(t) for t in types["arguments"]],
        "results": [replicated(types["result"])],
    }
    if not whole:
        local = types.get("local_arguments", types["arguments"]), types.get("local_result", types["result"])
        source, device = module(types["arguments"], types["result"], source), module(*local, device)
    texts = source, device, json.dumps(shardings)
    for path, text in zip((source_file, device_file, shardings_file), texts, strict=True):
        path.write_text(text)
    report_file.unlink(missing_ok=True)
    command = [partir, "validate", source_file, device_file, "--shardings", shardings_file]
    command += ["--timeout", "60", "--json", report_file]
    done = subprocess.run(command, capture_output=True, text=True)
    report = {}
    if done.returncode in (0, 1, 3):
        report = json.loads(report_file.read_text())
    return done.returncode, report, done.stdout + done.stderr, texts


def main():
    partir, folder, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    count = {1: 0, 3: 0}
    unmet = set(only)
    failed = right = 0
    with tempfile.TemporaryDirectory() as scratch:
        for file in sorted(os.listdir(folder)):
            for name, types, source, device in traps(os.path.join(folder, file)):
                wanted = name.split()[1] if file == "right.txt" else None
                if only and name.split()[0] not in only:
                    continue
                unmet.discard(name.split()[0])
                status, report, said, texts = judged(partir, scratch, types, source, device)
                if wanted:
                    good = status == 0 and report["over_the_reals"] == ([] if wanted == "bit-exact" else ["result0"])
                    right += good
                else:
                    good = status in (1, 3)
                    count[status] = count.get(status, 0) + 1
                if not good:
                    failed += 1
                    print(f"{file}: {name}: exit {status}: {said}\n" + "// -----\n".join(texts))
    print(
        f"{sum(count.values())} traps: {count[1]} refuted, {count[3]} unknown; "
        f"{right} right ones proved; {failed} failed"
    )
    if unmet:
        sys.exit(f"no such traps: {', '.join(sorted(unmet))}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
