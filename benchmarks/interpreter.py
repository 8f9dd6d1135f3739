"""Prints a table of interpreter times: a dot of f32 128x128x128 compared with StableHLO's own interpreter (in jaxlib)
in the same run, and every small corpus program that comes with arrays.

    python3 benchmarks/interpreter.py build/partir [CORPUS]
"""

import functools
import pathlib
import subprocess
import sys
import tempfile
import time

SIZE = 128
PROGRAM = """func.func @main() -> tensor<{n}x{n}xf32> {{
  %0 = stablehlo.iota dim = 0 : tensor<{n}x{n}xf32>
  %1 = stablehlo.constant dense<0.001> : tensor<{n}x{n}xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<{n}x{n}xf32>
  %3 = {last}
  return %3 : tensor<{n}x{n}xf32>
}}
"""
DOT = (
    "stablehlo.dot_general %2, %0, contracting_dims = [1] x [0] : "
    "(tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>"
)
ADD = "stablehlo.add %2, %0 : tensor<{n}x{n}xf32>"  # the same program without the dot, to subtract start-up and reading


def text(last):
    return PROGRAM.format(n=SIZE, last=last.format(n=SIZE))


def best(repeats, action):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def ours(program, last):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text(last))
        file.flush()
        return best(5, lambda: subprocess.run([program, "run", file.name], check=True, capture_output=True))


def theirs(last):
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text(last))
        return best(1, lambda: stablehlo.eval_module(module, []))


def main():
    program = sys.argv[1]
    dot, rest = ours(program, DOT), ours(program, ADD)
    print(f"dot f32 {SIZE}^3, ours: {1e3 * (dot - rest):.1f} ms (whole command {1e3 * dot:.1f} ms)")
    try:
        reference = theirs(DOT) - theirs(ADD)
        print(
            f"dot f32 {SIZE}^3, StableHLO's interpreter: {1e3 * reference:.1f} ms, "
            f"{reference / (dot - rest):.0f} times ours ({reference / dot:.0f} times our whole command)"
        )
    except ImportError:
        print("StableHLO's interpreter: skipped, no jaxlib")
    if len(sys.argv) > 2:
        for module in sorted(pathlib.Path(sys.argv[2]).glob("*_tiny.mlir")):
            arrays = module.with_suffix(".npz")
            if arrays.exists():
                command = [program, "run", module, "--inputs", arrays]
                seconds = best(3, functools.partial(subprocess.run, command, check=True, capture_output=True))
                print(f"{module.stem}: {1e3 * seconds:.0f} ms")


if __name__ == "__main__":
    main()
