"""Enumerates all placements of an operator's tensors over one mesh dimension."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

__all__ = ["combinations", "read_rule"]

PARTIAL = ("P(sum)", "P(avg)", "P(max)", "P(min)")


def _of(sizes: Sequence[str], partial: bool) -> list[str]:
    shards = [f"S({d})" for d, s in enumerate(sizes) if s != "1"]
    return ["R", *shards, *(PARTIAL if partial else ())]


def combinations(
    inputs: Sequence[tuple[Sequence[str], bool]], outputs: Sequence[Sequence[str]]
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield placements of inputs and results; all results have the same one, and some input is not replicated.

    An input consists of its sizes and whether it can be partial, which indices and masks cannot.
    """
    for into in itertools.product(*(_of(sizes, partial) for sizes, partial in inputs)):
        if all(p == "R" for p in into):
            continue
        for out in _of(outputs[0], True):
            yield list(into), [out] * len(outputs)


def read_rule(text: str, ranks: Sequence[int]) -> tuple[list[str], list[str]]:
    """Read "S(0), R -> P(sum)" for tensors of these ranks. Raises ValueError for what is no such rule."""
    sides = [[p.strip() for p in side.split(",")] for side in text.split("->")]
    if len(sides) != 2 or len(sides[0]) != len(ranks):
        raise ValueError(f"--rule {text!r}: wanted {len(ranks)} placements, '->', and those of the results")
    for k, placement in enumerate([*sides[0], *sides[1]]):
        shard = re.fullmatch(r"S\((\d+)\)", placement)
        beyond = shard and k < len(ranks) and int(shard[1]) >= ranks[k]
        if beyond or not (shard or placement in ("R", *PARTIAL)):
            wanted = f"R, S(dimension) or one of {', '.join(PARTIAL)}"
            raise ValueError(f"--rule {text!r}: {placement!r}; wanted {wanted}")
    return sides[0], sides[1]
