#!/usr/bin/env python3
"""Judges random integer programs and near misses of the laws that rewrite them, and compares with exhaustive
evaluation.

usage: near_misses.py PARTIR [--prove] [--pairs N] [--seed S] [--keep FOLDER]

The judge is `partir validate` or, with --prove, `partir prove` on the pairs as claims. Each pair is an expression over
a few 8-bit values and one that a few steps made of it. A step is a law of integers or nearly one: it ignores that sums
wrap, that a conversion loses or extends a sign, that the least integer has no opposite, or that a shift may be too far.
All inputs are tried with numpy. A pair fails if it is proved and differs on some input, or if it is refuted and equal
on all.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

TYPES = {
    "i1": numpy.bool_,
    "i8": numpy.int8,
    "ui8": numpy.uint8,
    "i16": numpy.int16,
    "ui16": numpy.uint16,
    "i32": numpy.int32,
}
WIDTHS = {"i1": 1, "i8": 8, "ui8": 8, "i16": 16, "ui16": 16, "i32": 32}
COMPARISONS = ["EQ", "NE", "LT", "LE", "GT", "GE"]


def is_signed(type_):
    return not type_.startswith("ui")


# An expression is (operation, type, operands, attribute). Leaves are ("argument", type, (), name) and ("constant",
# type, (), value).
def leaf(type_, name):
    return ("argument", type_, (), name)


def constant(type_, value):
    if type_ == "i1":
        return ("constant", type_, (), bool(value))
    width = WIDTHS[type_]
    value %= 1 << width
    if is_signed(type_) and value >= 1 << (width - 1):
        value -= 1 << width
    return ("constant", type_, (), value)


def make(operation, *operands, type_=None, attribute=None):
    return (operation, type_ or operands[-1][1], operands, attribute)


def evaluate(e, inputs, memo):
    if id(e) in memo:
        return memo[id(e)]
    operation, type_, operands, attribute = e
    kind = TYPES[type_]
    x = [evaluate(o, inputs, memo) for o in operands]
    with numpy.errstate(all="ignore"):
        if operation == "argument":
            out = inputs[attribute]
        elif operation == "constant":
            out = numpy.full_like(next(iter(inputs.values())), attribute, dtype=kind)
        elif operation == "add":
            out = x[0] | x[1] if type_ == "i1" else x[0] + x[1]
        elif operation == "subtract":
            out = x[0] - x[1]
        elif operation == "multiply":
            out = x[0] & x[1] if type_ == "i1" else x[0] * x[1]
        elif operation == "negate":
            out = (-x[0].astype(numpy.int64)).astype(kind)
        elif operation == "maximum":
            out = numpy.maximum(x[0], x[1])
        elif operation == "minimum":
            out = numpy.minimum(x[0], x[1])
        elif operation == "and":
            out = x[0] & x[1]
        elif operation == "or":
            out = x[0] | x[1]
        elif operation == "xor":
            out = x[0] ^ x[1]
        elif operation == "not":
            out = ~x[0]
        elif operation == "abs":
            out = numpy.abs(x[0].astype(numpy.int64)).astype(kind)
        elif operation == "compare":
            out = {
                "EQ": x[0] == x[1],
                "NE": x[0] != x[1],
                "LT": x[0] < x[1],
                "LE": x[0] <= x[1],
                "GT": x[0] > x[1],
                "GE": x[0] >= x[1],
            }[attribute]
        elif operation == "select":
            out = numpy.where(x[0], x[1], x[2])
        elif operation == "convert":
            out = x[0] != 0 if type_ == "i1" else x[0].astype(numpy.int64).astype(kind)
        elif operation in ("divide", "remainder"):
            a, b = x[0].astype(numpy.int64), x[1].astype(numpy.int64)
            quotient = numpy.sign(a) * numpy.sign(b) * (numpy.abs(a) // numpy.abs(b))
            out = (quotient if operation == "divide" else a - quotient * b).astype(kind)
        else:
            a, n = x[0].astype(numpy.int64), x[1].astype(numpy.int64)
            width = WIDTHS[type_]
            far = (n < 0) | (n >= width)
            n = numpy.where(far, 0, n)
            if operation == "shift_left":
                out = numpy.where(far, 0, a << n)
            elif operation == "shift_right_logical":
                out = numpy.where(far, 0, (a & ((1 << width) - 1)) >> n)
            else:
                signed = a if is_signed(type_) else (a ^ (1 << (width - 1))) - (1 << (width - 1))
                out = numpy.where(far, numpy.where(signed < 0, -1, 0), signed >> n)
            out = out.astype(kind)
    memo[id(e)] = out.astype(kind)
    return memo[id(e)]


def program(e, arguments):
    lines, names = [], {}

    def emit(e):
        if e[0] == "argument":
            return f"%{e[3]}"
        if e in names:
            return names[e]
        operation, type_, operands, attribute = e
        x = [emit(o) for o in operands]
        name = f"%{len(names)}"
        t = f"tensor<{type_}>"
        if operation == "constant":
            line = f"stablehlo.constant dense<{str(attribute).lower()}> : {t}"
        elif operation == "compare":
            of = f"tensor<{operands[0][1]}>"
            line = f"stablehlo.compare {attribute}, {x[0]}, {x[1]} : ({of}, {of}) -> {t}"
        elif operation == "select":
            line = f"stablehlo.select {', '.join(x)} : tensor<i1>, {t}"
        elif operation == "convert":
            line = f"stablehlo.convert {x[0]} : (tensor<{operands[0][1]}>) -> {t}"
        else:
            line = f"stablehlo.{operation} {', '.join(x)} : {t}"
        lines.append(f"  {name} = {line}")
        names[e] = name
        return name

    result = emit(e)
    given = ", ".join(f"%{name}: tensor<{type_}>" for name, type_ in arguments)
    body = "\n".join(lines) + f"\n  return {result} : tensor<{e[1]}>"
    return f"module {{\nfunc.func @main({given}) -> tensor<{e[1]}> {{\n{body}\n}}\n}}\n"


class Writer:
    def __init__(self, rng, arguments):
        self.rng, self.arguments = rng, arguments

    def number(self, type_):
        width = WIDTHS[type_]
        return constant(
            type_,
            self.rng.choice(
                [0, 1, 2, 3, 7, -1, -2, 1 << (width - 1), (1 << (width - 1)) - 1, width, self.rng.randrange(1 << width)]
            ),
        )

    def expression(self, type_, depth):
        r = self.rng
        of = [leaf(t, n) for n, t in self.arguments if t == type_]
        if depth == 0 or r.random() < 0.1:
            if of and r.random() < 0.8:
                return r.choice(of)
            if type_ == "i1":
                return constant(type_, r.random() < 0.5)
            if r.random() < 0.4:
                return self.number(type_)
            n, t = r.choice(self.arguments)
            return make("convert", leaf(t, n), type_=type_)
        if type_ == "i1":
            k = r.random()
            if k < 0.6:
                t = r.choice(["i8", "ui8", "i16"])
                return make(
                    "compare",
                    self.expression(t, depth - 1),
                    self.expression(t, depth - 1),
                    type_="i1",
                    attribute=r.choice(COMPARISONS),
                )
            if k < 0.7:
                return make("not", self.expression("i1", depth - 1))
            return make(
                r.choice(["and", "or", "xor", "add", "multiply"]),
                self.expression("i1", depth - 1),
                self.expression("i1", depth - 1),
            )
        k = r.random()
        if k < 0.55:
            return make(
                r.choice(["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor"]),
                self.expression(type_, depth - 1),
                self.expression(type_, depth - 1),
            )
        if k < 0.65:
            return make(
                r.choice(["negate", "not"] + (["abs"] if is_signed(type_) else [])), self.expression(type_, depth - 1)
            )
        if k < 0.75:
            return make(
                "select",
                self.expression("i1", depth - 1),
                self.expression(type_, depth - 1),
                self.expression(type_, depth - 1),
            )
        if k < 0.85:
            return make("convert", self.expression(r.choice(list(TYPES)), depth - 1), type_=type_)
        if k < 0.93:
            return make(
                r.choice(["shift_left", "shift_right_logical", "shift_right_arithmetic"]),
                self.expression(type_, depth - 1),
                self.number(type_),
            )
        divisor = self.number(type_)
        return make(
            r.choice(["divide", "remainder"]),
            self.expression(type_, depth - 1),
            divisor if divisor[3] else constant(type_, 3),
        )

    def of_arithmetic(self):
        """Returns an operation on a sum or product of both values that is not a function of its residue, so that
        wrapping matters.
        """
        type_ = self.rng.choice(["i8", "ui8", "i16"])
        both = make(
            self.rng.choice(["add", "subtract", "multiply"]),
            *(make("convert", leaf(t, n), type_=type_) if t != type_ else leaf(t, n) for n, t in self.arguments),
        )
        operation = self.rng.choice(["compare", "maximum", "minimum", "divide", "remainder", "shift_right_arithmetic"])
        if operation == "compare":
            return make(operation, both, self.expression(type_, 1), type_="i1", attribute=self.rng.choice(COMPARISONS))
        return make(
            operation,
            both,
            self.expression(type_, 1) if operation.endswith("imum") else constant(type_, self.rng.randrange(1, 8)),
        )

    def steps(self, e):
        """Returns what laws, or near-laws, make of the expression at its root."""
        operation, type_, x, attribute = e
        r = self.rng
        out = []
        if operation in ("add", "multiply", "maximum", "minimum", "and", "or", "xor"):
            out.append(make(operation, x[1], x[0]))
            for k in (0, 1):
                inner, other = x[k], x[1 - k]
                if inner[0] == operation:
                    out.append(make(operation, inner[2][0], make(operation, inner[2][1], other)))
        if operation in ("multiply", "and", "maximum", "minimum", "add"):
            for k in (0, 1):
                inner, other = x[k], x[1 - k]
                if inner[0] in (
                    "add",
                    "subtract",
                    "or",
                    "xor",
                    "maximum",
                    "minimum",
                ):  # distributes; sums into maxima only without wrapping
                    out.append(make(inner[0], make(operation, inner[2][0], other), make(operation, inner[2][1], other)))
                if inner[0] == "select":
                    out.append(
                        make(
                            "select",
                            inner[2][0],
                            make(operation, inner[2][1], other),
                            make(operation, inner[2][2], other),
                        )
                    )
                if inner[0] == "negate":
                    out.append(make("negate", make(operation, inner[2][0], other)))
        if operation == "subtract":
            out.append(make("add", x[0], make("negate", x[1])))
            if x[0] == x[1]:
                out.append(constant(type_, 0))
        if operation in ("negate", "not") and x[0][0] == operation:
            out.append(x[0][2][0])
        if operation == "negate":
            if x[0][0] in ("maximum", "minimum"):
                out.append(
                    make("minimum" if x[0][0] == "maximum" else "maximum", *(make("negate", o) for o in x[0][2]))
                )
            out.append(make("add", make("not", x[0]), constant(type_, 1)))
        if operation == "not" and x[0][0] in ("and", "or"):
            out.append(make("or" if x[0][0] == "and" else "and", *(make("not", o) for o in x[0][2])))
        if operation == "not" and x[0][0] == "compare":
            turned = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT"}[x[0][3]]
            out.append(make("compare", *x[0][2], type_="i1", attribute=turned))
        if operation == "abs":
            out += [x[0], make("maximum", x[0], make("negate", x[0]))]
            if x[0][0] == "negate":
                out.append(make("abs", x[0][2][0]))
        if operation == "convert":
            if x[0][0] in (
                "add",
                "multiply",
                "subtract",
                "maximum",
                "minimum",
                "and",
                "or",
                "xor",
                "negate",
                "not",
                "select",
            ):
                inner = x[0][2]
                keep = 1 if x[0][0] == "select" else 0
                out.append(make(x[0][0], *inner[:keep], *(make("convert", o, type_=type_) for o in inner[keep:])))
            if x[0][0] == "convert":
                out.append(make("convert", x[0][2][0], type_=type_) if x[0][2][0][1] != type_ else x[0][2][0])
            if x[0][1] != "i1" and type_ != "i1":
                through = r.choice(["i8", "ui8", "i16", "ui16"])
                out.append(make("convert", make("convert", x[0], type_=through), type_=type_))
        if operation == "compare":
            turned = {"EQ": "EQ", "NE": "NE", "LT": "GT", "GE": "LE", "GT": "LT", "LE": "GE"}[attribute]
            out.append(make("compare", x[1], x[0], type_="i1", attribute=turned))
            of = x[0][1]
            shift = self.number(of)
            out.append(
                make("compare", make("add", x[0], shift), make("add", x[1], shift), type_="i1", attribute=attribute)
            )
            out.append(make("compare", make("negate", x[0]), make("negate", x[1]), type_="i1", attribute=turned))
            out.append(make("compare", make("subtract", x[0], x[1]), constant(of, 0), type_="i1", attribute=attribute))
            wide = "i16" if WIDTHS[of] == 8 else "i32"
            out.append(make("compare", *(make("convert", o, type_=wide) for o in x), type_="i1", attribute=attribute))
            other = {"i8": "ui8", "ui8": "i8", "i16": "ui16", "ui16": "i16"}.get(of)
            if other:
                out.append(
                    make("compare", *(make("convert", o, type_=other) for o in x), type_="i1", attribute=attribute)
                )
            strict = {"LT": ("LE", -1), "LE": ("LT", 1), "GT": ("GE", 1), "GE": ("GT", -1)}.get(attribute)
            if strict:
                out.append(
                    make("compare", x[0], make("add", x[1], constant(of, strict[1])), type_="i1", attribute=strict[0])
                )
        if operation == "select":
            out.append(make("select", make("not", x[0]), x[2], x[1]))
            if x[1][0] == x[2][0] and x[1][0] in ("add", "multiply", "maximum") and x[1][2][0] == x[2][2][0]:
                out.append(make(x[1][0], x[1][2][0], make("select", x[0], x[1][2][1], x[2][2][1])))
            if x[0][0] == "compare" and x[0][2] == (x[1], x[2]):
                out.append(make("maximum" if x[0][3] in ("GT", "GE") else "minimum", x[1], x[2]))
        if operation in ("maximum", "minimum"):
            if x[0] == x[1]:
                out.append(x[0])
            out.append(
                make("select", make("compare", *x, type_="i1", attribute="GE" if operation == "maximum" else "LE"), *x)
            )
        if operation == "shift_left" and x[1][0] == "constant":
            out.append(make("multiply", x[0], constant(type_, 1 << (x[1][3] % WIDTHS[type_]))))
        if operation.startswith("shift_right") and x[1][0] == "constant":
            out.append(make("divide", x[0], constant(type_, (1 << (x[1][3] % (WIDTHS[type_] - 1))))))
            out.append(
                make("shift_right_logical" if operation.endswith("arithmetic") else "shift_right_arithmetic", *x)
            )
        if operation == "divide":
            if x[0][0] == "multiply" and x[0][2][1] == x[1]:
                out.append(x[0][2][0])
            out.append(
                make("subtract", x[0], make("remainder", *x))
                if x[1][3] in (1, -1)
                else make("negate", make("divide", make("negate", x[0]), x[1]))
            )
            if x[0][0] == "add":
                out.append(make("add", make("divide", x[0][2][0], x[1]), make("divide", x[0][2][1], x[1])))
        if operation == "remainder" and x[1][3] > 0:
            out.append(make("and", x[0], constant(type_, x[1][3] - 1)))
            out.append(make("subtract", x[0], make("multiply", make("divide", *x), x[1])))
        if x:
            out += self.in_wider_type(e)
        return [o for o in out if o[1] == type_]

    def in_wider_type(self, e):
        """Returns the operation on its operands, with the arithmetic that computes them, in a wider or an unsigned
        type.
        """
        operation, type_, x, attribute = e
        of = x[0][1]
        if (
            operation not in ("compare", "maximum", "minimum", "divide", "remainder", "shift_right_arithmetic")
            or of == "i1"
        ):
            return []
        other = self.rng.choice([t for t in TYPES if t not in ("i1", of)])

        def made(o):
            if o[0] in ("add", "subtract", "multiply", "negate"):
                return make(o[0], *(made(i) for i in o[2]))
            return make("convert", o, type_=other)

        operands = [made(o) for o in x]
        if operation == "compare":
            return [make(operation, *operands, type_="i1", attribute=attribute)]
        if operation != "maximum" and operation != "minimum":
            operands[1] = constant(other, x[1][3]) if x[1][3] % (1 << WIDTHS[other]) else constant(other, 1)
        return [make("convert", make(operation, *operands), type_=type_)]

    def rewritten(self, e):
        """Returns the expression with one step taken somewhere, or the expression itself if no step applies."""
        places = []

        def walk(e, path):
            if self.steps(e):
                places.append(path)
            for k, o in enumerate(e[2]):
                walk(o, (*path, k))

        walk(e, ())
        if not places:
            return e

        def at(e, path):
            if not path:
                return self.rng.choice(self.steps(e))
            operands = list(e[2])
            operands[path[0]] = at(operands[path[0]], path[1:])
            return (e[0], e[1], tuple(operands), e[3])

        return at(e, self.rng.choice(places))


def validated(partir, pairs, scratch):
    """Returns the verdicts of `partir validate`, and its output."""
    source, target, shardings = (
        os.path.join(scratch, name) for name in ("source.mlir", "target.mlir", "shardings.json")
    )
    with open(shardings, "w") as out:
        out.write('{"mesh": "d=2", "arguments": ["[]", "[]"], "results": ["[]"]}')
    for arguments, e, f, _ in pairs:
        for path, what in ((source, e), (target, f)):
            with open(path, "w") as out:
                out.write(program(what, arguments))
        done = subprocess.run(
            [partir, "validate", source, target, "--shardings", shardings, "--timeout", "20"],
            capture_output=True,
            text=True,
        )
        yield (
            {0: "proved", 1: "refuted", 3: "unknown"}.get(done.returncode, f"exit {done.returncode}"),
            done.stdout + done.stderr,
        )


def proved(partir, pairs, scratch):
    """Returns the verdicts of `partir prove` on the pairs as claims, and its reasons."""
    claims, report = os.path.join(scratch, "claims.tmr"), os.path.join(scratch, "report.json")
    with open(claims, "w") as out:
        for k, (arguments, e, f, _) in enumerate(pairs):
            given = ", ".join(f"%{name}: tensor<{type_}>" for name, type_ in arguments)
            sides = [program(x, arguments).split("\n", 2)[2].rsplit("}\n}", 1)[0] for x in (e, f)]
            out.write(f"rewrite @pair{k} ({given}) -> (tensor<{e[1]}>) {{\n")
            out.write(f"source {{\n{sides[0]}}}\ntarget {{\n{sides[1]}}}\n}}\n")
    done = subprocess.run([partir, "prove", claims, "--json", report], capture_output=True, text=True)
    if not os.path.exists(report):
        sys.exit(f"{partir} prove: exit {done.returncode}: {done.stderr}")
    with open(report) as said:
        return [(row["verdict"], row["reason"]) for row in json.load(said)]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("partir")
    p.add_argument("--prove", action="store_true")
    p.add_argument("--pairs", type=int, default=300)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--keep", help="a folder for pairs that fail")
    a = p.parse_args()
    rng = random.Random(a.seed)
    pairs = []
    for _ in range(a.pairs):
        arguments = [("a", rng.choice(["i8", "ui8"])), ("b", rng.choice(["i8", "ui8"]))]
        w = Writer(rng, arguments)
        e = w.expression(rng.choice(["i1", "i8", "ui8", "i16"]), rng.choice([2, 3, 4]))
        f = e
        if rng.random() < 0.25:
            e = w.of_arithmetic()
            f = rng.choice(w.in_wider_type(e))
        for _ in range(rng.choice([0, 1, 2] if f is not e else [1, 1, 2, 3, 6])):
            f = w.rewritten(f)
        grid = numpy.meshgrid(*(numpy.arange(256).astype(numpy.uint8).astype(TYPES[t]) for _, t in arguments))
        inputs = {n: g.ravel() for (n, _), g in zip(arguments, grid, strict=True)}
        pairs.append((arguments, e, f, bool(numpy.array_equal(evaluate(e, inputs, {}), evaluate(f, inputs, {})))))
    with tempfile.TemporaryDirectory() as scratch:
        verdicts = list((proved if a.prove else validated)(a.partir, pairs, scratch))
    count = {"proved": 0, "refuted": 0, "unknown": 0}
    wrong = 0
    for number, ((arguments, e, f, same), (verdict, said)) in enumerate(zip(pairs, verdicts, strict=True)):
        if verdict in count:
            count[verdict] += 1
        if verdict in count and not (verdict == "proved" and not same) and not (verdict == "refuted" and same):
            continue
        wrong += 1
        text = program(e, arguments) + "// -----\n" + program(f, arguments)
        print(
            f"WRONG (pair {number} of seed {a.seed}): {verdict}, {'equal' if same else 'different'} on all inputs: "
            f"{said}\n{text}"
        )
        if a.keep:
            os.makedirs(a.keep, exist_ok=True)
            with open(os.path.join(a.keep, f"{a.seed}_{number}.mlir"), "w") as out:
                out.write(text)
    equal = sum(same for _, _, _, same in pairs)
    print(
        f"{a.pairs} pairs, {equal} equal on all inputs: {count['proved']} proved, {count['refuted']} refuted, "
        f"{count['unknown']} unknown; {wrong} wrong"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
