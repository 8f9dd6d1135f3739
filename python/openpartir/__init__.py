"""Partition JAX functions by a schedule of tactics, with a proof, and run them on a mesh.

Example::

    import openpartir as partir

    step = partir.jit(train_step, mesh=mesh, schedule=[partir.ManualPartition("batch", inputs={"batch": 0})])
"""

from openpartir._jit import jit
from openpartir._named import named
from openpartir._shardings import Shardings, in_shardings
from openpartir._validate import Validation, validate
from openpartir.errors import DefectError, PartirError, UnsupportedError
from openpartir.plan import Plan
from openpartir.schedule import (
    FIRST_DIVISIBLE_DIM,
    REPLICATED,
    UNKNOWN,
    AutomaticPartition,
    ManualPartition,
)

__all__ = [
    "FIRST_DIVISIBLE_DIM",
    "REPLICATED",
    "UNKNOWN",
    "AutomaticPartition",
    "DefectError",
    "ManualPartition",
    "PartirError",
    "Plan",
    "Shardings",
    "UnsupportedError",
    "Validation",
    "in_shardings",
    "jit",
    "named",
    "validate",
]
