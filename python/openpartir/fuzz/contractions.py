"""Defines matrix products, and operations of linear algebra along complete dimensions."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw
from openpartir.fuzz.operation import Drawn, Operation, register, weighted


def _dot(d: Draw) -> Drawn | None:
    dtype = weighted(d.rng, {"float32": 4, "bfloat16": 1})
    x = d.argument(d.shape(2), dtype) if dtype != "float32" else d.pick(lambda v: v.is_float and 1 <= v.rank <= 3)
    dims = d.rng.sample(range(x.rank), x.rank)
    contracted = dims[: d.rng.choice([0, 1, 1, 1, min(2, x.rank)])]
    rest = dims[len(contracted) :]
    batch = rest[: weighted(d.rng, {0: 2, min(1, len(rest)): 1})]
    labels = ["c"] * len(contracted) + ["b"] * len(batch) + ["n"] * d.rng.choice([0, 1, 1])
    order = d.rng.sample(range(len(labels)), len(labels))
    sizes = [x.shape[i] for i in contracted + batch] + [d.size() for _ in range(2)]
    y = d.argument(tuple(sizes[i] for i in order), x.dtype)
    place = {old: new for new, old in enumerate(order)}
    return [x.name, y.name], {
        "contract": [contracted, [place[i] for i in range(len(contracted))]],
        "batch": [batch, [place[len(contracted) + i] for i in range(len(batch))]],
        "wide": (wide := x.dtype != "float32" and d.chance(0.5)),
        "algorithm": wide and x.dtype == "bfloat16" and d.chance(0.5),
        "f8": not wide and d.chance(0.15),
    }


def _dot_source(x: list[str], p: dict[str, Any]) -> str:
    contract, batch = (tuple(map(tuple, p[k])) for k in ("contract", "batch"))
    more = ", preferred_element_type=jnp.float32" if p["wide"] or p.get("f8") else ""
    more += ", precision=lax.DotAlgorithmPreset.BF16_BF16_F32" if p.get("algorithm") else ""
    if p.get("f8"):
        x = [f"{x[0]}.astype(jnp.float8_e4m3fn)", f"{x[1]}.astype(jnp.float8_e5m2)"]
    return f"lax.dot_general({x[0]}, {x[1]}, ({contract}, {batch}){more})"


register(
    Operation(
        "dot_general",
        "contractions",
        _dot,
        _dot_source,
        weight=2,
        plain={"wide": False, "algorithm": False, "f8": False},
    )
)


def _square(d: Draw) -> Drawn | None:
    n = d.rng.choice([2, 4, 8])
    a = d.argument((d.rng.choice([2, 4, 8]), n, n))
    b = d.argument((*a.shape[:2], d.rng.choice([2, 4, 8])))
    return [a.name, b.name], {"low": d.chance(0.5), "n": n}


register(
    Operation(
        "triangular_solve",
        "contractions",
        _square,
        lambda x, p: (
            f"lax.linalg.triangular_solve({x[0]} * 0.001 + jnp.eye({p['n']}), {x[1]}, left_side=True, lower={p['low']})"
        ),
        weight=0.3,
    )
)


def _fft(d: Draw) -> Drawn | None:
    x = d.pick(lambda v: v.dtype == "float32" and 1 <= v.rank <= 3)
    return [x.name], {"axis": d.rng.randrange(x.rank)}


register(Operation("fft", "contractions", _fft, lambda x, p: f"jnp.fft.fft({x[0]}, axis={p['axis']}).real", weight=0.3))
