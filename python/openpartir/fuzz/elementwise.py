"""Defines element-wise operations, conversions between types, and integer overflow."""

from __future__ import annotations

from openpartir.fuzz.draw import Draw
from openpartir.fuzz.operation import Drawn, Operation, register, weighted


def _binary(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float)
    y = d.like(x)
    return [x.name, y.name], {"kind": weighted(d.rng, {"+": 3, "-": 2, "*": 2})}


register(
    Operation(
        "binary", "elementwise", _binary, lambda x, p: f"{x[0]} {p['kind']} {x[1]}", weight=1.5, plain={"kind": "+"}
    )
)

UNARY = [
    "jnp.tanh({})",
    "jnp.abs({})",
    "-{}",
    "lax.clamp(-2.0, {}, 5.0)",
    "jnp.where({0} > 2, {0}, 1)",
    "lax.logistic({})",
    "{} + 1",
]


def _unary(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32")
    return [x.name], {"form": d.rng.choice(UNARY)}


register(Operation("unary", "elementwise", _unary, lambda x, p: p["form"].format(x[0]), plain={"form": "{} + 1"}))


def _convert(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float)
    return [x.name], {"dtype": weighted(d.rng, {"bfloat16": 3, "float16": 1, "float32": 2})}


register(Operation("convert", "elementwise", _convert, lambda x, p: f"{x[0]}.astype(jnp.{p['dtype']})", weight=0.6))


def _integer(d: Draw) -> Drawn | None:
    shape = d.shape(d.rng.choice([1, 2]))
    x, y = (d.argument(shape, "int8" if d.chance(0.4) else "int32", kind="wide") for _ in range(2))
    return [x.name, y.name], {"kind": d.rng.choice(["+", "*", "-", "^", "&"])}


register(
    Operation(
        "integer_arithmetic",
        "elementwise",
        _integer,
        lambda x, p: f"{x[0]} {p['kind']} {x[1]}.astype({x[0]}.dtype)",
        weight=0.4,
        plain={"kind": "+"},
        differentiable=False,
    )
)


def _positions(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 3)
    return [x.name], {"shape": list(x.shape), "axis": d.rng.randrange(x.rank)}


register(
    Operation(
        "add_positions",
        "elementwise",
        _positions,
        lambda x, p: f"{x[0]} * lax.broadcasted_iota(jnp.float32, {tuple(p['shape'])}, {p['axis']})",
        weight=0.7,
    )
)
