#!/usr/bin/env python3
"""Compares the JSON Schemas of docs/reference/schemas with what the program accepts.

usage: reference_test.py PARTIR SOURCE [SEED]

Every file of a format that is shipped or written here must validate. Each is then broken in many ways (a key removed or
added, a value of another type or out of range), and the schema and the program must agree: what one refuses, the other
refuses. A file may be valid by its schema and wrong for a program (names of another program); such files are not made
here. Skipped (exit 77) without python3-jsonschema.
"""

import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)


def places(value, path=()):
    """Yields the path of every value in a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def put(document, path, value):
    if not path:
        return value
    at(document, path[:-1])[path[-1]] = value
    return document


def broken(document, draw):
    """Returns a document broken in one way, and a description of it."""
    document = copy.deepcopy(document)
    path = draw.choice(list(places(document)))
    here = at(document, path)
    way = draw.choice(["remove", "add", "type", "range"])
    if way == "remove" and path:
        del at(document, path[:-1])[path[-1]]
        return document, f"without {path}"
    if way == "add" and isinstance(here, dict):
        here["surprise"] = 1
        return document, f"with a key more in {path}"
    if way == "range" and isinstance(here, (int, float)) and not isinstance(here, bool):
        value = draw.choice([-1, 1e30, 0.5])
        return put(document, path, value), f"{path} = {value}"
    value = draw.choice([None, True, "text", [], {}, 3, [1]])
    return put(document, path, value), f"{path} = {value!r}"


def main():
    partir, source = sys.argv[1], pathlib.Path(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    draw = random.Random(seed)
    schemas = {p.name.split(".")[0]: json.loads(p.read_text()) for p in source.glob("docs/reference/schemas/*.json")}
    for schema in schemas.values():
        jsonschema.Draft7Validator.check_schema(schema)
    validators = {name: jsonschema.Draft7Validator(schema) for name, schema in schemas.items()}
    folder = tempfile.TemporaryDirectory()
    scratch = pathlib.Path(folder.name)
    failed = checked = 0

    def run(*arguments):
        done = subprocess.run([partir, *map(str, arguments)], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def fail(text):
        nonlocal failed
        failed += 1
        print("FAIL", text)

    example, mesh = source / "examples" / "matmul_chain.mlir", "batch=4,model=2"
    schedule = source / "examples" / "schedules" / "matmul_chain_bp_mp_z3.json"
    out, certificate, report = scratch / "out.mlir", scratch / "certificate.json", scratch / "report.json"
    run(
        "partition",
        example,
        "--mesh",
        mesh,
        "--schedule",
        schedule,
        "-o",
        out,
        "--certificate",
        certificate,
        "--json",
        report,
    )
    shardings = json.loads(report.read_text())["shardings"]
    shardings = {"mesh": mesh, **{k: [v["sharding"] for v in shardings[k]] for k in ("arguments", "results")}}
    run("partition", "no such file", "--mesh", mesh, "--schedule", schedule, "--json", scratch / "error.json")

    right = [("schedule", p) for p in sorted(source.glob("examples/schedules/*.json"))]
    right += [("device", p) for p in sorted(source.glob("devices/*.json"))]
    right += [("software", p) for p in sorted(source.glob("simulate/software/*.json"))]
    right += [
        ("names", p.with_suffix(".json"))
        for p in sorted(source.glob("examples/**/*.mlir"))
        if p.with_suffix(".json").exists()
    ]
    right += [("certificate", certificate), ("partition_report", report), ("error", scratch / "error.json")]
    for kind, path in right:
        checked += 1
        for error in validators[kind].iter_errors(json.loads(path.read_text())):
            fail(f"{path}: {error.json_path}: {error.message}")
    for error in validators["shardings"].iter_errors(shardings):
        fail(f"shardings: {error.message}")
    for kind, words, wanted in reports(source, example, out, certificate, scratch):
        checked += 1
        path = scratch / "report.json"
        path.unlink(missing_ok=True)
        code, text = run(kind, *words, "--json", path)
        if code != wanted:
            fail(f"{kind} {words}: exit status {code}, wanted {wanted}: {text}")
        if not path.exists():
            fail(f"{kind} {words} writes no report: {text}")
            continue
        for error in validators[f"{kind}_report"].iter_errors(json.loads(path.read_text())):
            fail(f"{kind} {words}: {error.json_path}: {error.message}")

    broken_file = scratch / "broken.json"
    simulated = ["partition", example, "--mesh", mesh, "--schedule", schedule, "--no-check"]
    readers = {
        "schedule": (
            json.loads(schedule.read_text()),
            ["partition", example, "--mesh", mesh, "--no-check", "--schedule"],
        ),
        "names": (json.loads(example.with_suffix(".json").read_text()), ["names", example, "--names"]),
        "device": (json.loads((source / "devices" / "a100.json").read_text()), [*simulated, "--device"]),
        "software": (
            json.loads((source / "simulate" / "software" / "megatron.software.json").read_text()),
            [*simulated, "--device", "a100", "--software"],
        ),
        "certificate": (json.loads(certificate.read_text()), ["check", example, out, "--certificate"]),
        "shardings": (shardings, ["validate", example, out, "--shardings"]),
    }
    agreed = refused = 0
    for kind, (document, command) in readers.items():
        code, text = run(*command, write(broken_file, document))
        if code != 0:
            fail(f"{kind}: the program refuses what it should read: {text}")
        for _ in range(40):
            case, words = broken(document, draw)
            by_schema = not validators[kind].is_valid(case)
            code, text = run(*command, write(broken_file, case))
            if code == 70:
                fail(f"{kind} {words}: a defect: {text}")
            # The program may refuse more than the schema does if only it can tell (an axis that its mesh lacks).
            if by_schema and code != 2:
                fail(f"{kind} {words}: the schema refuses it, the program does not (exit {code}): {text[-300:]}")
            elif not by_schema and code == 2 and not semantic(text):
                fail(f"{kind} {words}: the program refuses it, the schema does not: {text[-300:]}")
            else:
                agreed, refused = agreed + 1, refused + (code == 2)
    print(
        f"{checked} files validate; of {agreed} broken ones (seed {seed}) schema and program agree, "
        f"{refused} are refused; {failed} failed"
    )
    return 1 if failed else 0


def reports(source, example, out, certificate, scratch):
    """Yields commands whose reports must have the keys of their schemas and no others."""
    cookbook, claims = source / "examples" / "cookbook", source / "tests" / "claims"
    expected = scratch / "expected.npz"
    broken = scratch / "broken_certificate.json"
    broken.write_text(certificate.read_text().replace("#tile<0>", "any"))
    wrong = scratch / "wrong.mlir"
    wrong.write_text(out.read_text().replace("stablehlo.add", "stablehlo.subtract"))
    checks = scratch / "checks.mlir"
    checks.write_text(
        "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "  check.expect_eq_const %0, dense<2> : tensor<i32>\n  return\n}\n"
    )
    yield "names", [example], 0
    yield "names", [cookbook / "experts.mlir"], 0
    yield "dims", [cookbook / "transformer.mlir"], 0
    yield "check", [example, out, "--certificate", certificate, "--solver", "both", "--replay"], 0
    yield "check", [example, out, "--certificate", broken], 1
    yield "validate", [example, out], 0
    yield "validate", [example, wrong], 1
    yield "run", [example, "--seed", 1, "--outputs", expected], 0
    yield "run", [out, "--seed", 1, "--expect", expected], 0
    yield "run", [checks], 1
    yield "simulate", [out, "--device", "a100"], 0
    yield "simulate", [out, wrong, "--device", "h100", "--software", "megatron", "--model-flops", 1e6], 0
    for name in ("traps", "rewrites", "validation"):
        yield "prove", [claims / f"{name}.tmr"], 0
    yield "prove", [source / "examples" / "claims.tmr", "--solver", "both", "--replay"], 1
    yield "registry", ["gather"], 0
    yield "rules", [source / "tests" / "verify" / "rules" / "wrong.mlir"], 1
    yield "search", [example, "--mesh", "a=2,b=2", "--device", "a100", "--evaluations", 40], 0


def write(path, document):
    path.write_text(json.dumps(document, indent=1))
    return path


def semantic(text):
    """Returns whether a refusal is about more than the broken file: the program, the mesh, the module, sources of
    figures.
    """
    words = (
        "as the program has",
        "an axis of the mesh",
        "no mesh",
        "the pattern",
        "dimension",
        "shardings of",
        "no source of",
        "a type that has a peak",
        "ascending",
        "one mesh",
        "asked",
        "mesh",
        "an object with",
        "sharding",
        "divides",
    )
    return any(w in text for w in words)


if __name__ == "__main__":
    sys.exit(main())
