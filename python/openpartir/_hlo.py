"""Rewrites HLO text, as XLA dumps it, into the form that its own reader parses without loss.

`_xla` calls it on XLA's module before the module is converted to StableHLO.
"""

from __future__ import annotations

import itertools
import re

import numpy as np

__all__ = ["listed_replica_groups"]

_MESH_GROUPS = re.compile(
    r"replica_groups=mesh\[(?P<mesh>[^\]]*)\](?:, device_ids=\(\[(?P<dims>[\d,]+)\](?:T\((?P<perm>[\d,]+)\))?\))?"
    r" \{(?P<over>[^}]*)\}"
)
_AXIS = re.compile(r"'([^']+)'=(\d+)")
_OVER = re.compile(r"'([^']+)'(?::\((\d+)\)(\d+))?")


def _integers(text: str) -> list[int]:
    return [int(n) for n in text.split(",")]


def _groups(match: re.Match[str]) -> str:
    """Return the device lists of one mesh notation, such as ``replica_groups={{0,2,4,6},{1,3,5,7}}``.

    That is the result for ``mesh['a'=4,'b'=2] {'a'}``, whose groups are the columns of the 4 x 2 grid of devices. In
    the notation, ``'a':(1)2`` is the major part of axis a, of size 2.
    """
    axes = [(name, int(size)) for name, size in _AXIS.findall(match["mesh"])]
    sizes = dict(axes)
    ids = np.arange(np.prod([n for _, n in axes], dtype=int))
    if match["dims"]:
        ids = ids.reshape(_integers(match["dims"]))
        if match["perm"]:
            ids = ids.transpose(_integers(match["perm"]))
    # Each requested part of an axis is an interval of the axis' strides: (1, 4) is the complete axis of size 4.
    over = []
    for name, before, size in _OVER.findall(match["over"]):
        over.append((name, int(before), int(before) * int(size)) if before else (name, 1, sizes[name]))
    # The finest division of the mesh in which every interval is a union of dimensions.
    dims = []
    for name, size in axes:
        cuts = sorted({1, size, *(c for n, *ends in over if n == name for c in ends)})
        dims += [(name, low, high) for low, high in itertools.pairwise(cuts)]
    inside = [
        next(i for i, (n, a, _) in enumerate(dims) if n == name and a == start)
        for name, low, high in over
        for start in [a for n, a, b in dims if n == name and low <= a and b <= high]
    ]
    outside = [i for i in range(len(dims)) if i not in inside]
    ids = ids.reshape([high // low for _, low, high in dims])
    members = int(np.prod([ids.shape[i] for i in inside], dtype=int))
    rows = ids.transpose(outside + inside).reshape(-1, members)
    return "replica_groups={" + ",".join("{" + ",".join(map(str, row)) + "}" for row in rows.tolist()) + "}"


def listed_replica_groups(text: str) -> str:
    """Return the module with every replica group that is written over a mesh replaced by lists of devices.

    jaxlib 0.10.2 drops the device ids of the mesh notation when it converts to StableHLO, which yields wrong groups.
    """
    out = _MESH_GROUPS.sub(_groups, text)
    if "replica_groups=mesh" in out:
        raise NotImplementedError("replica groups of XLA in a form that is not read here")
    return out
