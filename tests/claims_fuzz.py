#!/usr/bin/env python3
"""Generates random claims of one to three operations with random actions, and runs `partir prove` on them.

The command also searches for counterexamples to what it proves, and reports (exit 70) where the two disagree.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

UNARY = ["negate", "abs", "exponential", "tanh", "logistic", "floor", "sign", "cosine", "cbrt"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum"]
ACTIONS = ["any", "#sum", "#max", "#min", "#prod"]
REDUCERS = [("add", "0.0"), ("maximum", "0xFF800000"), ("minimum", "0x7F800000"), ("multiply", "1.0"), ("add", "1.0")]
INTEGER_REDUCERS = [("add", "0"), ("maximum", "-128"), ("minimum", "127"), ("multiply", "1"), ("maximum", "3")]


def claim(rng, name):
    element = rng.choice(["f32", "f32", "f32", "i8"])
    symbols = rng.choice([("M", "N"), ("M", "M+1"), ("2*M", "N"), ("M", "N-1")])
    dims = list(symbols)
    values = []
    body = []
    arguments = []
    tile = rng.choice([None, None, 0, 1])
    tiled = "" if tile is None else dims[tile].strip("2*+-1")
    for k in range(rng.choice([1, 2, 2])):
        action = rng.choice(ACTIONS) if tile is None else f"#tile<{tile}>"
        arguments.append(f"%x{k}: tensor<{'x'.join(dims)}x{element}> {action}")
        values.append((f"%x{k}", tuple(dims)))
    for k in range(rng.randint(1, 3)):
        value, shape = rng.choice(values)
        type_ = f"tensor<{'x'.join((*shape, element))}>"
        out = f"%v{k}"
        kind = rng.choice(["unary", "binary", "binary", "reduce", "transpose", "reverse", "slice", "select", "merge"])
        if kind == "unary":
            name_ = "negate" if element == "i8" else rng.choice(UNARY)
            body.append(f"{out} = stablehlo.{name_} {value} : {type_}")
        elif kind == "binary":
            other = rng.choice([v for v in values if v[1] == shape])[0]
            body.append(f"{out} = stablehlo.{rng.choice(BINARY)} {value}, {other} : {type_}")
        elif kind == "select":
            other = rng.choice([v for v in values if v[1] == shape])[0]
            bools = f"tensor<{'x'.join((*shape, 'i1'))}>"
            body.append(f"%p{k} = stablehlo.compare GT, {value}, {other} : ({type_}, {type_}) -> {bools}")
            body.append(f"{out} = stablehlo.select %p{k}, {value}, {other} : {bools}, {type_}")
        elif kind == "reduce" and shape:
            dim = rng.randrange(len(shape))
            op, init = rng.choice(REDUCERS if element == "f32" else INTEGER_REDUCERS)
            rest = shape[:dim] + shape[dim + 1 :]
            body.append(f"%i{k} = stablehlo.constant dense<{init}> : tensor<{element}>")
            body.append(
                f"{out} = stablehlo.reduce({value} init: %i{k}) applies stablehlo.{op} across dimensions = [{dim}]"
                f" : ({type_}, tensor<{element}>) -> tensor<{'x'.join((*rest, element))}>"
            )
            shape = rest
        elif kind == "transpose" and len(shape) == 2:
            body.append(
                f"{out} = stablehlo.transpose {value}, dims = [1, 0] : ({type_}) -> "
                f"tensor<{shape[1]}x{shape[0]}x{element}>"
            )
            shape = (shape[1], shape[0])
        elif kind == "reverse" and shape:
            body.append(f"{out} = stablehlo.reverse {value}, dims = [{rng.randrange(len(shape))}] : {type_}")
        elif kind == "slice" and len(shape) == 2 and shape[1] in ("M", "N"):
            body.append(
                f"{out} = stablehlo.slice {value} [0:{shape[0]}, 0:{shape[1]}:2] : ({type_}) -> "
                f"tensor<{shape[0]}x({shape[1]}+1)/2x{element}>"
            )
            shape = (shape[0], f"({shape[1]}+1)/2")
        elif kind == "merge" and len(shape) == 2:
            merged = f"({shape[0]})*({shape[1]})"
            body.append(f"{out} = stablehlo.reshape {value} : ({type_}) -> tensor<{merged}x{element}>")
            shape = (merged,)
        else:
            continue
        values.append((out, shape))
    value, shape = values[-1]
    result = rng.choice(ACTIONS + [f"#tile<{d}>" for d in range(len(shape))] * 2)
    lines = "".join(f"  {line}\n" for line in body)
    type_ = f"tensor<{'x'.join((*shape, element))}>"
    return (
        f"entry @{name} {'tiles ' + tiled + ' ' if tiled else ''}({', '.join(arguments)}) -> ({type_} {result}) {{\n"
        f"{lines}  return {value} : {type_}\n}}\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("partir")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    counts = {}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.tmr")
        out = os.path.join(folder, "case.json")
        for case in range(arguments.cases):
            text = claim(rng, f"case_{case}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            run = subprocess.run(
                [arguments.partir, "prove", path, "--timeout", "20", "--json", out],
                check=False,
                capture_output=True,
                text=True,
            )
            if run.returncode not in (0, 1, 3):
                failed += 1
                print(f"exit {run.returncode} on\n{text}{run.stdout}{run.stderr}")
                continue
            with open(out, encoding="utf-8") as file:
                verdict = json.load(file)[0]["verdict"]
            counts[verdict] = counts.get(verdict, 0) + 1
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
