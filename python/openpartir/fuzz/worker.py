"""The child process, which reads programs line by line and reports a partitioner's result for each.

A line of input is ``{"program": …, "target": "shardy", "validate": true, "seconds": 10, …}``. Before each stage the
worker prints ``{"stage": …}``, so that the parent knows where it died or hung; at the end it prints the facts.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import re
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any

__all__ = ["examine", "main"]

SEEDS = (0, 1)
MORE_SEEDS = (2, 3, 4, 5, 6, 7)
ALL_SEEDS = (*SEEDS, *MORE_SEEDS)
RULE_SECONDS = 5
COLLECTIVES = re.compile(
    r"= *(\([^)]*\)|\S+) (all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(-start)?\("
)
ARRAY = re.compile(r"([a-z]+\d*)\[([\d,]*)\]")


class Stages:
    """Announces stages and records their seconds."""

    def __init__(self, out: Any) -> None:
        """Write announcements to a stream."""
        self.out = out
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, name: str, **known: Any) -> Iterator[None]:
        """Announce a stage, with facts that are lost if the process dies in it."""
        print(json.dumps({"stage": name, **known}), file=self.out, flush=True)
        start = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0) + time.monotonic() - start


def _short(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def collective_elements(hlo: str) -> int:
    """Return the number of elements in the results of all collectives of a device."""
    total = 0
    for kind, *_ in COLLECTIVES.findall(hlo):
        for _, dims in ARRAY.findall(kind):
            count = 1
            for n in filter(None, dims.split(",")):
                count *= int(n)
            total += count
    return total


def tolerance_of(source: str, dtypes: list[str]) -> float:
    """Return the relative error that rounding may cause, for the narrowest type that occurs."""
    text = source + " ".join(dtypes)
    return 5e-2 if "float16" in text else 1e-9 if "float64" in text else 2e-4


def examine(request: dict[str, Any], stages: Stages) -> dict[str, Any]:
    """Return facts about one program; `oracle.judge` classifies them."""
    import jax
    import numpy as np

    from openpartir.fuzz import targets
    from openpartir.fuzz.compare import difference
    from openpartir.fuzz.inputs import fill
    from openpartir.fuzz.program import Program

    program = Program.from_json(json.dumps(request["program"]))
    source = program.source()
    dtypes = [a.dtype for a in program.inputs]
    if request.get("double"):
        source, dtypes = _in_double(source), [_in_double(d) for d in dtypes]
    facts: dict[str, Any] = {"seconds": stages.seconds}
    shapes = [jax.ShapeDtypeStruct(a.shape, jax.numpy.dtype(t)) for a, t in zip(program.inputs, dtypes, strict=True)]

    def arrays(seed: int) -> list[Any]:
        return [fill(a, seed, i).astype(s.dtype) for i, (a, s) in enumerate(zip(program.inputs, shapes, strict=True))]

    with stages("reference"):
        try:
            plain = targets.function(source, lambda x, _: x)
            whole = jax.jit(plain)
            expected = {s: [np.asarray(o) for o in jax.tree.leaves(whole(*arrays(s)))] for s in SEEDS}
        except Exception as error:
            return {**facts, "invalid": _short(error)}
    with stages("partition"):
        try:
            made = targets.partition(program, source, shapes, request["target"], stages)
        except targets.NotCompiledError as error:
            return {**facts, "failed": str(error)[:2000], "claim": error.claim}
        except Exception as error:
            return {**facts, "rejected": _short(error), "where": traceback.format_exc()[-600:]}
    facts["claim"] = made.claim
    if made.claim.startswith("refuted"):
        return facts
    facts["communicated"] = collective_elements(made.collectives)
    if request.get("modules"):
        facts["module"] = made.module
        facts["source"] = jax.jit(plain).lower(*shapes).as_text()
        facts["local"] = made.local().with_shardings()
    tolerance = tolerance_of(source, dtypes)

    def differs_on(inputs: list[Any], wanted: list[Any] | None = None) -> dict[str, Any] | None:
        wanted = wanted or [np.asarray(o) for o in jax.tree.leaves(whole(*inputs))]
        placed = [jax.device_put(a, s) for a, s in zip(inputs, made.shardings, strict=True)]
        found = [np.asarray(o) for o in jax.tree.leaves(made.call(*placed))]
        differences = (difference(e, o, tolerance) for e, o in zip(wanted, found, strict=True))
        return next(({**d, "result": i} for i, d in enumerate(differences) if d), None)

    def differs(seed: int) -> dict[str, Any] | None:
        found = differs_on(arrays(seed), expected.get(seed))
        return found and {**found, "seed": seed}

    with stages("execute"):
        try:
            facts["differs"] = next((d for d in map(differs, range(request.get("seeds", len(SEEDS)))) if d), None)
        except Exception as error:
            return {**facts, "failed": _short(error)}
    if request.get("validate"):
        with stages("validate"):
            source_text = jax.jit(plain, keep_unused=True).lower(*shapes).as_text()
            facts["validation"] = _validated(made, source_text, len(expected[0]), request["seconds"])
        if facts["validation"]["verdict"] == "refuted" and not facts["differs"]:
            with stages("execute"):
                facts["differs"] = next((d for d in map(differs, MORE_SEEDS) if d), None)
                example = _example(facts["validation"]["inputs"], shapes)
                if example and not facts["differs"]:
                    with contextlib.suppress(Exception):  # an input that does not run is no evidence
                        found = differs_on(example)
                        facts["differs"] = found and {**found, "inputs": [a.ravel().tolist() for a in example]}
        elif facts["differs"] and "seed" in facts["differs"] and facts["validation"]["verdict"] != "refuted":
            with stages("interpret"):
                facts["interpreted"] = _interpreted(made, source_text, facts["differs"]["seed"])
                facts["ill_conditioned"] = any(
                    _rounding_decides(source, whole, arrays(s), tolerance) for s in ALL_SEEDS
                )
        if request.get("rules"):
            with stages("rules"):
                facts["rules"] = _rules(source_text)
    return facts


def _in_double(text: str) -> str:
    return re.sub(r"b?float(16|32)", "float64", text)


def _x64(on: bool) -> Any:
    import jax

    where: Any = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
    return where.enable_x64(on)


def _rounding_decides(source: str, whole: Any, inputs: list[Any], tolerance: float) -> bool:
    """Return whether the function has a different result on one device when it is computed in double precision.

    Example: a branch on whether a sum is positive, where the sum is 0 except for its rounding. Another order of
    addition yields another result, and neither is wrong. Returns False for a function that JAX does not run in double
    precision.
    """
    import jax
    import numpy as np

    from openpartir.fuzz import targets
    from openpartir.fuzz.compare import difference

    single = [np.asarray(o) for o in jax.tree.leaves(whole(*inputs))]
    with _x64(True):
        wide = [a.astype(np.float64) if jax.numpy.issubdtype(a.dtype, np.floating) else a for a in inputs]
        try:
            double = jax.tree.leaves(jax.jit(targets.function(_in_double(source), lambda x, _: x))(*wide))
        except (TypeError, ValueError):
            return False
        pairs = [(s, np.asarray(d).astype(s.dtype)) for s, d in zip(single, double, strict=True)]
    return any(difference(s, d, tolerance) for s, d in pairs)


def _example(inputs: list[dict[str, Any]] | None, shapes: list[Any]) -> list[Any] | None:
    """Return the inputs of a counterexample as arrays, if it contains all of them."""
    import numpy as np

    if inputs is None or len(inputs) != len(shapes) or any(i["truncated"] for i in inputs):
        return None
    if any(len(i["values"]) != np.prod(s.shape, dtype=int) for i, s in zip(inputs, shapes, strict=True)):
        return None
    return [np.array(i["values"], s.dtype).reshape(s.shape) for i, s in zip(inputs, shapes, strict=True)]


def _rules(source: str) -> list[dict[str, Any]]:
    """Return the verdict on each factor of the rules that Shardy gives to the operations of a program."""
    from openpartir import _engine, _jax_private

    try:
        return _engine.rules(program=_jax_private.with_sharding_rules(source), seconds=RULE_SECONDS)
    except Exception as error:
        return [{"operation": "", "rule": "", "factor": "", "verdict": "unsupported", "reason": _short(error)}]


def _validated(made: Any, source: str, results: int, seconds: float) -> dict[str, Any]:
    from openpartir import DefectError, PartirError, UnsupportedError, _engine

    names = [f"result {i}" for i in range(results)]
    try:
        return _engine.validate(program=source, local=made.local(), result_names=names, seconds=seconds)
    except DefectError as error:
        return {"verdict": "defect", "reason": _short(error), "inputs": None}
    except (PartirError, UnsupportedError) as error:  # what we do not read, or shardings over other orders of devices
        return {"verdict": "unsupported", "reason": _short(error), "inputs": None}


def _interpreted(made: Any, source: str, seed: int) -> dict[str, Any]:
    """Return whether the source and the partitioned module agree in our interpreters, on seeded inputs."""
    from openpartir import _engine

    try:
        largest, wrong = _engine.compare(program=source, local=made.local(), seed=seed)
        return {"largest": largest, "differs": wrong}
    except Exception as error:
        return {"error": _short(error)}


def _end_with_parent() -> None:
    """Have Linux kill this process when its parent dies, because a stage that hangs would not notice."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def main() -> None:
    """Answer requests until the input ends."""
    _end_with_parent()
    # All output of libraries goes to stderr; answers are written to the pipe that was stdout.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        stages = Stages(answers)
        with _x64(bool(request.get("double"))):
            facts = examine(request, stages)
        print(json.dumps({"facts": facts}, default=str), file=answers, flush=True)


if __name__ == "__main__":
    main()
