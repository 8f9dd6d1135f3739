"""Defines loops with carries, and conditionals."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw
from openpartir.fuzz.operation import Drawn, Operation, register, weighted

SCANS = {
    "running_sum": "(c + v, c)",
    "rolled": "(jnp.roll(c, 1, axis=0) + v, c * 2)",
    "reversed": "(lax.rev(c, (0,)) - v, v)",
    "scaled": "(c * 0.5 + v, jnp.sum(c))",
}


def _scan(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 2 <= v.rank <= 3)
    carry = d.argument(x.shape[1:])
    return [x.name, carry.name], {
        "body": d.rng.choice(list(SCANS)),
        "result": d.rng.randrange(2),
        "reverse": d.chance(0.3),
    }


def _scan_source(x: list[str], p: dict[str, Any]) -> str:
    more = ", reverse=True" if p["reverse"] else ""
    return f"lax.scan(lambda c, v: {SCANS[p['body']]}, {x[1]}, {x[0]}{more})[{p['result']}]"


register(
    Operation(
        "scan", "loops", _scan, _scan_source, weight=1, plain={"reverse": False, "result": 0, "body": "running_sum"}
    )
)


def _loop(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 3)
    body = weighted(
        d.rng,
        {
            "jnp.roll(c, 1, axis={axis})": 2,
            "c.at[..., i].add(1.5)": 2,
            "c + i": 1,
            "lax.dynamic_update_slice_in_dim(c, lax.dynamic_slice_in_dim(c, i, 1, {axis}), i + 1, {axis})": 2,
        },
    )
    return [x.name], {"body": body, "axis": d.rng.randrange(x.rank), "count": d.rng.choice([1, 2, 3])}


register(
    Operation(
        "fori_loop",
        "loops",
        _loop,
        lambda x, p: f"lax.fori_loop(0, {p['count']}, lambda i, c: {p['body'].format(axis=p['axis'])}, {x[0]})",
        weight=0.7,
    )
)


def _cond(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 3)
    return [x.name], {"axis": d.rng.randrange(x.rank)}


register(
    Operation(
        "cond",
        "loops",
        _cond,
        lambda x, p: f"lax.cond(jnp.sum({x[0]}) > 0, lambda c: lax.rev(c, ({p['axis']},)), lambda c: c * 2, {x[0]})",
        weight=0.5,
    )
)


def _associative(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 3)
    return [x.name], {"axis": d.rng.randrange(x.rank), "reverse": d.chance(0.3)}


register(
    Operation(
        "associative_scan",
        "loops",
        _associative,
        lambda x, p: f"lax.associative_scan(jnp.add, {x[0]}, axis={p['axis']}, reverse={p['reverse']})",
        weight=0.7,
        plain={"reverse": False},
    )
)
