"""Defines gather, scatter and dynamic slices with batch dimensions, collisions and indices out of range."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw, Value
from openpartir.fuzz.operation import Drawn, Operation, register, weighted


def _material(d: Draw, least: int = 1) -> Value:
    return d.pick(lambda v: v.dtype == "float32" and least <= v.rank <= 3)


def _take(d: Draw) -> Drawn | None:
    x = _material(d)
    axis = d.rng.randrange(x.rank)
    mode = weighted(d.rng, {"clip": 2, "fill": 2, "wrap": 1})
    index = d.index_argument(d.shape(d.rng.choice([1, 1, 2])), -2, x.shape[axis] + 1)
    return [x.name, index.name], {"axis": axis, "mode": mode}


register(
    Operation(
        "take",
        "indexing",
        _take,
        lambda x, p: f"jnp.take({x[0]}, {x[1]}, axis={p['axis']}, mode='{p['mode']}')",
        weight=1.2,
    )
)


def _take_along(d: Draw) -> Drawn | None:
    x = _material(d)
    axis = d.rng.randrange(x.rank)
    shape = tuple(d.size() if i == axis else n for i, n in enumerate(x.shape))
    index = d.index_argument(shape, -2, x.shape[axis] + 1)
    return [x.name, index.name], {"axis": axis, "mode": weighted(d.rng, {"clip": 1, "fill": 1})}


register(
    Operation(
        "take_along_axis",
        "indexing",
        _take_along,
        lambda x, p: f"jnp.take_along_axis({x[0]}, {x[1]}, {p['axis']}, mode='{p['mode']}')",
        weight=1,
    )
)


def _windows(d: Draw) -> Drawn | None:
    """Take slices of one array at many starts: a gather whose slices are larger than one element."""
    x = _material(d)
    sizes = [d.rng.randint(1, n) for n in x.shape]
    count = d.size()
    starts = d.index_argument((count, x.rank), -2, max(x.shape) + 1)
    batched = d.chance(0.4) and x.rank > 1
    if batched:
        starts = d.index_argument((x.shape[0], x.rank - 1), -2, max(x.shape) + 1)
        sizes = sizes[1:]
    return [x.name, starts.name], {"sizes": sizes, "batched": batched}


register(
    Operation(
        "gather_of_slices",
        "indexing",
        _windows,
        lambda x, p: (
            f"jax.vmap(lambda a, i: lax.dynamic_slice(a, i, {tuple(p['sizes'])}), "
            f"in_axes=({0 if p['batched'] else None}, 0))({x[0]}, {x[1]})"
        ),
        plain={"batched": False},
    )
)


def _scatter(d: Draw) -> Drawn | None:
    x = _material(d)
    kind = weighted(d.rng, {"add": 4, "set": 2, "max": 1, "min": 1, "multiply": 1})
    axis = d.rng.randrange(x.rank)
    mode = weighted(d.rng, {"drop": 2, "clip": 1})
    count = d.size() if kind != "set" else d.rng.randint(1, x.shape[axis])
    # For `set` the order of several updates to one position is unspecified, so its indices differ; clipped indices
    # might collide, so they stay in range.
    unique = kind == "set"
    index = d.index_argument(
        (count,), 0 if unique else -2, x.shape[axis] + (-1 if unique and mode == "clip" else 1), unique
    )
    updates = d.argument(tuple(count if i == axis else n for i, n in enumerate(x.shape)))
    return [x.name, index.name, updates.name], {"kind": kind, "axis": axis, "mode": mode}


def _scatter_source(x: list[str], p: dict[str, Any]) -> str:
    where = ":, " * p["axis"] + x[1]
    return f"{x[0]}.at[{where}].{p['kind']}({x[2]}, mode='{p['mode']}')"


register(Operation("scatter", "indexing", _scatter, _scatter_source, weight=1.5, plain={"kind": "add"}))


def _batched_scatter(d: Draw) -> Drawn | None:
    x = _material(d, 2)
    count = d.size()
    index = d.index_argument((x.shape[0], count), -1, x.shape[1])
    updates = d.argument((x.shape[0], count, *x.shape[2:]))
    return [x.name, index.name, updates.name], {"kind": weighted(d.rng, {"add": 3, "max": 1, "min": 1})}


register(
    Operation(
        "batched_scatter",
        "indexing",
        _batched_scatter,
        lambda x, p: f"jax.vmap(lambda a, i, u: a.at[i].{p['kind']}(u, mode='drop'))({x[0]}, {x[1]}, {x[2]})",
        plain={"kind": "add"},
    )
)


def _segment(d: Draw) -> Drawn | None:
    x = _material(d)
    count = d.size()
    index = d.index_argument((x.shape[0],), 0, count)
    return [x.name, index.name], {"kind": weighted(d.rng, {"sum": 2, "max": 1, "prod": 1}), "count": count}


register(
    Operation(
        "segment_reduction",
        "indexing",
        _segment,
        lambda x, p: f"jax.ops.segment_{p['kind']}({x[0]}, {x[1]}, num_segments={p['count']})",
        weight=0.6,
        plain={"kind": "sum"},
    )
)


def _dynamic_slice(d: Draw) -> Drawn | None:
    x = _material(d)
    sizes = [n if d.chance(0.4) else d.rng.randint(1, n) for n in x.shape]
    starts = d.index_argument((x.rank,), -3, max(x.shape) + 2)
    return [x.name, starts.name], {"sizes": sizes}


register(
    Operation(
        "dynamic_slice",
        "indexing",
        _dynamic_slice,
        lambda x, p: f"lax.dynamic_slice({x[0]}, [*{x[1]}], {tuple(p['sizes'])})",
        weight=1.5,
    )
)


def _dynamic_update(d: Draw) -> Drawn | None:
    x = _material(d)
    update = d.argument(tuple(n if d.chance(0.4) else d.rng.randint(1, n) for n in x.shape))
    starts = d.index_argument((x.rank,), -3, max(x.shape) + 2)
    return [x.name, update.name, starts.name], {}


register(
    Operation(
        "dynamic_update_slice",
        "indexing",
        _dynamic_update,
        lambda x, p: f"lax.dynamic_update_slice({x[0]}, {x[1]}, [*{x[2]}])",
        weight=1.5,
    )
)
