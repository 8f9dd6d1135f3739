"""Compares two results, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["LEAST_SCALE", "difference"]

LEAST_SCALE = 0.05


def difference(expected: Any, found: Any, tolerance: float) -> dict[str, Any] | None:
    """Return where two arrays differ, or None.

    Integers and booleans have to be equal, and so have infinities and NaNs. Floats may differ by the tolerance times
    the largest finite expected magnitude, or times 0.05 if that is more: inputs are of the order of 1, and values that
    cancel to nothing differ in their rounding.
    """
    e, f = np.asarray(expected), np.asarray(found)
    if e.shape != f.shape or e.dtype != f.dtype:
        return {"count": int(e.size), "of": int(e.size), "at": [], "expected": str(e.dtype), "found": str(f.dtype)}
    if e.dtype.kind in "biu":
        wrong = e != f
    else:
        e, f = e.astype(np.float64), f.astype(np.float64)
        finite = np.isfinite(e)
        scale = float(np.max(np.abs(e[finite]), initial=LEAST_SCALE))
        with np.errstate(invalid="ignore"):
            near = np.abs(e - f) <= tolerance * scale
        wrong = ~np.where(finite, near, (e == f) | (np.isnan(e) & np.isnan(f)))
    if not wrong.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(wrong)))
    e, f = np.atleast_1d(e), np.atleast_1d(f)
    return {
        "count": int(wrong.sum()),
        "of": int(wrong.size),
        "at": list(at),
        "expected": e[at].item(),
        "found": f[at].item(),
    }
