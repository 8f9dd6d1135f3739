"""Defines how an ATen operator is called in PyTorch, and its meaning as a JAX program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Operator", "Tensor"]


@dataclass(frozen=True)
class Tensor:
    """The sizes of a tensor as symbols of one letter each ("1" is 1), and its element type: ``Tensor("MN", "f32")``."""

    sizes: str
    dtype: str = "f32"

    @staticmethod
    def parse(text: str) -> Tensor:
        """Parse ``MN``, ``i32:M`` or ``f32:`` (a scalar)."""
        dtype, _, sizes = text.rpartition(":")
        return Tensor(sizes, dtype or "f32")


@dataclass(frozen=True, eq=False)
class Operator:
    """One overload with one kind of arguments.

    tensors: the tensors of the call, in order. args: the arguments for PyTorch, with "T" for the next tensor; by
    default only the tensors. program: the meaning. domain: "real", "positive", "unit" (between -1 and 1), "index:N"
    (below a size) or "bool", for the tensors in order, where the last one applies to the rest. where: conditions that
    sizes have to satisfy. counted: by symbol, the program times that size, where that is simpler: a mean times its
    count is a sum.
    """

    aten: str
    tensors: tuple[Tensor, ...]
    program: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    domain: tuple[str, ...] = ("real",)
    where: str = ""
    counted: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def domain_of(self, i: int) -> str:
        """Return the domain of tensor `i`."""
        return self.domain[min(i, len(self.domain) - 1)]
