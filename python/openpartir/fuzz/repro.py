"""Writes a finding as a script that prints both values and exits with 1.

For XLA's partitioners the script needs only JAX; for defects of our own partitioner or validator it needs openpartir.
"""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from openpartir.fuzz.inputs import fill
from openpartir.fuzz.oracle import Outcome, most_communication
from openpartir.fuzz.ours import inner_name, tactics_of
from openpartir.fuzz.program import Program, spec_source

__all__ = ["confirm", "script"]

SECONDS = 300
# Kinds that concern our validator, which a script in plain JAX cannot call.
OF_VALIDATOR = ("disagreement", "validator")

HEAD = '''"""{title}

{reason}

Exit status: 1 where the partitioned program fails, 0 where it does what it does on one device. Needs {needs}.
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

'''

FUNCTION = """mesh = Mesh({mesh}, {axes})


def make(constrain):
{body}
    return f


inputs = [
{inputs}]
"""

BY_XLA = """arguments = [{given}]
results = ({returned})
jax.config.update("jax_use_shardy_partitioner", {shardy})


def partitioned():
    constrain = lambda x, spec: lax.with_sharding_constraint(x, NamedSharding(mesh, spec))
    shardings = [NamedSharding(mesh, s) for s in arguments]
    out = tuple(None if s is None else NamedSharding(mesh, s) for s in results)
    step = jax.jit(make(constrain), in_shardings=tuple(shardings), out_shardings=out, keep_unused=True)
    return step.lower(*inputs).compile(), [jax.device_put(x, s) for x, s in zip(inputs, shardings)]

"""

BY_US = """import itertools

import openpartir as partir

schedule = [
{tactics}]


def partitioned():
    numbers = itertools.count()
    constrain = lambda x, spec: partir.named(x, f"{inner}{{next(numbers)}}")
    plan = partir.jit(make(constrain), mesh=mesh, schedule=schedule).lower(*inputs)
    print("partir says:", plan.verdict)
    return plan.compile(), inputs

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
    print("over the mesh:", *map(np.asarray, jax.tree.leaves(step(*placed))), sep="\\n")
    sys.exit(0)
expected = jax.tree.leaves(jax.jit(make(lambda x, spec: x))(*inputs))
print("on one device:", *expected, sep="\\n")
try:
    run = subprocess.run([sys.executable, __file__, "partitioned"], capture_output=True, text=True, timeout={limit})
    print("over the mesh: exit status", run.returncode, run.stdout[:600], run.stderr[-600:], sep="\\n")
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
print(f"collectives of a device return {{elements}} elements; {most} would be ten times all arrays of the program")
print("jax", jax.__version__, "jaxlib", jaxlib.__version__)
sys.exit(1 if elements > {most} else 0)
"""

JUDGED = """
# Whether validator and execution contradict each other is for both to say.
from openpartir.fuzz.program import Program
from openpartir.fuzz.runner import Runner
from openpartir.fuzz.tasks import examine_one

program = Program.from_json({program!r})
runner = Runner({seconds})
outcome = examine_one(program, {target!r}, runner)
runner.close()
print(program.source())
print(f"{{outcome.kind}}: {{outcome.reason}}")
print("jax", jax.__version__, "jaxlib", jaxlib.__version__)
sys.exit(1 if outcome.kind == {kind!r} else 0)
"""


def _array(value: np.ndarray[Any, Any], dtype: str) -> str:
    wide = value.astype(np.float64) if "float" in dtype else value
    flat = ", ".join(str(v).replace("inf", "np.inf").replace("nan", "np.nan") for v in wide.ravel().tolist())
    text = f"np.array([{flat}], jnp.{dtype}).reshape({value.shape})"
    return text.replace(f".reshape(({value.size},))", "")


def _inputs(program: Program, differs: dict[str, Any]) -> Sequence[np.ndarray[Any, Any]]:
    """Return inputs for which results differ: those of a counterexample, or of a seed."""
    if "inputs" in differs:
        return [np.array(v).reshape(a.shape) for v, a in zip(differs["inputs"], program.inputs, strict=True)]
    return [fill(a, differs.get("seed", 0), i) for i, a in enumerate(program.inputs)]


def script(program: Program, target: str, outcome: Outcome, title: str, validate_seconds: float = 10) -> str:
    """Return the source of the script for an outcome with a target."""
    ours = target == "partir" or outcome.kind in OF_VALIDATOR
    head = HEAD.format(
        title=title,
        reason=textwrap.fill(outcome.reason.replace("\\", "/").replace('"""', "'''"), 110),
        devices=program.device_count,
        needs="openpartir" if ours else "jax only",
    )
    if outcome.kind in OF_VALIDATOR:
        judged = JUDGED.format(program=program.to_json(), target=target, kind=outcome.kind, seconds=validate_seconds)
        return head + judged.lstrip()
    order = program.devices or range(program.device_count)
    mesh = f"np.array([jax.devices()[i] for i in {list(order)}]).reshape({tuple(n for _, n in program.mesh)})"
    if program.devices is None:
        mesh = f"np.array(jax.devices()).reshape({tuple(n for _, n in program.mesh)})"
    inputs = _inputs(program, (outcome.facts or {}).get("differs") or {})
    function = FUNCTION.format(
        mesh=mesh,
        axes=repr(tuple(a for a, _ in program.mesh)),
        body=textwrap.indent(program.source(), "    ", lambda line: bool(line.strip()))
        .rstrip()
        .replace("\n\n\n", "\n\n"),
        inputs="".join(f"    {_array(v, a.dtype)},\n" for v, a in zip(inputs, program.inputs, strict=True)),
    )
    if target == "partir":
        tactics = (", ".join(f"{k}={v!r}" for k, v in t.items()) for t in tactics_of(program))
        by = BY_US.format(
            tactics="".join(f"    partir.ManualPartition({t}),\n" for t in tactics), inner=inner_name(0).rstrip("0")
        )
    else:
        by = BY_XLA.format(
            shardy=target != "gspmd",
            given=", ".join(spec_source(a.sharding) for a in program.inputs),
            returned="".join(
                ("None" if s is None else spec_source(s)) + ", " for s in program.result_shardings
            ).rstrip(),
        )
    if outcome.kind in ("crash", "hang", "rejected", "refused", "ours"):
        tail = DIES.format(limit=120)
    elif outcome.kind == "communication":
        tail = COSTS.format(most=most_communication(program))
    else:
        narrow = "float16" in program.source() or any("float16" in a.dtype for a in program.inputs)
        tail = DIFFERENT.format(tolerance=5e-2 if narrow else 2e-4)
    return head + function + by + tail


def confirm(path: pathlib.Path) -> tuple[bool, str]:
    """Run a script; return whether it reproduces the failure, and its output."""
    for attempt in range(3):
        time.sleep(attempt)
        try:
            run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False, f"no end after {SECONDS} s"
        if run.returncode != -signal.SIGKILL:  # killed by the system, usually out of memory: no evidence
            break
    return run.returncode == 1 and "jaxlib" in run.stdout, run.stdout + run.stderr[-2000:]
