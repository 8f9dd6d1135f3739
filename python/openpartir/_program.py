"""Traces a Python function with examples of its arguments into a StableHLO program whose values have names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from openpartir import _jax_private
from openpartir.errors import PartirError, UnsupportedError
from openpartir.names import argument_names, parameter_names, result_names
from openpartir.requests import Values

__all__ = ["Call", "Program", "Signature", "bits_of", "bound", "is_key", "shape_of", "trace"]

Shape = jax.ShapeDtypeStruct


def shape_of(x: Any) -> Shape:
    """Return shape, type and weak type of an array, a number, a tracer or a ShapeDtypeStruct."""
    if isinstance(x, Shape):
        return Shape(x.shape, x.dtype, weak_type=x.weak_type)
    aval: Any = jax.typeof(x)
    return Shape(aval.shape, aval.dtype, weak_type=aval.weak_type)


def is_key(shape: Shape) -> bool:
    """Return whether the shape is that of typed PRNG keys."""
    return bool(jnp.issubdtype(shape.dtype, jax.dtypes.prng_key))


def bits_of(shape: Shape) -> Shape:
    """Return the value's shape in the module: for typed PRNG keys, the shape of their bits."""
    if not is_key(shape):
        return shape
    bits: Shape = jax.eval_shape(jax.random.key_data, shape)
    return bits


def _numbers(given: int | Sequence[int] | None, count: int, more: bool) -> tuple[int, ...]:
    """Return argument numbers from 0. `more`: arguments beyond the `count` named ones are possible."""
    numbers = () if given is None else (given,) if isinstance(given, int) else tuple(given)
    if not all(hasattr(n, "__index__") for n in numbers):
        raise PartirError(found=f"argument numbers {given!r}", wanted="a whole number, or several of them")
    for n in numbers:
        if n < -count or (n < 0 and more) or (n >= count and not more):
            wanted = "a number from 0" if more else f"a number of one of its {count} positional arguments"
            raise PartirError(found=f"argument number {n}", wanted=wanted)
    return tuple(sorted({n + count if n < 0 else n for n in numbers}))


