"""Shrinks a failing program: fewer operations, plainer parameters, smaller sizes, fewer devices."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from openpartir.fuzz.generate import result_shapes, value_shapes
from openpartir.fuzz.operation import operation
from openpartir.fuzz.program import Argument, Program, Sharding

__all__ = ["candidates", "renamed", "shrink"]


def _without_unused(p: Program) -> Program:
    """Drop operations and arguments that no result needs."""
    needed = set(p.results)
    kept = []
    for n in reversed(p.nodes):
        if n.name in needed:
            needed.update(n.inputs)
            kept.append(n)
    arguments = tuple(a for a in p.arguments if a.name in needed)
    gradient = list(zip(p.gradient, p.result_shardings, strict=False)) if p.gradient else []
    left = [(g, s) for g, s in gradient if g in needed]
    shardings = tuple(s for _, s in left) if p.gradient else p.result_shardings
    return dataclasses.replace(
        p,
        nodes=tuple(reversed(kept)),
        arguments=arguments,
        gradient=tuple(g for g, _ in left),
        result_shardings=shardings,
    )


def _fewer_results(p: Program) -> Iterator[Program]:
    def drop(t: tuple[Any, ...], i: int) -> tuple[Any, ...]:
        return (*t[:i], *t[i + 1 :])

    for i in range(len(p.results)):
        if len(p.results) > 1:
            shardings = p.result_shardings if p.gradient else drop(p.result_shardings, i)
            fewer = {"results": drop(p.results, i), "cotangents": drop(p.cotangents, i)}
            yield dataclasses.replace(p, result_shardings=shardings, **fewer)
    for i in range(len(p.gradient)):
        if len(p.gradient) > 1:
            keep = [k for k in range(len(p.gradient)) if k != i]
            yield dataclasses.replace(
                p,
                gradient=tuple(p.gradient[k] for k in keep),
                result_shardings=tuple(p.result_shardings[k] for k in keep),
            )


def _fewer_nodes(p: Program) -> Iterator[Program]:
    known = value_shapes(p)
    for i, node in enumerate(p.nodes):
        # The value becomes an argument; the operation that computed it is dropped.
        if len(p.nodes) > 1 and any(node.name in m.inputs for m in p.nodes):
            new = Argument(node.name.replace("v", "y"), known[node.name].shape, known[node.name].dtype, node.constraint)
            if new.sharding:
                new = dataclasses.replace(new, sharding=[[] if a == "?" else a for a in new.sharding])
            rename = {node.name: new.name}
            nodes = [
                dataclasses.replace(m, inputs=tuple(rename.get(k, k) for k in m.inputs))
                for j, m in enumerate(p.nodes)
                if j != i
            ]
            if node.name not in p.results and new.dtype != "bool":
                yield dataclasses.replace(p, nodes=tuple(nodes), arguments=(*p.arguments, new))
        # The value is returned instead of a value that is computed from it.
        if node.name not in p.results and not p.gradient:
            yield dataclasses.replace(p, results=(node.name,), result_shardings=(None,))
        # Uses read an input of the same shape and type instead.
        for source in node.inputs:
            same = known[source].shape == known[node.name].shape and known[source].dtype == known[node.name].dtype
            if same and node.name not in p.results:
                nodes = [
                    dataclasses.replace(m, inputs=tuple(source if k == node.name else k for k in m.inputs))
                    for j, m in enumerate(p.nodes)
                    if j != i
                ]
                yield dataclasses.replace(p, nodes=tuple(nodes))


def _without_gradient(p: Program) -> Iterator[Program]:
    if p.gradient:
        yield dataclasses.replace(
            p, gradient=(), cotangents=(), result_shardings=tuple(c.sharding for c in p.cotangents)
        )


def _weaker(s: Sharding) -> Iterator[Sharding]:
    if s is None:
        return
    for i, axes in enumerate(s):
        if axes == "?":
            yield [*s[:i], [], *s[i + 1 :]]
        for k in range(len(axes) if axes != "?" else 0):
            yield [*s[:i], [*axes[:k], *axes[k + 1 :]], *s[i + 1 :]]


def _less_sharding(p: Program) -> Iterator[Program]:
    for i, n in enumerate(p.nodes):
        for s in [None, *_weaker(n.constraint)] if n.constraint is not None else []:
            yield dataclasses.replace(p, nodes=(*p.nodes[:i], dataclasses.replace(n, constraint=s), *p.nodes[i + 1 :]))
    for i, s in enumerate(p.result_shardings):
        for w in [None, *_weaker(s)] if s is not None else []:
            yield dataclasses.replace(p, result_shardings=(*p.result_shardings[:i], w, *p.result_shardings[i + 1 :]))
    for key in ("arguments", "cotangents"):
        group: tuple[Argument, ...] = getattr(p, key)
        for i, a in enumerate(group):
            for w in _weaker(a.sharding):
                new = (*group[:i], dataclasses.replace(a, sharding=w), *group[i + 1 :])
                yield dataclasses.replace(p, **{key: new})  # type: ignore[arg-type]


def _mapped(p: Program, sharding: Callable[[Sharding], Sharding]) -> Program:
    arguments = tuple(dataclasses.replace(a, sharding=sharding(a.sharding)) for a in p.arguments)
    cotangents = tuple(dataclasses.replace(a, sharding=sharding(a.sharding)) for a in p.cotangents)
    nodes = tuple(dataclasses.replace(n, constraint=sharding(n.constraint)) for n in p.nodes)
    results = tuple(map(sharding, p.result_shardings))
    return dataclasses.replace(p, arguments=arguments, cotangents=cotangents, nodes=nodes, result_shardings=results)


def _smaller_mesh(p: Program) -> Iterator[Program]:
    if p.devices:
        yield dataclasses.replace(p, devices=None)
    for i, (axis, size) in enumerate(p.mesh):
        if len(p.mesh) > 1:

            def without(s: Sharding, axis: str = axis) -> Sharding:
                return None if s is None else [a if a == "?" else [x for x in a if x != axis] for a in s]

            smaller = _mapped(p, without)
            yield dataclasses.replace(smaller, mesh=(*p.mesh[:i], *p.mesh[i + 1 :]), devices=None)
        if size > 2:
            yield dataclasses.replace(p, mesh=(*p.mesh[:i], (axis, size // 2), *p.mesh[i + 1 :]), devices=None)


def _plainer_values(value: Any, plain: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for i, v in enumerate(value):
            for w in _plainer_values(v, plain):
                yield [*value[:i], w, *value[i + 1 :]]
    elif value != plain:
        yield plain
        if isinstance(value, int) and not isinstance(value, bool) and abs(value - plain) > 1:
            yield value - (1 if value > plain else -1)


def _plainer_parameters(p: Program) -> Iterator[Program]:
    for i, n in enumerate(p.nodes):
        for key, plain in operation(n.op).plain.items():
            for v in _plainer_values(n.params.get(key), plain) if key in n.params else ():
                new = dataclasses.replace(n, params={**n.params, key: v})
                yield dataclasses.replace(p, nodes=(*p.nodes[:i], new, *p.nodes[i + 1 :]))


def _plainer_types(p: Program) -> Iterator[Program]:
    if any("float16" in a.dtype for a in p.inputs):
        arguments, cotangents = (
            tuple(dataclasses.replace(a, dtype="float32") if "float16" in a.dtype else a for a in group)
            for group in (p.arguments, p.cotangents)
        )
        yield dataclasses.replace(p, arguments=arguments, cotangents=cotangents)


def _resized(value: Any, old: int, new: int) -> Any:
    if isinstance(value, list):
        return [_resized(v, old, new) for v in value]
    return new if isinstance(value, int) and not isinstance(value, bool) and value == old else value


def _smaller_sizes(p: Program) -> Iterator[Program]:
    """Replace one size by another in every dimension; parameters equal to that size are replaced, or stay."""
    sizes = {n for a in p.inputs for n in a.shape if n > 1}
    for old in sorted(sizes, reverse=True):
        for new in sorted({1, 2, old // 2, old - 1} - {0, old}):
            arguments, cotangents = (
                tuple(dataclasses.replace(a, shape=tuple(new if n == old else n for n in a.shape)) for a in group)
                for group in (p.arguments, p.cotangents)
            )
            smaller = dataclasses.replace(p, arguments=arguments, cotangents=cotangents)
            yield smaller
            shaped = [
                dataclasses.replace(
                    n,
                    params={k: v if k in operation(n.op).plain else _resized(v, old, new) for k, v in n.params.items()},
                )
                for n in p.nodes
            ]
            if shaped != list(p.nodes):
                yield dataclasses.replace(smaller, nodes=tuple(shaped))


def _fitting(p: Program) -> Program | None:
    """Return the program with cotangents that match the results, or None if operations do not fit together."""
    try:
        known = value_shapes(dataclasses.replace(p, cotangents=()))
        if p.gradient:
            pairs = list(zip(p.cotangents, p.results, strict=True))
            if any(len(known[r].shape) != len(c.shape) for c, r in pairs):
                return None
            cotangents = tuple(dataclasses.replace(c, shape=known[r].shape, dtype=known[r].dtype) for c, r in pairs)
            p = dataclasses.replace(p, cotangents=cotangents)
        sizes = dict(p.mesh)
        shaped = [(a.shape, a.sharding) for a in p.inputs]
        shaped += [(v.shape, s) for v, s in zip(result_shapes(p), p.result_shardings, strict=True)]
        for shape, sharding in shaped:
            if sharding is not None and len(sharding) != len(shape):
                return None
            for n, axes in zip(shape, sharding or [], strict=False):
                parts = 1
                for axis in axes if axes != "?" else ():
                    parts *= sizes[axis]
                if n % parts:
                    return None
    except Exception:
        return None
    return p


def renamed(p: Program) -> Program:
    """Return the program with names in order: x0, x1, … for arguments, v0, v1, … for operations."""
    names = {a.name: f"x{i}" for i, a in enumerate(p.arguments)} | {n.name: f"v{i}" for i, n in enumerate(p.nodes)}
    names |= {c.name: f"ct{i}" for i, c in enumerate(p.cotangents)}

    def of(old: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names[n] for n in old)

    return dataclasses.replace(
        p,
        arguments=tuple(dataclasses.replace(a, name=names[a.name]) for a in p.arguments),
        cotangents=tuple(dataclasses.replace(a, name=names[a.name]) for a in p.cotangents),
        nodes=tuple(dataclasses.replace(n, name=names[n.name], inputs=of(n.inputs)) for n in p.nodes),
        results=of(p.results),
        gradient=of(p.gradient),
    )


def candidates(p: Program) -> Iterator[Program]:
    """Yield smaller programs, much smaller ones first."""
    for way in (
        _fewer_results,
        _fewer_nodes,
        _without_gradient,
        _smaller_mesh,
        _less_sharding,
        _plainer_types,
        _plainer_parameters,
        _smaller_sizes,
    ):
        for smaller in way(p):
            fitting = _fitting(_without_unused(smaller))
            if fitting is not None and fitting.nodes and fitting != p:
                yield fitting


def shrink(program: Program, fails: Callable[[Program], bool], most: int = 200) -> tuple[Program, int]:
    """Return the smallest program found that still fails, and how many were tried. Greedy: a local minimum."""
    tried = 0
    seen: set[str] = {program.to_json()}
    progress = True
    while progress and tried < most:
        progress = False
        for smaller in candidates(program):
            text = smaller.to_json()
            if text in seen:
                continue
            seen.add(text)
            tried += 1
            if fails(smaller):
                program, progress = smaller, True
                break
            if tried >= most:
                break
    return renamed(program), tried
