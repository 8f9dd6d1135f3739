"""Enumerates all placements of an operator's tensors over one mesh dimension."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

__all__ = ["combinations"]

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
