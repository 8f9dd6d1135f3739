"""Defines operations that only move data: reshapes, concatenations, slices, paddings across sharded dimensions."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw, Value
from openpartir.fuzz.operation import Drawn, Operation, register, weighted


def _any(d: Draw, least: int = 1, most: int = 4) -> Value:
    return d.pick(lambda v: least <= v.rank <= most)


def _regrouped(d: Draw, shape: tuple[int, ...]) -> list[int]:
    """Return a shape with neighbouring dimensions merged and sizes split into factors."""
    out = list(shape)
    for _ in range(d.rng.choice([1, 1, 2])):
        if len(out) > 1 and d.chance(0.5):
            i = d.rng.randrange(len(out) - 1)
            out[i : i + 2] = [out[i] * out[i + 1]]
        elif out and len(out) < 4:
            i = d.rng.randrange(len(out))
            factor = d.rng.choice([k for k in range(1, out[i] + 1) if out[i] % k == 0])
            out[i : i + 1] = [factor, out[i] // factor]
    return out


def _reshape(d: Draw) -> Drawn | None:
    x = _any(d)
    return [x.name], {"shape": _regrouped(d, x.shape)}


register(Operation("reshape", "movement", _reshape, lambda x, p: f"{x[0]}.reshape({tuple(p['shape'])})", weight=2))


def _transpose(d: Draw) -> Drawn | None:
    x = _any(d, 2)
    return [x.name], {"order": d.rng.sample(range(x.rank), x.rank)}


register(Operation("transpose", "movement", _transpose, lambda x, p: f"{x[0]}.transpose({tuple(p['order'])})"))


def _concatenate(d: Draw) -> Drawn | None:
    x = _any(d)
    axis = d.rng.randrange(x.rank)
    fits = [
        v
        for v in d.values
        if v.rank == x.rank
        and v.dtype == x.dtype
        and all(a == b for i, (a, b) in enumerate(zip(v.shape, x.shape, strict=True)) if i != axis)
    ]
    others = [
        d.rng.choice(fits).name
        if d.chance(0.5)
        else d.argument(tuple(d.size() if i == axis else n for i, n in enumerate(x.shape)), x.dtype).name
        for _ in range(d.rng.choice([1, 1, 2]))
    ]
    names = [x.name, *others]
    d.rng.shuffle(names)
    return names, {"axis": axis}


register(
    Operation(
        "concatenate",
        "movement",
        _concatenate,
        lambda x, p: f"lax.concatenate([{', '.join(x)}], {p['axis']})",
        weight=1.5,
    )
)


def _pad(d: Draw) -> Drawn | None:
    x = _any(d)
    config = []
    for n in x.shape:
        low, high = (weighted(d.rng, {0: 4, 1: 2, 3: 1, -1: 2, -2: 1}) for _ in range(2))
        interior = weighted(d.rng, {0: 4, 1: 1, 2: 1})
        if n + (n - 1) * interior + low + high < 1:
            low = high = 0
        config.append([low, high, interior])
    return [x.name], {"config": config, "value": weighted(d.rng, {"0": 1, "5": 1}), "dtype": x.dtype}


register(
    Operation(
        "pad",
        "movement",
        _pad,
        lambda x, p: f"lax.pad({x[0]}, jnp.array({p['value']}, {x[0]}.dtype), {tuple(map(tuple, p['config']))})",
        weight=2,
        plain={"config": 0, "value": "0"},
    )
)


def _slice(d: Draw) -> Drawn | None:
    x = _any(d)
    starts, limits, strides = [], [], []
    for n in x.shape:
        start = 0 if d.chance(0.4) else d.rng.randrange(n)
        limit = n if d.chance(0.5) else d.rng.randint(start + 1, n)
        starts.append(start)
        limits.append(limit)
        strides.append(weighted(d.rng, {1: 5, 2: 2, 3: 1}))
    return [x.name], {"starts": starts, "limits": limits, "strides": strides}


register(
    Operation(
        "slice",
        "movement",
        _slice,
        lambda x, p: f"lax.slice({x[0]}, {tuple(p['starts'])}, {tuple(p['limits'])}, {tuple(p['strides'])})",
        weight=2,
        plain={"starts": 0, "strides": 1},
    )
)


def _reverse(d: Draw) -> Drawn | None:
    x = _any(d)
    return [x.name], {"axes": d.rng.sample(range(x.rank), d.rng.randint(1, x.rank))}


register(Operation("reverse", "movement", _reverse, lambda x, p: f"lax.rev({x[0]}, {tuple(p['axes'])})"))


def _roll(d: Draw) -> Drawn | None:
    x = _any(d)
    return [x.name], {"shift": d.rng.choice([1, -1, 2, 3, 5]), "axis": d.rng.randrange(x.rank)}


register(
    Operation("roll", "movement", _roll, lambda x, p: f"jnp.roll({x[0]}, {p['shift']}, axis={p['axis']})", weight=1.2)
)


def _repeat(d: Draw) -> Drawn | None:
    x = _any(d, 1, 3)
    return [x.name], {
        "kind": d.rng.choice(["repeat", "tile"]),
        "count": d.rng.choice([2, 3]),
        "axis": d.rng.randrange(x.rank),
    }


def _repeat_source(x: list[str], p: dict[str, Any]) -> str:
    if p["kind"] == "repeat":
        return f"jnp.repeat({x[0]}, {p['count']}, axis={p['axis']})"
    return f"lax.concatenate([{', '.join([x[0]] * p['count'])}], {p['axis']})"


register(Operation("repeat", "movement", _repeat, _repeat_source, weight=0.8))


def _broadcast(d: Draw) -> Drawn | None:
    x = _any(d, 1, 2)
    at = d.rng.randint(0, x.rank)
    shape = list(x.shape)
    shape.insert(at, d.size())
    return [x.name], {"shape": shape, "dims": [i if i < at else i + 1 for i in range(x.rank)]}


register(
    Operation(
        "broadcast",
        "movement",
        _broadcast,
        lambda x, p: f"lax.broadcast_in_dim({x[0]}, {tuple(p['shape'])}, {tuple(p['dims'])})",
        weight=0.6,
    )
)


def _halves(d: Draw) -> Drawn | None:
    """Swap the halves of a dimension, as rotary embeddings do."""
    x = d.pick(lambda v: 1 <= v.rank <= 3 and v.shape[-1] % 2 == 0)
    if x.shape[-1] % 2:
        return None
    return [x.name], {"half": x.shape[-1] // 2}


register(
    Operation(
        "rotate_halves",
        "movement",
        _halves,
        lambda x, p: f"jnp.concatenate([-{x[0]}[..., {p['half']}:], {x[0]}[..., :{p['half']}]], axis=-1)",
        weight=0.8,
    )
)
