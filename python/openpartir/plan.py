"""Defines plans: the result of applying a schedule to a function, before anything runs."""

from __future__ import annotations

import functools
import json
import pathlib
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import NamedSharding

from openpartir import _engine
from openpartir._html import plan_html
from openpartir._mesh import AnyMesh, axes_of, named_sharding
from openpartir._program import Program
from openpartir._run import Runner
from openpartir.errors import PartirError
from openpartir.requests import schedule_json

__all__ = ["Compiled", "Plan", "Simulation", "TacticReport"]


@dataclass(frozen=True)
class Simulation:
    """The cost of a step on a device, computed by the simulator (docs/simulator.md)."""

    data: dict[str, Any]
    text: str

    @property
    def step_seconds(self) -> float:
        """Seconds of a step in which communication overlaps with arithmetic as far as it can."""
        return float(self.data["seconds"]["overlapped"])

    @property
    def peak_bytes(self) -> float:
        """Peak memory in use on a device, in bytes."""
        return float(self.data["memory"]["peak"])

    def __str__(self) -> str:
        """Return the command's summary."""
        return self.text


@dataclass(frozen=True)
class TacticReport:
    """The complete program after a tactic; `cost` is set if a device was given."""

    name: str
    collectives: dict[str, int]
    conflicts: list[_engine.Conflict]
    cost: dict[str, Any] | None


class Compiled:
    """A plan compiled by XLA. Call it like the function, without static arguments."""

    def __init__(self, runner: Runner) -> None:
        """Compile the plan's function."""
        self._runner = runner
        self.executable: jax.stages.Compiled = runner.jitted.lower(*runner.plan.program.inputs).compile()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run a step."""
        program = self._runner.plan.program
        leaves, tree = jax.tree.flatten((args, kwargs))
        if tree != program.in_tree:
            raise TypeError(f"{program.name} was compiled for arguments like {program.in_tree}, called with {tree}")
        return jax.tree.unflatten(program.out_tree, self.executable(*self._runner.place(leaves)))

    def as_text(self) -> str:
        """Return XLA's optimised module as text."""
        return self.executable.as_text() or ""

    def memory_analysis(self) -> Any:
        """Return XLA's memory figures, per device."""
        return self.executable.memory_analysis()

    def cost_analysis(self) -> Any:
        """Return XLA's cost figures, per device."""
        return self.executable.cost_analysis()


def _require_text(given: object, wanted: str) -> None:
    if not isinstance(given, str) or not given:
        raise PartirError(found=repr(given), wanted=wanted)


