"""Holds the values of a program that is being generated; operations pick among them or add arguments."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from openpartir.fuzz.program import Argument

__all__ = ["Draw", "Value"]

FLOATS = ("float32", "bfloat16", "float16")
INTEGERS = ("int32", "int8", "uint8")
SIZES = {1: 1, 2: 2, 3: 1, 4: 4, 5: 1, 6: 2, 7: 1, 8: 8, 9: 1, 10: 1, 12: 3, 16: 5}
MOST_ELEMENTS = 4096


@dataclass(frozen=True)
class Value:
    """An array that the program computes or has as an argument."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def is_float(self) -> bool:
        """Whether its elements are floating-point numbers."""
        return self.dtype in FLOATS


@dataclass
class Draw:
    """A random generator with the values that exist so far."""

    rng: random.Random
    arguments: list[Argument] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def size(self) -> int:
        """Return a size of a dimension, with a preference for sizes that meshes divide."""
        return self.rng.choices(list(SIZES), list(SIZES.values()))[0]

    def shape(self, rank: int) -> tuple[int, ...]:
        """Return sizes with a moderate product."""
        while True:
            out = tuple(self.size() for _ in range(rank))
            count = 1
            for n in out:
                count *= n
            if count <= MOST_ELEMENTS // 4:
                return out

    def argument(self, shape: tuple[int, ...], dtype: str = "float32", **fill: Any) -> Value:
        """Return a new argument of the program; `fill` is as in `inputs.fill`."""
        name = f"x{len(self.arguments)}"
        self.arguments.append(Argument(name, shape, dtype, None, fill or {"kind": "distinct"}))
        value = Value(name, shape, dtype)
        self.values.append(value)
        return value

    def index_argument(self, shape: tuple[int, ...], low: int, high: int, unique: bool = False) -> Value:
        """Return a new integer argument with values from `low` to `high`, both included."""
        value = self.argument(shape, "int32", kind="index", low=low, high=high, unique=unique)
        self.values.pop()  # arithmetic must not use an index
        return value

    def pick(self, wanted: Callable[[Value], bool], rank: int | None = None, dtype: str = "float32") -> Value:
        """Return a value that satisfies `wanted`, preferably a recent one, or else a new argument of this rank."""
        found = [v for v in self.values if wanted(v)]
        if found and self.rng.random() < 0.9:
            return found[-1] if self.rng.random() < 0.6 else self.rng.choice(found)
        narrow = self.rng.choice(FLOATS[1:])
        if dtype == "float32" and self.rng.random() < 0.12 and wanted(Value("", (4,) * (rank or 2), narrow)):
            dtype = narrow
        for _ in range(50):
            shape = self.shape(self.rng.choice([1, 2, 2, 3]) if rank is None else rank)
            if wanted(Value("", shape, dtype)):
                return self.argument(shape, dtype)
        return self.rng.choice(found) if found else self.argument(self.shape(rank or 2), dtype)

    def like(self, value: Value) -> Value:
        """Return a value of the same shape and type, which is another one if possible."""
        found = [v for v in self.values if v.shape == value.shape and v.dtype == value.dtype and v.name != value.name]
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found)
        return self.argument(value.shape, value.dtype)

    def chance(self, p: float) -> bool:
        """Return True with probability `p`."""
        return self.rng.random() < p
