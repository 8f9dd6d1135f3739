"""Writes an operator with placements as a claim for ``partir prove``, for all sizes and any number of devices."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from openpartir.dtensor.aten_operator import Operator
from openpartir.dtensor.inline import inlined

__all__ = ["SAMPLE", "Unwritable", "claim", "result_symbols"]

# Sizes are primes that do not occur elsewhere in a program: "1009x2003" is MxN, 2021027 is M*N.
PRIMES = {"M": 1009, "N": 2003, "K": 3001, "B": 4001}
SAMPLE = {"M": 4, "N": 6, "K": 8, "B": 2}  # sizes for runs with two devices
NUMBERS = {v: k for k, v in PRIMES.items()}
PRODUCTS = {a * b: f"{p}*{q}" for (p, a), (q, b) in itertools.combinations(PRIMES.items(), 2)}
DOUBLES = {2 * v: f"2*{k}" for k, v in PRIMES.items()}
SHIFTED = {v + d: f"{k}{d:+d}" for k, v in PRIMES.items() for d in (-2, -1, 1, 2)}
SYMBOLS = {**SHIFTED, **DOUBLES, **PRODUCTS, **NUMBERS}
DTYPES = {"f32": "float32", "i32": "int32", "bool": "bool"}
ELEMENTS = {"float32": "f32", "int32": "i32", "bool": "i1"}
ACTIONS = {"R": "any", "P(sum)": "#sum", "P(max)": "#max", "P(min)": "#min", "P(product)": "#prod"}


class Unwritable(Exception):
    """Raised for a rule that the language of claims cannot express; the message states the reason."""


def _size(symbol: str) -> int:
    return PRIMES[symbol] if symbol in PRIMES else int(symbol)


def _symbol(size: int) -> str:
    return SYMBOLS.get(size, str(size))


def _shapes(op: Operator) -> list[jax.ShapeDtypeStruct]:
    return [jax.ShapeDtypeStruct(tuple(map(_size, t.sizes)), DTYPES[t.dtype]) for t in op.tensors]


def _inlined(fun: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is traced without calls, with jitted jnp functions traced inline."""

    def run(*args: Any) -> Any:
        with jax.disable_jit():
            return fun(*args)

    return run


def result_symbols(op: Operator) -> list[list[str]]:
    """Return the sizes of each result as symbols, such as [["M", "2*N"]]."""
    outs = jax.tree.leaves(jax.eval_shape(_inlined(op.program), *_shapes(op)))
    return [[_symbol(n) for n in o.shape] for o in outs]


@functools.lru_cache(maxsize=64)
def _plain_body(op: Operator) -> tuple[str, list[str]]:
    return _body(op.program, _shapes(op))


def _body(program: Callable[..., Any], shapes: Sequence[jax.ShapeDtypeStruct]) -> tuple[str, list[str]]:
    """Return the operations of a program over symbolic sizes, and the types of its results."""
    lowered = jax.jit(_inlined(program), keep_unused=True).lower(*shapes)
    text = lowered.as_text()
    if "call @" in text:
        text = inlined(text)
    lines = text[text.index("func.func") :].splitlines()[1:]
    body = "\n".join(lines[: next(i for i, line in enumerate(lines) if line.startswith("  }"))])
    body = re.sub(r"\breturn (%[^:]*) : ", r"return \1 : ", body)
    parts = re.split(r"(dense<[^>]*>)", body)
    for constant in parts[1::2]:
        if any(str(n) in constant for n in PRIMES.values()) or re.search(r"[12345]\.0?0[0-9]{4,}e\+03", constant):
            raise Unwritable("a constant of the program depends on a size")
    # A number is a size only as a separate token: 1009x2003, [0:1009], <i64: 1009>.
    outside = [re.sub(r"(?<![\w%.])(\d{4,})(?=x|[\],:\s>])|(?<=x)(\d{4,})(?=x)", _renamed, p) for p in parts[0::2]]
    parts[0::2] = outside
    types = [
        f"tensor<{'x'.join([*map(_symbol, o.shape), ELEMENTS[str(o.dtype)]])}>"
        for o in jax.tree.leaves(lowered.out_info)
    ]
    return "".join(parts), types


