"""Generates random programs; a seed and a number always determine the same program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from openpartir.fuzz.draw import FLOATS, MOST_ELEMENTS, Draw, Value
from openpartir.fuzz.operation import operations, weighted
from openpartir.fuzz.program import Argument, Node, Program, Sharding

__all__ = ["generate", "result_shapes", "value_shapes"]

MESHES = {
    (("a", 2),): 3,
    (("a", 4),): 3,
    (("a", 8),): 1,
    (("a", 2), ("b", 2)): 4,
    (("a", 2), ("b", 4)): 2,
    (("a", 4), ("b", 2)): 2,
    (("a", 2), ("b", 2), ("c", 2)): 2,
}
LENGTHS = {1: 9, 2: 5, 3: 3, 4: 1, 5: 1, 6: 1}
NAMESPACE: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "lax": lax, "P": P}


def _shaped(expression: str, known: dict[str, Value]) -> list[Value]:
    """Return shapes and types of an expression's value, without computing the value."""

    def call(arrays: dict[str, Any]) -> Any:
        return eval(expression, {**NAMESPACE, **arrays})

    structs = {n: jax.ShapeDtypeStruct(v.shape, jnp.dtype(v.dtype)) for n, v in known.items()}
    return [Value("", tuple(o.shape), str(o.dtype)) for o in jax.tree.leaves(jax.eval_shape(call, structs))]


def value_shapes(program: Program) -> dict[str, Value]:
    """Return shape and type of each argument and operation. Raises JAX's error if operations do not fit together."""
    known = {a.name: Value(a.name, a.shape, a.dtype) for a in program.inputs}
    for node in program.nodes:
        (out,) = _shaped(node.expression(), {n: known[n] for n in node.inputs})
        known[node.name] = Value(node.name, out.shape, out.dtype)
    return known


def result_shapes(program: Program) -> list[Value]:
    """Return shapes and types of the program's results or gradients."""
    known = value_shapes(program)
    return [known[n] for n in (program.gradient or program.results)]


def _sharding(
    rng: random.Random, mesh: Sequence[tuple[str, int]], shape: Sequence[int], uneven: bool = False, p: float = 0.6
) -> Sharding:
    """Assign mesh axes to dimensions: [["a", "b"], []] shards the first over both, with a major."""
    out: list[list[str] | str] = [[] for _ in shape]
    parts = [1] * len(shape)
    for axis, size in rng.sample(list(mesh), len(mesh)):
        if not shape or rng.random() > p:
            continue
        d = rng.randrange(len(shape))
        if shape[d] % (parts[d] * size) == 0 or (uneven and shape[d] > 1):
            entry = out[d]
            assert isinstance(entry, list)
            entry.append(axis)
            parts[d] *= size
    return out


def _opened(rng: random.Random, sharding: Sharding) -> Sharding:
    return [("?" if not axes and rng.random() < 0.2 else axes) for axes in sharding or []]


def _body(rng: random.Random, names: Sequence[str], weights: Sequence[float], length: int) -> tuple[Draw, list[Node]]:
    d, nodes = Draw(rng), list[Node]()
    table = operations()
    for _ in range(40 * length):
        if len(nodes) == length:
            break
        op = table[rng.choices(names, weights)[0]]
        before = len(d.arguments), len(d.values)
        drawn = op.draw(d)
        node = None if drawn is None else Node(f"v{len(nodes)}", op.name, tuple(drawn[0]), drawn[1])
        known = {a.name: Value(a.name, a.shape, a.dtype) for a in d.arguments} | {v.name: v for v in d.values}
        try:
            outs = _shaped(node.expression(), {n: known[n] for n in node.inputs}) if node else []
        except (TypeError, ValueError, IndexError, ZeroDivisionError):
            outs = []
        if node is None or len(outs) != 1 or not 0 < np.prod(outs[0].shape, dtype=int) <= MOST_ELEMENTS:
            del d.arguments[before[0] :], d.values[before[1] :]
            continue
        nodes.append(node)
        d.values.append(Value(node.name, outs[0].shape, outs[0].dtype))
    return d, nodes


def generate(seed: int, number: int, ops: Sequence[str] | None = None, gradients: float = 0.25) -> Program:
    """Return program `number` of a seed, of these operations or families; `gradients` is the share of gradients."""
    rng = random.Random(f"{seed}/{number}")
    table = {n: o for n, o in operations().items() if not ops or n in ops or o.family in ops}
    if not table:
        raise ValueError(f"no operation or family is called {ops}; there are {', '.join(sorted(operations()))}")
    gradient = rng.random() < gradients
    if gradient:
        table = {n: o for n, o in table.items() if o.differentiable} or table
    names = list(table)
    mesh = weighted(rng, MESHES)
    while True:
        d, nodes = _body(rng, names, [table[n].weight for n in names], weighted(rng, LENGTHS))
        if nodes:
            break
    known = {v.name: v for v in d.values}
    nodes = [
        Node(
            n.name,
            n.op,
            n.inputs,
            n.params,
            _opened(rng, _sharding(rng, mesh, known[n.name].shape, rng.random() < 0.5)),
        )
        if rng.random() < 0.3 and known[n.name].shape
        else n
        for n in nodes
    ]
    used = {i for n in nodes for i in n.inputs}
    results = [n.name for n in nodes if n.name not in used]
    arguments = [
        Argument(
            a.name, a.shape, a.dtype, _sharding(rng, mesh, a.shape, p=0.3 if a.fill["kind"] == "index" else 0.7), a.fill
        )
        for a in d.arguments
    ]
    shardings = [_sharding(rng, mesh, known[r].shape) if rng.random() < 0.5 else None for r in results]
    count = int(np.prod([n for _, n in mesh]))
    order = tuple(rng.sample(range(count), count)) if rng.random() < 0.1 else None
    if gradient and all(known[r].dtype in FLOATS for r in results):
        kept = tuple(a.name for a in arguments if a.fill["kind"] == "distinct" and a.dtype in FLOATS)
        if kept:
            cotangents = tuple(
                Argument(f"ct{i}", known[r].shape, known[r].dtype, s or _sharding(rng, mesh, known[r].shape))
                for i, (r, s) in enumerate(zip(results, shardings, strict=True))
            )
            by_name = {a.name: a for a in arguments}
            returned = tuple(by_name[n].sharding if rng.random() < 0.5 else None for n in kept)
            return Program(
                mesh, tuple(arguments), tuple(nodes), tuple(results), returned, kept, cotangents, devices=order
            )
    return Program(mesh, tuple(arguments), tuple(nodes), tuple(results), tuple(shardings), devices=order)
