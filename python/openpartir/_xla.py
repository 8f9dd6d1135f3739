"""Compiles a jitted function with XLA's own partitioner and returns the partitioned module."""

from __future__ import annotations

import contextlib
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import jax
from jax.sharding import NamedSharding

from openpartir import _engine, _jax_private
from openpartir._hlo import listed_replica_groups
from openpartir._mesh import axes_of
from openpartir._program import bits_of
from openpartir.errors import UnsupportedError

__all__ = ["compiled_with_module", "expanded_by_xla", "local_module", "partitioned_by_xla", "sharding_text"]

Shape = jax.ShapeDtypeStruct


@contextlib.contextmanager
def _uncached() -> Iterator[None]:
    """Disable the persistent compilation cache, because a cache hit dumps nothing."""
    config: Any = jax.config
    before = config.jax_enable_compilation_cache
    config.update("jax_enable_compilation_cache", False)
    try:
        yield
    finally:
        config.update("jax_enable_compilation_cache", before)


def sharding_text(sharding: Any, rank: int, mesh: jax.sharding.Mesh) -> str:
    """Return a sharding over the mesh as text, such as "[{batch}, {}]"."""
    if isinstance(sharding, NamedSharding) and sharding.mesh.shape == mesh.shape:
        entries = [*sharding.spec, *[None] * (rank - len(sharding.spec))]
        dims = [() if e is None else (e,) if isinstance(e, str) else e for e in entries]
        return "[" + ", ".join("{" + ", ".join(map(str, axes)) + "}" for axes in dims) + "]"
    if sharding.is_fully_replicated:
        return "[" + ", ".join(["{}"] * rank) + "]"
    raise UnsupportedError(f"{sharding}, which is not over the axes of the mesh {dict(mesh.shape)}")


def compiled_with_module(lowered: Any) -> tuple[jax.stages.Compiled, str]:
    """Compile; return the executable and XLA's module as HLO text after its spmd-partitioning pass."""
    with _uncached(), tempfile.TemporaryDirectory(prefix="openpartir") as folder:
        compiled = lowered.compile(
            compiler_options={
                "xla_dump_to": folder,
                "xla_dump_hlo_pass_re": "spmd-partitioning",
                "xla_dump_large_constants": True,
            }
        )
        dumps = [
            p for p in pathlib.Path(folder).iterdir() if "after_spmd-partitioning" in p.name and p.suffix == ".txt"
        ]
        if not dumps:
            raise UnsupportedError("XLA partitioned nothing: is the function compiled for one device?")
        return compiled, max(dumps, key=lambda p: p.stat().st_size).read_text(encoding="utf-8")


def local_module(
    compiled: jax.stages.Compiled, text: str, mesh: jax.sharding.Mesh, inputs: list[Shape], outputs: list[Shape]
) -> _engine.Local:
    """Return the module of `compiled_with_module` as StableHLO with its shardings, without unused arguments."""
    given = jax.tree.leaves(compiled.input_shardings, is_leaf=lambda s: s is None)
    returned = jax.tree.leaves(compiled.output_shardings)

    def texts(shardings: list[Any], shapes: list[Shape]) -> list[str]:
        pairs = zip(shardings, shapes, strict=True)
        return [sharding_text(s, len(bits_of(x).shape), mesh) for s, x in pairs if s is not None]

    return _engine.Local(
        text=_jax_private.hlo_to_stablehlo(listed_replica_groups(text)),
        mesh=",".join(f"{a}={n}" for a, n in axes_of(mesh)),
        arguments=texts(given, inputs),
        results=texts(returned, outputs),
    )


def expanded_by_xla(lowered: Any) -> str:
    """Return the function as StableHLO of XLA's input, in which special functions of chlo are polynomials."""
    return _jax_private.hlo_to_stablehlo(lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True))


def partitioned_by_xla(
    jitted: Any, args: Any, kwargs: Any, mesh: jax.sharding.Mesh, inputs: list[Shape], outputs: list[Shape]
) -> _engine.Local:
    """Compile, and return the module after XLA's spmd-partitioning pass, without unused arguments."""
    compiled, text = compiled_with_module(jitted.lower(*args, **kwargs))
    return local_module(compiled, text, mesh, inputs, outputs)
