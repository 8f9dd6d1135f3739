"""What the scripts that write tests/validate/pairs share: JAX on eight devices, short names of collectives, verdicts."""

import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "spmd"))

from jax import lax  # noqa: E402
from spmd_text import write  # noqa: E402, F401  (it sets up the devices before jax is imported)

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "pairs")
P = functools.partial
RING = lambda n, by=1: [(k, (k + by) % n) for k in range(n)]
index = lambda axis="x": lax.axis_index(axis)
psum = lambda v, axis="x": lax.psum(v, axis)
EQ = "equal"


def NOT(why):
    return f"different ({why})"
