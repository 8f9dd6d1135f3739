"""What the scripts that write tests/verify/validate/pairs share: JAX on eight devices, short names, verdicts."""

import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "examples", "spmd"))

from jax import lax  # noqa: E402
from spmd_text import write  # noqa: E402, F401  (it sets up the devices before jax is imported)

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "pairs")
P = functools.partial
EQ = "equal"


def ring(n, by=1):
    return [(k, (k + by) % n) for k in range(n)]


def index(axis="x"):
    return lax.axis_index(axis)


def psum(v, axis="x"):
    return lax.psum(v, axis)


def NOT(why):
    return f"different ({why})"
