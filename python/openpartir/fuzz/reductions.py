"""Defines reductions with other monoids, other initial values, several operands or indices of extrema; sorting."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw
from openpartir.fuzz.operation import Drawn, Operation, register, weighted
from openpartir.fuzz.windows import IDENTITY


def _some_axes(d: Draw, rank: int) -> list[int]:
    axes = [i for i in range(rank) if d.chance(0.5)]
    return axes or [d.rng.randrange(rank)]


def _reduce(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 4)
    monoid = weighted(d.rng, {"add": 5, "max": 3, "min": 2, "mul": 1})
    init = weighted(d.rng, {"identity": 3, "3": 2})
    return [x.name], {"axes": _some_axes(d, x.rank), "monoid": monoid, "init": init}


def _reduce_source(x: list[str], p: dict[str, Any]) -> str:
    init = IDENTITY[p["monoid"]] if p["init"] == "identity" else p["init"]
    return f"lax.reduce({x[0]}, np.float32({init}), lax.{p['monoid']}, {tuple(p['axes'])})"


register(
    Operation("reduce", "reductions", _reduce, _reduce_source, weight=1.5, plain={"monoid": "add", "init": "identity"})
)


def _named(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float and 1 <= v.rank <= 4)
    kind = weighted(
        d.rng,
        {
            "sum": 2,
            "max": 2,
            "min": 1,
            "prod": 1,
            "mean": 2,
            "var": 1,
            "logsumexp": 1,
            "any": 0.5,
            "all": 0.5,
            "ptp": 0.3,
            "median": 0.3,
        },
    )
    return [x.name], {"kind": kind, "axes": _some_axes(d, x.rank), "keepdims": d.chance(0.3)}


def _named_source(x: list[str], p: dict[str, Any]) -> str:
    where = f"axis={tuple(p['axes'])}" + (", keepdims=True" if p["keepdims"] else "")
    if p["kind"] == "logsumexp":
        return f"jax.nn.logsumexp({x[0]}, {where})"
    value = f"{x[0]} > 3" if p["kind"] in ("any", "all") else x[0]
    return f"jnp.{p['kind']}({value}, {where})"


register(
    Operation(
        "named_reduction", "reductions", _named, _named_source, weight=1.5, plain={"keepdims": False, "kind": "sum"}
    )
)


def _integer(d: Draw) -> Drawn | None:
    x = d.argument(d.shape(d.rng.choice([1, 2, 3])), d.rng.choice(["int32", "int8", "uint8"]), kind="wide")
    kind = weighted(d.rng, {"add": 2, "mul": 2, "max": 1, "bitwise_and": 1, "bitwise_or": 1, "bitwise_xor": 1})
    return [x.name], {"kind": kind, "axes": _some_axes(d, x.rank), "dtype": x.dtype}


INTEGER_IDENTITY = {"add": "0", "mul": "1", "bitwise_and": "-1", "bitwise_or": "0", "bitwise_xor": "0"}


def _integer_source(x: list[str], p: dict[str, Any]) -> str:
    identity = f"np.iinfo(np.{p['dtype']}).min" if p["kind"] == "max" else INTEGER_IDENTITY[p["kind"]]
    return f"lax.reduce({x[0]}, np.array({identity}).astype(np.{p['dtype']}), lax.{p['kind']}, {tuple(p['axes'])})"


register(
    Operation(
        "integer_reduction",
        "reductions",
        _integer,
        _integer_source,
        weight=0.7,
        plain={"kind": "add"},
        differentiable=False,
    )
)


def _extremum(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float and 1 <= v.rank <= 3)
    return [x.name], {"kind": d.rng.choice(["argmax", "argmin"]), "axis": d.rng.randrange(x.rank)}


register(
    Operation(
        "index_of_extremum",
        "reductions",
        _extremum,
        lambda x, p: f"lax.{p['kind']}({x[0]}, {p['axis']}, jnp.int32)",
        weight=0.8,
        differentiable=False,
    )
)


def _several(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 3)
    y = d.like(x)
    return [x.name, y.name], {"axes": _some_axes(d, x.rank), "init": weighted(d.rng, {"0": 3, "3": 1})}


def _several_source(x: list[str], p: dict[str, Any]) -> str:
    return (
        f"lax.reduce(({x[0]}, {x[1]}), (np.float32({p['init']}), np.float32(-np.inf)), "
        f"lambda a, b: (a[0] + b[0], lax.max(a[1], b[1])), {tuple(p['axes'])})[0]"
    )


register(
    Operation(
        "reduce_of_two", "reductions", _several, _several_source, weight=0.5, plain={"init": "0"}, differentiable=False
    )
)


def _sort(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float and 1 <= v.rank <= 3)
    kind = weighted(d.rng, {"sort": 2, "argsort": 1, "top_k": 1})
    axis = x.rank - 1 if kind == "top_k" else d.rng.randrange(x.rank)
    return [x.name], {"kind": kind, "axis": axis, "k": d.rng.randint(1, x.shape[axis])}


def _sort_source(x: list[str], p: dict[str, Any]) -> str:
    if p["kind"] == "top_k":
        return f"lax.top_k({x[0]}, {p['k']})[0]"
    return f"jnp.{p['kind']}({x[0]}, axis={p['axis']})"


register(Operation("sort", "reductions", _sort, _sort_source, weight=0.7))


def _softmax(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.is_float and 1 <= v.rank <= 3)
    return [x.name], {"kind": d.rng.choice(["softmax", "log_softmax", "standardize"]), "axis": d.rng.randrange(x.rank)}


register(
    Operation(
        "normalization",
        "reductions",
        _softmax,
        lambda x, p: f"jax.nn.{p['kind']}({x[0]}, axis={p['axis']})",
        weight=0.6,
    )
)
