"""Defines window reductions and cumulative reductions."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw
from openpartir.fuzz.operation import Drawn, Operation, register, weighted

IDENTITY = {"add": "0", "mul": "1", "max": "-np.inf", "min": "np.inf"}


def window_sizes(d: Draw, size: int) -> dict[str, Any] | None:
    """Return window, stride, padding and dilations for a dimension, or None if nothing fits."""
    rng = d.rng
    for _ in range(20):
        window = weighted(rng, {1: 2, 2: 4, 3: 4, 4: 1, size: 1})
        stride = weighted(rng, {1: 4, 2: 3, 3: 1, window: 1})
        padding = [weighted(rng, {0: 5, 1: 3, 2: 1, -1: 1, window - 1: 1}) for _ in range(2)]
        base = weighted(rng, {1: 5, 2: 2, 3: 1})
        spread = weighted(rng, {1: 5, 2: 2, 3: 1})
        extent = (size - 1) * base + 1 + sum(padding)
        if size + min(0, sum(padding)) > 0 and extent >= (window - 1) * spread + 1:
            return {"window": window, "strides": stride, "padding": padding, "base": base, "spread": spread}
    return None


def _window(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float and 1 <= v.rank <= 3 and v.dtype == "float32")
    plain = {"window": 1, "strides": 1, "padding": [0, 0], "base": 1, "spread": 1}
    parts = [window_sizes(d, n) if d.chance(0.7) else plain for n in x.shape]
    if None in parts:
        return None
    params: dict[str, Any] = {k: [p[k] for p in parts if p] for k in plain}
    params["monoid"] = weighted(d.rng, {"add": 5, "max": 4, "min": 2, "mul": 1})
    params["init"] = weighted(d.rng, {"identity": 6, "3": 1})
    return [x.name], params


def _window_source(x: list[str], p: dict[str, Any]) -> str:
    init = IDENTITY[p["monoid"]] if p["init"] == "identity" else p["init"]
    more = ""
    if any(n != 1 for n in p["base"]):
        more += f", base_dilation={tuple(p['base'])}"
    if any(n != 1 for n in p["spread"]):
        more += f", window_dilation={tuple(p['spread'])}"
    padding = tuple(tuple(q) for q in p["padding"])
    return (
        f"lax.reduce_window({x[0]}, np.float32({init}), lax.{p['monoid']}, {tuple(p['window'])}, "
        f"{tuple(p['strides'])}, {padding}{more})"
    )


register(
    Operation(
        "reduce_window",
        "windows",
        _window,
        _window_source,
        weight=4,
        plain={"window": 1, "strides": 1, "padding": 0, "base": 1, "spread": 1, "monoid": "add", "init": "identity"},
    )
)


def _cumulative(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float and 1 <= v.rank <= 3)
    kind = weighted(d.rng, {"cumsum": 3, "cummax": 2, "cummin": 1, "cumlogsumexp": 1})
    return [x.name], {"kind": kind, "axis": d.rng.randrange(x.rank), "reverse": d.chance(0.4)}


register(
    Operation(
        "cumulative",
        "windows",
        _cumulative,
        lambda x, p: f"lax.{p['kind']}({x[0]}, axis={p['axis']}" + (", reverse=True)" if p["reverse"] else ")"),
        weight=1,
        plain={"reverse": False, "kind": "cumsum"},
    )
)