def bound(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return all arguments by position, as jax.jit takes them beside shardings. Raises `PartirError`."""
    if not kwargs:
        return args
    arguments = inspect.signature(fun).bind(*args, **kwargs)
    if arguments.kwargs:
        raise PartirError(
            found=f"the keyword arguments {', '.join(arguments.kwargs)}",
            wanted="positional ones: jax.jit takes in_shardings for these only",
        )
    return arguments.args


class Call(NamedTuple):
    """The arguments of one call: the dynamic ones as a flat list, the static ones as a hashable key."""

    leaves: list[Any]
    tree: Any  # structure of (args, kwargs), without the static ones
    static: Hashable


class Signature:
    """States which arguments of a function are static, and which are donated."""

    def __init__(
        self,
        fun: Callable[..., Any],
        static_argnums: int | Sequence[int] | None,
        static_argnames: str | Sequence[str] | None,
        donate_argnums: int | Sequence[int] | None,
        keep_unused: bool = True,
    ) -> None:
        """Combine positions and names of static arguments, as jax.jit does."""
        try:
            parameters = list(inspect.signature(fun).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        positional = [p.name for p in parameters if p.kind in kinds]
        names = {static_argnames} if isinstance(static_argnames, str) else set(static_argnames or ())
        more = not parameters or any(p.kind == inspect.Parameter.VAR_POSITIONAL for p in parameters)
        numbers = set(_numbers(static_argnums, len(positional), more))
        self.static_numbers = frozenset(numbers | {i for i, p in enumerate(positional) if p in names})
        self.static_names = frozenset(names | {positional[i] for i in numbers if i < len(positional)})
        self.donated = frozenset(_numbers(donate_argnums, len(positional), more))
        self.donated_names = frozenset(positional[i] for i in self.donated if i < len(positional))
        self.fun = fun
        self.jitted = jax.jit(
            fun,
            static_argnums=tuple(sorted(self.static_numbers)),
            static_argnames=tuple(sorted(self.static_names)),
            donate_argnums=tuple(sorted(self.donated)),
            keep_unused=keep_unused,
        )
        self.has_static = bool(self.static_numbers or self.static_names)

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Split and flatten the arguments of a call."""
        static: Hashable = ()
        if self.has_static:
            fixed = tuple((type(a), a) for i, a in enumerate(args) if i in self.static_numbers)
            named = tuple((k, type(v), v) for k, v in sorted(kwargs.items()) if k in self.static_names)
            args = tuple(a for i, a in enumerate(args) if i not in self.static_numbers)
            kwargs = {k: v for k, v in kwargs.items() if k not in self.static_names}
            static = (fixed, named)
        leaves, tree = jax.tree.flatten((args, kwargs))
        return Call(leaves, tree, static)

    def names(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        """Return the name of each array among the arguments, in the form that schedules use."""
        parameters = parameter_names(self.fun, len(args))
        dynamic = [i for i in range(len(args)) if i not in self.static_numbers]
        own_kwargs = {k: v for k, v in kwargs.items() if k not in self.static_names}
        return argument_names([parameters[i] for i in dynamic], [args[i] for i in dynamic], own_kwargs)

    def shapes(self, call: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Shape]:
        """Return shapes of the call's arrays. Raises TypeError for a leaf that is not an array, with its name."""
        out = []
        for k, leaf in enumerate(call.leaves):
            try:
                out.append(shape_of(leaf))
            except TypeError as error:
                name = getattr(self.fun, "__name__", "function")
                raise TypeError(
                    f"argument '{self.names(args, kwargs)[k]}' of {name} is no array but a {type(leaf).__name__}: make "
                    "it static (static_argnames), or register its type as a pytree"
                ) from error
        return out

    def with_shapes(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with shapes in place of arrays."""
        shaped = tuple(a if i in self.static_numbers else jax.tree.map(shape_of, a) for i, a in enumerate(args))
        return shaped, {k: v if k in self.static_names else jax.tree.map(shape_of, v) for k, v in kwargs.items()}


@dataclass(frozen=True)
class Program:
    """A traced function as StableHLO for one device. Lists are flat and have one entry for each array."""

    name: str
    text: str
    in_tree: Any
    out_tree: Any
    inputs: list[Shape]
    outputs: list[Shape]
    donated: list[bool]
    arguments: Values
    results: Values


def trace(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any], platform: str | None) -> Program:
    """Trace and lower a function, using only the shapes of arrays. Raises the same errors as jax.jit."""
    shaped, named = signature.with_shapes(args, kwargs)
    traced = signature.jitted.trace(*shaped, **named)
    effects = _jax_private.outer_effects(traced)
    name = getattr(signature.fun, "__name__", "function")
    if effects:
        raise UnsupportedError(
            f"{name} has effects ({', '.join(effects)}): jax.debug.print, callbacks and the like do "
            "not work in a partitioned function"
        )
    text = _jax_private.module_text(traced.lower(lowering_platforms=None if platform is None else (platform,)))
    if _jax_private.has_host_callbacks(text):
        raise UnsupportedError(f"{name} calls back into Python, which does not work in a partitioned function")
    call = signature.call(shaped, named)
    dynamic = [i for i in range(len(args)) if i not in signature.static_numbers]
    positional = [name for i, name in enumerate(parameter_names(signature.fun, len(args))) if i in dynamic]
    donated = [i in signature.donated for i in dynamic for _ in jax.tree.leaves(shaped[i])]
    by_name = {k: v for k, v in named.items() if k not in signature.static_names}
    donated += [k in signature.donated_names for k in sorted(by_name) for _ in jax.tree.leaves(by_name[k])]
    out = jax.tree.map(shape_of, traced.out_info)
    outputs = _jax_private.output_avals(traced)
    return Program(
        name=name,
        text=text,
        in_tree=call.tree,
        out_tree=jax.tree.structure(out),
        inputs=call.leaves,
        outputs=outputs,
        donated=donated,
        arguments=Values(signature.names(shaped, named), call.leaves, positional, signature.static_names),
        results=Values(result_names(out), outputs),
    )