class Plan:
    """A function partitioned by a schedule for a mesh; ``print(plan)`` shows it.

    Plans are created by ``partir.jit(…).lower(…)``.
    """

    def __init__(
        self, program: Program, mesh: AnyMesh, tactics: list[_engine.Tactic], engine: _engine.Partitioned
    ) -> None:
        """Plans are created by `openpartir.jit`."""
        self.program = program
        self.mesh = mesh
        self.engine = engine
        self._tactics = tactics
        self.flat_in_shardings = self._shardings(engine.arguments, program.inputs)
        self.flat_out_shardings = self._shardings(engine.results, program.outputs)

    def _shardings(self, placed: list[_engine.Placed], shapes: list[jax.ShapeDtypeStruct]) -> list[NamedSharding]:
        return [named_sharding(self.mesh, p, s.shape) for p, s in zip(placed, shapes, strict=True)]

    # --- Results of planning ------------------------------------------------------------------------------------------

    @property
    def collectives(self) -> dict[str, int]:
        """Number of collectives in the program by kind: all_gather, all_reduce, reduce_scatter, all_to_all, …"""
        return self.engine.collectives

    @property
    def executed(self) -> dict[str, int]:
        """Likewise for one run: collectives in a loop count once per iteration."""
        return self.engine.executed

    @property
    def tactics(self) -> list[TacticReport]:
        """The complete program after each tactic."""
        return [TacticReport(t.name, t.collectives, t.conflicts, t.simulation) for t in self.engine.tactics]

    @property
    def verdict(self) -> str:
        """Whether it computes the function: "proved (all inputs: …)", "passed (…)", "unknown (…)", "skipped (…)"."""
        e = self.engine
        reason = "check=False" if e.verdict == "skipped" else e.reason
        return f"{e.verdict} ({e.scope}{': ' + reason if reason else ''})"

    @property
    def in_shardings(self) -> tuple[Any, ...]:
        """Shardings of positional arguments (without static ones), as jax.jit takes them."""
        args: tuple[Any, ...] = jax.tree.unflatten(self.program.in_tree, self.flat_in_shardings)[0]
        return args

    @property
    def keyword_shardings(self) -> dict[str, Any]:
        """Shardings of arguments that were passed by keyword."""
        kwargs: dict[str, Any] = jax.tree.unflatten(self.program.in_tree, self.flat_in_shardings)[1]
        return kwargs

    @property
    def out_shardings(self) -> Any:
        """Shardings of the function's results, as jax.jit takes them."""
        return jax.tree.unflatten(self.program.out_tree, self.flat_out_shardings)

    @functools.cached_property
    def certificate(self) -> str:
        """The justification of the partitioned module as JSON, which ``partir check`` verifies independently."""
        return self.engine.certificate()

    @property
    def schedule(self) -> dict[str, Any]:
        """The schedule as the command line reads it, with pytree prefixes and callables resolved to names."""
        return schedule_json(self._tactics)

    # --- Queries ------------------------------------------------------------------------------------------------------

    def explain(self, pattern: str) -> str:
        """Explain the sharding of values ("params/**"), or why collectives exist ("all_gather", "all_reduce:3")."""
        _require_text(pattern, "the name of a value, a pattern, or a collective")
        return "\n".join(self.engine.explain(pattern))

    def simulate(self, device: str) -> Simulation:
        """Simulate a step on a device: a100, h100, h200, b200, tpu_v3, tpu_v4, tpu_v5e, tpu_v5p, tpu_v6e, or a file."""
        _require_text(device, "the name of a device, or a device file")
        return Simulation(*self.engine.simulate(device))

    def report(self, path: str | pathlib.Path, device: str | None = None) -> pathlib.Path:
        """Write the report, an HTML file that needs no network; with a device it also contains time and memory."""
        out = pathlib.Path(path)
        out.write_text(self.engine.page(json.dumps(self.schedule), device), encoding="utf-8")
        return out

    def as_text(self, form: str = "stablehlo") -> str:
        """Return the device's program ("stablehlo", "spmd"), PartIR:Core ("core") or the annotated source ("sdy")."""
        return self.engine.text(form)

    # --- Running ------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def runner(self) -> Runner:
        """The plan as a function of flat arguments. Raises `PartirError` if it must not run."""
        if not isinstance(self.mesh, jax.sharding.Mesh):
            raise PartirError(
                code="mesh",
                found=f"{self.program.name} on {self._mesh_text()}, a mesh without devices",
                wanted="a jax.sharding.Mesh to run on; an abstract one plans",
            )
        if self.engine.verdict == "refuted":
            raise PartirError(
                code="refuted",
                found=f"a partition of {self.program.name} that is wrong: {self.engine.reason}",
                wanted="one that computes what the function does (this is a defect of ours: please report it)",
            )
        return Runner(self)

    def compile(self) -> Compiled:
        """Compile with XLA."""
        return Compiled(self.runner)

    # --- Display ------------------------------------------------------------------------------------------------------

    def _mesh_text(self) -> str:
        return ",".join(f"{a}={n}" for a, n in axes_of(self.mesh))

    def __str__(self) -> str:
        """Return the table that the command prints."""
        return self.engine.table()

    def __repr__(self) -> str:
        """Return a one-line summary."""
        counts = ", ".join(f"{n} {kind}" for kind, n in self.collectives.items() if n) or "no collectives"
        return f"<Plan of {self.program.name} on {self._mesh_text()}: {counts}; {self.engine.verdict}>"

    def _repr_html_(self) -> str:
        return plan_html(self)
