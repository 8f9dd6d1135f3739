"""Computes names of arguments and results: key paths with the parameter's name in front, as schedules use them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax import tree_util

__all__ = ["argument_names", "key_name", "parameter_names", "path_name", "result_names"]


def key_name(key: Any) -> str:
    """Return one part of a key path: "w" for ['w'] and .w, "0" for [0]."""
    if isinstance(key, tree_util.DictKey | tree_util.FlattenedIndexKey):
        return str(key.key)
    if isinstance(key, tree_util.SequenceKey):
        return str(key.idx)
    if isinstance(key, tree_util.GetAttrKey):
        return str(key.name)
    return str(key)


def path_name(path: Sequence[Any], first: str | None = None) -> str:
    """Return "params/layers/0/w" for the path ['layers'][0].w and the parameter "params"."""
    parts = [] if first is None else [first]
    return "/".join(parts + [key_name(k) for k in path])


def parameter_names(fun: Callable[..., Any], count: int) -> list[str]:
    """Return names of the first `count` positional parameters; those that * collects are "args/0", "args/1", …"""
    try:
        parameters = list(inspect.signature(fun).parameters.values())
    except (TypeError, ValueError):
        return [f"arg{i}" for i in range(count)]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    out = [p.name for p in parameters if p.kind in positional][:count]
    starred = next((p.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL), "args")
    return out + [f"{starred}/{i}" for i in range(count - len(out))]


def argument_names(parameters: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> list[str]:
    """Return the name of each leaf of ``(args, kwargs)``; `parameters` names the positional ones."""
    out = []
    for parameter, arg in zip(parameters, args, strict=True):
        out += [path_name(path, parameter) for path, _ in jax.tree.leaves_with_path(arg)]
    return out + [path_name(path) for path, _ in jax.tree.leaves_with_path(kwargs)]


def result_names(out: Any) -> list[str]:
    """Return the name of each leaf of a function's result, such as "0/w"; "" if it returns one array."""
    return [path_name(path) for path, _ in jax.tree.leaves_with_path(out)]
