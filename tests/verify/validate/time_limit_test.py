#!/usr/bin/env python3
"""`partir validate --timeout S` must end, out of time, even where a single operation takes minutes.

usage: time_limit_test.py PARTIR
"""

import subprocess
import sys
import tempfile

SECONDS = 2  # the time limit
SIZE = 320  # larger products are not evaluated at all


def product(rows, attributes, more):
    x, w = f"tensor<{rows}x{SIZE}xf32>", f"tensor<{SIZE}x{SIZE}xf32>"

    def at(sharding):
        return f' {{mhlo.frontend_attributes = {{partir.sharding = "{sharding}"}}}}' if attributes else ""

    frontend = (
        '{mhlo.frontend_attributes = {partir.mesh = "a=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32}'
    )
    head = f"module @m attributes {frontend}" if attributes else "module @m"
    return f"""{head} {{
  func.func public @main(%x: {x}{at("[{a}, {}]")}, %w: {w}{at("[{}, {}]")}) -> ({x}{at("[{a}, {}]")}) {{
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}
    {more.format(x=x)}
    return %r : {x}
  }}
}}
"""


def main():
    # The device computes x + x - x for the product x, which no operation of the source does, so that both programs are
    # evaluated.
    source = product(SIZE, False, "%r = stablehlo.tanh %0 : {x}")
    local = product(
        SIZE // 2,
        True,
        "%1 = stablehlo.add %0, %0 : {x} %2 = stablehlo.subtract %1, %0 : {x} %r = stablehlo.tanh %2 : {x}",
    )
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, text in (("source", source), ("local", local)):
            names.append(f"{folder}/{name}.mlir")
            with open(names[-1], "w") as f:
                f.write(text)
        done = subprocess.run(
            [sys.argv[1], "validate", *names, "--timeout", str(SECONDS)], capture_output=True, text=True
        )
    print(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    # Without a limit that is checked inside operations, this command would have a verdict after minutes.
    sys.exit(0 if done.returncode == 3 and "out of time" in done.stdout else 1)


if __name__ == "__main__":
    main()