def _renamed(match: re.Match[str]) -> str:
    return _symbol(int(match[1] or match[2]))


def _dimension(placement: str) -> int | None:
    found = re.fullmatch(r"S\((\d+)\)", placement)
    return int(found[1]) if found else None


def _action(placement: str) -> str:
    dim = _dimension(placement)
    if dim is not None:
        return f"#tile<{dim}>"
    if placement not in ACTIONS:
        raise Unwritable(f"placement {placement}")
    return ACTIONS[placement]


def _averages(op: Operator, inputs: list[str], outputs: list[str]) -> tuple[Callable[..., Any], list[str], list[str]]:
    """Write a claim about Partial(avg) as one about Partial(sum).

    f maps averages to averages if and only if f(x) - f(0) maps sums to sums. For operands that are sharded, or
    replicated, the results' average is right if and only if f times the local count of the sharded size sums up to f
    times the global count.
    """
    averaged = [i for i, p in enumerate(inputs) if p == "P(avg)"]
    if any(o.dtype == bool for o in jax.tree.leaves(jax.eval_shape(_inlined(op.program), *_shapes(op)))):
        raise Unwritable("Partial(avg) of truth values")
    if any(o != "P(avg)" for o in outputs):
        raise Unwritable("Partial(avg) with results of another kind")
    if averaged:
        if any(p.startswith("P") and p != "P(avg)" for p in inputs):
            raise Unwritable("Partial(avg) beside other partial operands")

        def without_constant(*args: Any) -> Any:
            zero = [jnp.zeros_like(a) if i in averaged else a for i, a in enumerate(args)]
            return jax.tree.map(jnp.subtract, op.program(*args), op.program(*zero))

        return without_constant, [p.replace("avg", "sum") for p in inputs], ["P(sum)"] * len(outputs)
    tiled = {op.tensors[i].sizes[d] for i, p in enumerate(inputs) if (d := _dimension(p)) is not None}
    if len(tiled) != 1:
        return op.program, inputs, ["R"] * len(outputs)  # all devices have the same value, which is its own average
    symbol = tiled.pop()
    if symbol in op.counted:
        return op.counted[symbol], inputs, ["P(sum)"] * len(outputs)
    size = _size(symbol)

    def counted(*args: Any) -> Any:
        count = jnp.sum(jnp.ones((size,), jnp.float32))
        return jax.tree.map(lambda r: r * count, op.program(*args))

    return counted, inputs, ["P(sum)"] * len(outputs)


def claim(op: Operator, name: str, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Return a claim such as ``entry @name tiles N (%arg0: tensor<MxNxf32> #tile<1>) -> (tensor<Mxf32> #sum) {…}``.

    Raises `Unwritable` if the language of claims cannot express it.
    """
    program, into, out = op.program, list(inputs), list(outputs)
    if "P(avg)" in [*into, *out]:
        program, into, out = _averages(op, into, out)
    body, types = _plain_body(op) if program is op.program else _body(program, _shapes(op))
    if len(types) != len(out):
        raise Unwritable(f"{len(out)} results, where the program has {len(types)}")
    tiled = []
    for tensor, placement in zip(op.tensors, into, strict=True):
        dim = _dimension(placement)
        if dim is not None:
            symbol = tensor.sizes[dim]
            if symbol not in PRIMES:
                raise Unwritable("a shard of a fixed size")
            tiled.append(symbol)
    arguments = ", ".join(
        f"%arg{i}: tensor<{'x'.join([*t.sizes, ELEMENTS[DTYPES[t.dtype]]])}> {_action(p)}"
        for i, (t, p) in enumerate(zip(op.tensors, into, strict=True))
    )
    results = ", ".join(f"{t} {_action(p)}" for t, p in zip(types, out, strict=True))
    tiles = f" tiles {', '.join(sorted(set(tiled)))}" if tiled else ""
    where = f" where {op.where}" if op.where else ""
    return f"entry @{name}{tiles}{where} ({arguments}) -> ({results}) {{\n{body}\n}}\n"
