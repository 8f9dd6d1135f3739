"""HLO text, as XLA dumps it, in the form that its own reader takes without loss."""

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
    """Groups of ``mesh['a'=4,'b'=2] {'a'}`` are columns: {{0,2,4,6},{1,3,5,7}}. 'a':(1)2 is the major part, 2, of a."""
    axes = [(name, int(size)) for name, size in _AXIS.findall(match["mesh"])]
    sizes = dict(axes)
    ids = np.arange(np.prod([n for _, n in axes], dtype=int))
    if match["dims"]:
        ids = ids.reshape(_integers(match["dims"]))
        if match["perm"]:
            ids = ids.transpose(_integers(match["perm"]))
    # Each requested part of an axis as an interval of the axis' strides: (1, 4) is all of an axis of 4.
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
    """Return the module with replica groups that are written over a mesh as lists of devices.

    jaxlib 0.10.2 forgets the device ids of the former on the way to StableHLO, which gives other groups.
    """
    out = _MESH_GROUPS.sub(_groups, text)
    if "replica_groups=mesh" in out:
        raise NotImplementedError("replica groups of XLA in a form that is not read here")
    return out
