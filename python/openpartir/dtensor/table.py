"""Lists all operators that are judged."""

from __future__ import annotations

from openpartir.dtensor import contractions, data_movement, pointwise, reductions
from openpartir.dtensor.aten_operator import Operator

__all__ = ["OPERATORS"]

OPERATORS: list[Operator] = [
    *pointwise.OPERATORS,
    *reductions.OPERATORS,
    *data_movement.OPERATORS,
    *contractions.OPERATORS,
]
