"""Defines schedules: lists of tactics, kept apart from the model."""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from openpartir.errors import PartirError

__all__ = [
    "FIRST_DIVISIBLE_DIM",
    "REPLICATED",
    "UNKNOWN",
    "Action",
    "AutomaticPartition",
    "ManualPartition",
    "Special",
    "Tactic",
]


class Special(enum.Enum):
    """Actions other than a dimension."""

    REPLICATED = "replicated"
    UNKNOWN = "unknown"
    FIRST_DIVISIBLE_DIM = "first_divisible_dim"

    def __repr__(self) -> str:
        """Return the name under which users write it."""
        return f"partir.{self.name}"


REPLICATED = Special.REPLICATED
"""The value stays replicated along the axis (PartIR's atomic)."""
UNKNOWN = Special.UNKNOWN
"""Nothing is requested; propagation decides."""
FIRST_DIVISIBLE_DIM = Special.FIRST_DIVISIBLE_DIM
"""Tile the first dimension whose local size the axis divides; a value with none stays as it is."""

Action = int | Special | None
"""A dimension (from 0), a constant of this module, or None, which is UNKNOWN."""
Spec = Mapping[str, Any] | Sequence[Any] | Callable[[str, Any], Action] | None


def _caller() -> tuple[str, int]:
    """Return file and line of the innermost caller outside this module."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class _Written:
    """A tactic, with the place where it was written."""

    __slots__ = ("file", "line", "name")

    def __init__(self, name: str) -> None:
        self.file, self.line = _caller()
        self.name = name
        self._require(isinstance(name, str), f"the name {name!r}", "a text")

    def _require(self, condition: bool, found: str, wanted: str) -> None:
        if not condition:
            raise PartirError(code="schedule", file=self.file, line=self.line, found=found, wanted=wanted)


class ManualPartition(_Written):
    """Tile values along one mesh axis, then propagate.

    Example, Megatron's matrix products along "model"::

        ManualPartition(name="MP", axis="model",
                        inputs={"params/layers/*/qkv": 2, "params/layers/*/out": 0})

    Args:
        axis: an axis of the mesh, or a part of one: "x:(1)2" is the major digit of size 2 of x, "x:(2)4" the digit of
            size 4 after it. The plan's mesh then has an axis x_0, x_1, … for each part.
        inputs, results: the actions requested for arguments and results. A mapping from patterns over key paths ("*"
            within a part, "**" across parts; the first that matches counts) to actions; a pytree prefix of actions by
            parameter name (``{"params": {"w1": 1}}``); or a callable ``(name, aval) -> action``.
        values: likewise for internal values, by the name given with `openpartir.named` or by scope; patterns only.
        uneven: dimensions need not divide: each device holds ceil(size / devices) elements, the last ones fewer.
            Outside the step arrays are as jax.jit has them, so such a dimension is padded, and sharded, only inside it.
        name: used in reports and explanations; by default the axis.
    """

    __slots__ = ("axis", "inputs", "results", "uneven", "values")

    def __init__(
        self,
        axis: str,
        inputs: Spec = None,
        results: Spec = None,
        values: Mapping[str, Action] | None = None,
        *,
        uneven: bool = False,
        name: str | None = None,
    ) -> None:
        """Record the requests and the place where this was written."""
        super().__init__(str(axis) if name is None else name)
        self.axis = axis
        self.inputs = inputs
        self.results = results
        self.values = values
        self.uneven = bool(uneven)
        self._require(isinstance(axis, str), f"the axis {axis!r}", "the name of one axis; one tactic for each axis")
        patterns = values is None or (isinstance(values, Mapping) and all(isinstance(k, str) for k in values))
        self._require(patterns, f"values={values!r}", 'a mapping from patterns to actions, {"layers/*/h": 1}')

    def __repr__(self) -> str:
        """Return the call that creates it."""
        parts = [f"name={self.name!r}", f"axis={self.axis!r}"]
        parts += [f"{k}={v!r}" for k in ("inputs", "results", "values") if (v := getattr(self, k)) is not None]
        parts += ["uneven=True"] if self.uneven else []
        return f"ManualPartition({', '.join(parts)})"


class AutomaticPartition(_Written):
    """Search tactics for some mesh axes: the fastest simulated step on a device that fits in its memory.

    Example, a search on "model" after batch parallelism::

        [ManualPartition("batch", {"x": 0}), AutomaticPartition(["model"], "a100", memory="40GB")]

    `Plan.tactics` lists the tactics that were found, and `Plan.schedule` is the same as explicit tactics.

    Args:
        axes: the axes that the search may use.
        device: a name (`partir simulate --help` lists them), or a device file.
        memory: memory of a device, as "80GB" or "16GiB"; by default the device's own.
        seconds: stop after this time; by default 60, or no limit if `evaluations` is given.
        evaluations: stop after this many plans; with the same seed the result is the same on any machine.
        seed: determines the random choices of the search.
        name: used in reports; the tactics found are named by it and by what they do.
    """

    __slots__ = ("axes", "device", "evaluations", "memory", "seconds", "seed")

    def __init__(
        self,
        axes: Sequence[str] | str,
        device: str,
        *,
        memory: str | None = None,
        seconds: float | None = None,
        evaluations: int | None = None,
        seed: int = 0,
        name: str = "Auto",
    ) -> None:
        """Record the search request and the place where this was written."""
        super().__init__(name)
        self.axes = (axes,) if isinstance(axes, str) else tuple(axes)
        self.device = device
        self.memory = memory
        self.seconds = seconds
        self.evaluations = evaluations
        self.seed = seed
        self._require(all(isinstance(a, str) for a in self.axes), f"axes={axes!r}", "names of axes")
        self._require(isinstance(device, str), f"device={device!r}", "the name of a device, or a device file")
        self._require(memory is None or isinstance(memory, str), f"memory={memory!r}", 'a size such as "80GB"')
        limited = seconds is None or (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds > 0)
        self._require(limited, f"seconds={seconds!r}", "a number above 0")
        counted = evaluations is None or (isinstance(evaluations, int) and evaluations > 0)
        self._require(counted, f"evaluations={evaluations!r}", "a whole number above 0")
        self._require(isinstance(seed, int) and 0 <= seed < 2**64, f"seed={seed!r}", "a whole number from 0")


Tactic = ManualPartition | AutomaticPartition
