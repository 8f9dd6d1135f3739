"""Converts the meshes that users pass: meshes of devices, to run on, and abstract ones, to plan only."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import jax
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

from openpartir._engine import Placed
from openpartir.errors import PartirError

__all__ = [
    "AnyMesh",
    "automatic",
    "axes_of",
    "inside_mesh",
    "named_sharding",
    "outside_meshes",
    "platform_of",
    "restricted",
    "split",
    "to_mesh",
]

AnyMesh = jax.sharding.Mesh | AbstractMesh


def to_mesh(mesh: AnyMesh | Mapping[str, int]) -> AnyMesh:
    """Return the mesh; a mapping from axes to sizes becomes an abstract mesh."""
    if isinstance(mesh, Mapping):
        if not mesh:
            raise PartirError(code="mesh", found="a mesh without axes", wanted="axes with sizes: {'batch': 4, …}")
        for axis, size in mesh.items():
            if not hasattr(size, "__index__") or isinstance(size, bool) or not 1 <= size < 2**31:
                raise PartirError(
                    code="mesh", found=f"axis {axis!r} of size {size!r}", wanted="a size of at least 1, and below 2^31"
                )
        mesh = AbstractMesh(tuple(map(int, mesh.values())), tuple(mesh))
    if isinstance(mesh, jax.sharding.Mesh | AbstractMesh):
        for axis in mesh.axis_names:
            if not re.fullmatch(r"\w+", str(axis)):
                raise PartirError(code="mesh", found=f"the axis name {axis!r}", wanted="letters, digits and _")
        if AxisType.Manual in mesh.axis_types:
            raise PartirError(code="mesh", found=f"manual axes in {mesh}", wanted="automatic or explicit ones")
        return mesh
    raise PartirError(code="mesh", found=repr(mesh), wanted="a jax.sharding.Mesh, an AbstractMesh or {'batch': 4, …}")


def axes_of(mesh: AnyMesh) -> list[tuple[str, int]]:
    """Return axes and sizes, outermost first."""
    return [(str(name), int(size)) for name, size in mesh.shape.items()]


def split(mesh: AnyMesh, axes: list[tuple[str, int]]) -> AnyMesh:
    """Return the mesh of the same devices with these axes, each of which is an axis of the mesh or a part of one."""
    if axes == axes_of(mesh):
        return mesh
    kinds: list[AxisType] = []
    sizes = [size for _, size in axes]
    for size, kind in zip(mesh.shape.values(), mesh.axis_types, strict=True):
        parts = sizes[len(kinds)]
        kinds.append(kind)
        while parts < size:
            parts *= sizes[len(kinds)]
            kinds.append(kind)
    names = tuple(name for name, _ in axes)
    if isinstance(mesh, AbstractMesh):
        return AbstractMesh(tuple(sizes), names, axis_types=tuple(kinds))
    return jax.sharding.Mesh(mesh.devices.reshape(sizes), names, axis_types=tuple(kinds))


def platform_of(mesh: AnyMesh) -> str | None:
    """Return the platform to lower for, where it is not the default one."""
    if not isinstance(mesh, jax.sharding.Mesh):
        return None
    platform: str = mesh.devices.flat[0].platform
    if platform == jax.default_backend():
        return None
    return "cuda" if platform == "gpu" else platform


def outside_meshes() -> Any:
    """Return a context without the mesh of jax.set_mesh, because functions are planned for one device."""
    return jax.sharding.use_abstract_mesh(AbstractMesh((), ()))


def inside_mesh(mesh: AnyMesh) -> Any:
    """Return the context in which functions are traced: shard_map and PartitionSpecs inside refer to this mesh.

    If some axes are not automatic, the context has no mesh: such axes would be part of the types of all values, which
    have no shardings while a plan is made.
    """
    if any(kind != AxisType.Auto for kind in mesh.axis_types):
        return outside_meshes()
    return jax.sharding.use_abstract_mesh(mesh if isinstance(mesh, AbstractMesh) else mesh.abstract_mesh)


def automatic(mesh: jax.sharding.Mesh) -> jax.sharding.Mesh:
    """Return the mesh with automatic axes. Explicit ones would have to match those of the arguments inside jax.jit."""
    return jax.sharding.Mesh(mesh.devices, mesh.axis_names)


def _entry(axes: Sequence[str]) -> str | tuple[str, ...] | None:
    return None if not axes else axes[0] if len(axes) == 1 else tuple(axes)


def restricted(spec: PartitionSpec, axes: Collection[str]) -> PartitionSpec:
    """Return the sharding along these axes only."""
    kept = [() if e is None else (e,) if isinstance(e, str) else e for e in spec]
    return PartitionSpec(*[_entry([a for a in e if a in axes]) for e in kept])


def named_sharding(mesh: AnyMesh, placed: Placed, shape: Sequence[int]) -> NamedSharding:
    """Return the sharding of an array of this shape; a typed PRNG key has fewer dimensions than its bits.

    JAX has no arrays whose shards differ in size, so a dimension that is padded to be tiled is replicated.
    """
    sizes = placed.sizes or shape
    entries: list[Any] = [
        _entry(a) if n == size else None for a, n, size in zip(placed.dims, sizes, shape, strict=False)
    ]
    while entries and entries[-1] is None:
        entries.pop()
    return NamedSharding(mesh, PartitionSpec(*entries))
