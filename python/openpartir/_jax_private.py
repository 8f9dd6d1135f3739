"""Contains all code that relies on private parts of JAX; tests/python/test_jax_private.py fails when one changes.

Tested with jax 0.8.3, 0.9.2 and 0.10.2. A module with explicit collectives is called in the way in which `jax.export`
calls a loaded module: a subclass of `Exported` returns our module instead of a deserialised one. Inside `jax.shard_map`
over all axes of a mesh XLA leaves the module unchanged; `partition_id` and replica groups are positions in the mesh.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax import export

__all__ = [
    "calling",
    "configuration",
    "has_host_callbacks",
    "hide_frames",
    "hlo_to_stablehlo",
    "is_tracer",
    "manual_axes",
    "module_text",
    "outer_effects",
    "output_avals",
    "with_sharding_rules",
    "wrap_key",
]


class _Local(export.Exported):
    """Represents a module as if it had been exported and loaded."""

    _text: str

    def mlir_module(self, serialized: bool = True) -> Any:
        """Return the module as text; from jax 0.10 on also as an object, in the context that the caller has entered.

        Both are parsed from text, because a portable artifact cannot contain chlo operations on all versions.
        """
        if serialized:
            return self._text
        from jaxlib.mlir import ir

        return ir.Module.parse(self._text)


def _aval(like: jax.ShapeDtypeStruct) -> Any:
    from jax._src import core

    return core.ShapedArray(like.shape, like.dtype, weak_type=like.weak_type)


def calling(
    name: str, text: str, inputs: Sequence[jax.ShapeDtypeStruct], outputs: Sequence[jax.ShapeDtypeStruct]
) -> Callable[..., Sequence[Any]]:
    """Return a function of arrays that calls the module's main function.

    Shapes are those of one device. Differentiating the call is an error: without a rule JAX would treat all of its
    derivatives as zero.
    """
    known: dict[str, Any] = {
        "fun_name": name,
        "in_tree": jax.tree.structure((tuple(inputs), {})),
        "in_avals": tuple(map(_aval, inputs)),
        "out_tree": jax.tree.structure(list(outputs)),
        "out_avals": tuple(map(_aval, outputs)),
        "_has_named_shardings": True,
        "_in_named_shardings": (None,) * len(inputs),
        "_out_named_shardings": (None,) * len(outputs),
        "in_shardings_hlo": (None,) * len(inputs),
        "out_shardings_hlo": (None,) * len(outputs),
        "nr_devices": 1,
        "platforms": ("cpu",),
        "ordered_effects": (),
        "unordered_effects": (),
        "disabled_safety_checks": (export.DisabledSafetyCheck.platform(),),
        "mlir_module_serialized": b"",
        "calling_convention_version": export.maximum_supported_calling_convention_version,
        "module_kept_var_idx": tuple(range(len(inputs))),
        "uses_global_constants": False,
        "_get_vjp": None,
    }
    fields = {f.name for f in dataclasses.fields(export.Exported)}
    missing = fields - known.keys()
    if missing:
        raise RuntimeError(f"jax {jax.__version__}: jax.export.Exported has fields that are not known: {missing}")
    exported = _Local(**{k: v for k, v in known.items() if k in fields})
    object.__setattr__(exported, "_text", text)
    call: Callable[..., Sequence[Any]] = exported.call
    return call


def module_text(lowered: Any) -> str:
    """Return the lowered function as StableHLO with locations: names of scopes, and source lines."""
    text = lowered.as_text("stablehlo", debug_info=True)
    assert isinstance(text, str)
    return text


def has_host_callbacks(text: str) -> bool:
    """Return whether the module calls back into Python."""
    return "python_cpu_callback" in text or "python_gpu_callback" in text or "python_tpu_callback" in text


def outer_effects(traced: Any) -> list[str]:
    """Return the kinds of effects that the traced function has outside itself: its own references are none."""
    from jax._src import core

    effects = getattr(traced.jaxpr, "effects", None) or ()
    return sorted({type(e).__name__ for e in effects if not isinstance(e, core.InternalMutableArrayEffect)})


def output_avals(traced: Any) -> list[jax.ShapeDtypeStruct]:
    """Return shapes, types and weak types of the traced function's results, as a flat list."""
    return [jax.ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak_type) for a in traced.jaxpr.out_avals]


@functools.lru_cache(maxsize=64)
def _without_meshes(context: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the context of a trace without the meshes and axes around it, because plans are traced outside of them."""
    from jax._src import core

    around = (jax.sharding.Mesh, jax.sharding.AbstractMesh, core.AxisEnv, tuple)
    return tuple(None if isinstance(x, around) else x for x in context)


def configuration() -> tuple[Any, ...]:
    """Return the settings of JAX that, in addition to the arguments, determine what is traced, as jax.jit does.

    They include precisions, x64, the kind of random numbers, and the promotion of types and ranks.
    """
    from jax._src import config

    return _without_meshes(config.trace_context())


def is_tracer(x: Any) -> bool:
    """Return whether the value belongs to a JAX transformation."""
    return isinstance(x, jax.core.Tracer)


def hide_frames(file: str) -> None:
    """Exclude one of our files from the source locations that JAX records, as JAX excludes its own files."""
    from jax._src import source_info_util

    source_info_util.register_exclusion(file)


def manual_axes() -> tuple[str, ...]:
    """Return the mesh axes over which a surrounding shard_map runs."""
    mesh = jax.sharding.get_abstract_mesh()
    manual = getattr(mesh, "manual_axes", ())
    return tuple(str(a) for a in manual)


def hlo_to_stablehlo(text: str) -> str:
    """Return HLO text as StableHLO, using jaxlib's own reader and converter. Some operations of MHLO may be left."""
    import importlib

    from jax._src.interpreters import mlir
    from jaxlib import _jax
    from jaxlib.mlir import ir

    try:  # since jaxlib 0.10
        reader: Any = importlib.import_module("jaxlib._hlo")
    except ModuleNotFoundError:
        reader = _jax
    proto = reader.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    with mlir.make_ir_context():
        return str(ir.Module.parse(_jax.mlir.hlo_to_stablehlo(proto)))


def wrap_key(data: Any, dtype: Any) -> Any:
    """Return the typed PRNG key array of this dtype with the given bits."""
    return jax.random.wrap_key_data(data, impl=dtype._impl)


def with_sharding_rules(text: str) -> str:
    """Return the StableHLO module in which each operation has Shardy's rule as its attribute sdy.sharding_rule."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir, passmanager

    with mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        pipeline = "builtin.module(func.func(sdy-populate-op-sharding-rules))"
        passmanager.PassManager.parse(pipeline).run(module.operation)
        return str(module)
