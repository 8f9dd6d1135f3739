"""A finding as a script that needs JAX and nothing else: it prints both values and exits with 1."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from openpartir.fuzz.inputs import fill
from openpartir.fuzz.program import Program, spec_source

__all__ = ["script"]

HEAD = '''"""{title}

{reason}

Exit status: 1 where the partitioned program fails, 0 where it does what it does on one device. Needs jax only.
"""

import os
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count={devices}"

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

jax.config.update("jax_use_shardy_partitioner", {shardy})
mesh = Mesh({mesh}, {axes})


def make(constrain):
{body}
    return f


inputs = [
{inputs}]
arguments = [{given}]
results = ({returned})
'''

RUN = """

def partitioned():
    constrain = lambda x, spec: lax.with_sharding_constraint(x, NamedSharding(mesh, spec))
    shardings = [NamedSharding(mesh, s) for s in arguments]
    out = tuple(None if s is None else NamedSharding(mesh, s) for s in results)
    step = jax.jit(make(constrain), in_shardings=tuple(shardings), out_shardings=out)
    return step.lower(*inputs).compile(), [jax.device_put(x, s) for x, s in zip(inputs, shardings)]

"""

DIFFERENT = """
expected = jax.tree.leaves(jax.jit(make(lambda x, spec: x))(*inputs))
step, placed = partitioned()
found = jax.tree.leaves(step(*placed))
same = True
for i, (e, f) in enumerate(zip(expected, found)):
    e, f = np.asarray(e), np.asarray(f)
    scale = np.max(np.abs(e[np.isfinite(e)]), initial=0.05) if e.dtype.kind not in "biu" else 0
    wide = e.astype(np.float64), f.astype(np.float64)
    equal = np.allclose(*wide, rtol=0, atol={tolerance} * float(scale), equal_nan=True)
    same = same and equal
    print(f"result {{i}} on one device:\\n{{e}}")
    print(f"result {{i}} over the mesh ({{'the same' if equal else 'WRONG'}}):\\n{{f}}\\n")
print("jax", jax.__version__, "jaxlib", jaxlib.__version__)
sys.exit(0 if same else 1)
"""

DIES = """
if sys.argv[1:] == ["partitioned"]:
    step, placed = partitioned()
    jax.block_until_ready(step(*placed))
    sys.exit(0)
expected = jax.tree.leaves(jax.jit(make(lambda x, spec: x))(*inputs))
print("on one device:", *expected, sep="\\n")
try:
    run = subprocess.run([sys.executable, __file__, "partitioned"], capture_output=True, text=True, timeout={limit})
    print("over the mesh: exit status", run.returncode, run.stderr[:600], sep="\\n")
    failed = run.returncode != 0
except subprocess.TimeoutExpired:
    print("over the mesh: no end after {limit} s")
    failed = True
print("jax", jax.__version__, "jaxlib", jaxlib.__version__)
sys.exit(1 if failed else 0)
"""

COSTS = """
import re

step, placed = partitioned()
kinds = r"= *(\\([^)]*\\)|\\S+) (?:all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\\("
elements = 0
for shape in re.findall(kinds, step.as_text()):
    for dims in re.findall(r"[a-z]+\\d*\\[([\\d,]*)\\]", shape):
        elements += int(np.prod([int(n) for n in dims.split(",") if n], dtype=int))
out = jax.tree.leaves(jax.eval_shape(make(lambda x, s: x), *inputs))
there = sum(x.size for x in inputs) + sum(x.size for x in out)
print(f"collectives of a device return {{elements}} elements; arguments and results have {{there}} in all")
print("jax", jax.__version__, "jaxlib", jaxlib.__version__)
sys.exit(1 if elements > 10 * there else 0)
"""


def _array(value: np.ndarray[Any, Any], dtype: str) -> str:
    flat = ", ".join(repr(v) for v in value.astype(np.float64 if "float" in dtype else value.dtype).ravel().tolist())
    text = f"np.array([{flat}], jnp.{dtype}).reshape({value.shape})"
    return text.replace(f".reshape(({value.size},))", "")


def script(program: Program, target: str, kind: str, title: str, reason: str, seed: int) -> str:
    """Return the source of the script; inputs are those of the seed."""
    order = program.devices or range(program.device_count)
    mesh = f"np.array([jax.devices()[i] for i in {list(order)}]).reshape({tuple(n for _, n in program.mesh)})"
    if program.devices is None:
        mesh = f"np.array(jax.devices()).reshape({tuple(n for _, n in program.mesh)})"
    inputs = "".join(f"    {_array(fill(a, seed, i), a.dtype)},\n" for i, a in enumerate(program.inputs))
    head = HEAD.format(
        title=title,
        reason=textwrap.fill(reason.replace("\\", "/").replace('"""', "'''"), 110),
        devices=program.device_count,
        shardy=target != "gspmd",
        mesh=mesh,
        axes=repr(tuple(a for a, _ in program.mesh)),
        body=textwrap.indent(program.source(), "    ", lambda line: bool(line.strip()))
        .rstrip()
        .replace("\n\n\n", "\n\n"),
        inputs=inputs,
        given=", ".join(spec_source(a.sharding) for a in program.inputs),
        returned="".join(("None" if s is None else spec_source(s)) + ", " for s in program.result_shardings).rstrip(),
    )
    narrow = "float16" in program.source() or any("float16" in a.dtype for a in program.inputs)
    tail = DIFFERENT.format(tolerance=5e-2 if narrow else 2e-4)
    if kind in ("crash", "hang", "rejected"):
        tail = DIES.format(limit=120)
    elif kind == "communication":
        tail = COSTS.format()
    return head + RUN + tail
