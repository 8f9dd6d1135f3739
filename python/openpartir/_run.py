"""Runs a planned program on its mesh."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from openpartir import _jax_private
from openpartir._mesh import automatic, named_sharding, restricted
from openpartir._program import bits_of, is_key, shape_of
from openpartir.errors import UnsupportedError

if TYPE_CHECKING:
    from openpartir.plan import Plan

__all__ = ["Runner", "refuse_shard_map"]

Shape = jax.ShapeDtypeStruct


def refuse_shard_map(name: str) -> None:
    """Raise `UnsupportedError` if the caller is inside jax.shard_map, where each device runs separately."""
    axes = _jax_private.manual_axes()
    if axes:
        raise UnsupportedError(
            f"{name} is partitioned by partir.jit and cannot be called inside jax.shard_map (over {', '.join(axes)}): "
            "it already says what each device does"
        )


class Runner:
    """A plan as a compiled function of flat arguments.

    `accepts` returns whether arguments can be passed unchanged, which is the usual case after the first call; `place`
    moves other arguments to their shardings.
    """

    def __init__(self, plan: Plan) -> None:
        """Build the function; nothing is compiled yet."""
        assert isinstance(plan.mesh, jax.sharding.Mesh)
        program = plan.program
        self.plan = plan
        self.name = program.name
        self.out_tree = program.out_tree
        self.shardings: list[Any] = list(plan.flat_in_shardings)
        self._avals: list[Any] = []
        self._donated = [i for i, d in enumerate(program.donated) if d]
        self._names = program.arguments.names
        mesh = automatic(plan.mesh)
        inputs = [named_sharding(mesh, p, p.sizes) for p in plan.engine.arguments]
        outputs = [named_sharding(mesh, p, p.sizes) for p in plan.engine.results]
        wide_in = [_padded(bits_of(s), p.sizes) for s, p in zip(program.inputs, plan.engine.arguments, strict=True)]
        wide_out = [_padded(bits_of(s), p.sizes) for s, p in zip(program.outputs, plan.engine.results, strict=True)]
        local = _jax_private.calling(
            program.name,
            plan.engine.for_xla(),
            [_part(s, n) for s, n in zip(wide_in, inputs, strict=True)],
            [_part(s, n) for s, n in zip(wide_out, outputs, strict=True)],
        )
        everywhere: Callable[..., tuple[Any, ...]] = jax.shard_map(
            # XLA slices an argument that is not sharded yet, and the CPU compiler would merge that slice with an index
            # in the module without its clamp (openxla/xla#49121).
            lambda *arrays: tuple(local(*jax.lax.optimization_barrier(arrays))),
            mesh=mesh,
            in_specs=tuple(s.spec for s in inputs),
            out_specs=tuple(s.spec for s in outputs),
            check_vma=False,
        )
        keys_in = [is_key(s) for s in program.inputs]
        keys_out = [s.dtype if is_key(s) else None for s in program.outputs]

        def run(*arrays: Any) -> tuple[Any, ...]:
            bits = [jax.random.key_data(a) if k else a for a, k in zip(arrays, keys_in, strict=True)]
            wide = [_pad(a, s.shape) for a, s in zip(bits, wide_in, strict=True)]
            out = [
                _cut(o, bits_of(s).shape, NamedSharding(mesh, placed.spec))
                for o, s, placed in zip(everywhere(*wide), program.outputs, plan.flat_out_shardings, strict=True)
            ]
            return tuple(
                o if dtype is None else _jax_private.wrap_key(o, dtype) for o, dtype in zip(out, keys_out, strict=True)
            )

        run.__name__ = run.__qualname__ = program.name
        self.jitted = jax.jit(
            run,
            in_shardings=tuple(NamedSharding(mesh, s.spec) for s in plan.flat_in_shardings),
            out_shardings=tuple(plan.flat_out_shardings),
            donate_argnums=tuple(i for i, d in enumerate(program.donated) if d),
            keep_unused=True,
        )
        self._nested: Callable[..., Any] | None = None

    def accepts(self, leaves: Sequence[Any]) -> bool:
        """Return whether these are live arrays with the shapes and shardings of the previous call."""
        try:
            if any([x.is_deleted() for x in leaves]):
                return False
            if self._donated_as_well(leaves):
                return False
            avals, shardings = [x.aval for x in leaves], [x.sharding for x in leaves]
            if avals != self._avals or shardings != self.shardings:
                return False
            self._avals, self.shardings = avals, shardings  # the next call has the same objects: found equal at once
            return True
        except (AttributeError, TypeError):  # host arrays, numbers, tracers
            return False

    def place(self, leaves: Sequence[Any]) -> list[Any]:
        """Return the arguments on the mesh, sharded as planned. Raises RuntimeError for an already donated one."""
        leaves = list(leaves)
        for i in self._donated_as_well(leaves):  # XLA ends the process if a donated buffer is used again
            leaves[i] = jnp.copy(leaves[i])
        out = [self._placed(x, s, n) for x, s, n in zip(leaves, self.shardings, self._names, strict=True)]
        self._avals = [x.aval for x in out]
        return out

    def _donated_as_well(self, leaves: Sequence[Any]) -> list[int]:
        """Return the positions of donated arrays that the call passes more than once."""
        if not self._donated or len(set(map(id, leaves))) == len(leaves):
            return []
        uses = collections.Counter(map(id, leaves))
        return [i for i in self._donated if isinstance(leaves[i], jax.Array) and uses[id(leaves[i])] > 1]

    def _placed(self, x: Any, sharding: NamedSharding, name: str) -> Any:
        if isinstance(x, jax.Array):
            if x.is_deleted():
                raise RuntimeError(
                    f"Array has been deleted: argument '{name}' of {self.name} was donated to a call before"
                )
            if x.sharding.is_equivalent_to(sharding, x.ndim):
                return x if x.sharding == sharding else jax.device_put(x, sharding)
        on_host = not isinstance(x, jax.Array) or x.is_fully_addressable
        return _spread(x, sharding) if on_host and not sharding.is_fully_addressable else jax.device_put(x, sharding)

    def nested(self, leaves: Sequence[Any]) -> Any:
        """Call inside jit, scan, cond and similar. Raises `UnsupportedError` under vmap, jvp and grad."""
        if self._nested is None:
            self._nested = self._guarded()
        surrounding = jax.sharding.get_abstract_mesh()
        assert isinstance(self.plan.mesh, jax.sharding.Mesh)
        own = self.plan.mesh.abstract_mesh if surrounding.empty else surrounding  # no jax.set_mesh: arguments name it
        if AxisType.Explicit not in own.axis_types:
            return self._nested(*leaves)
        # The surrounding types contain the shardings of values; inside, XLA decides them.
        explicit = {n for n, kind in zip(own.axis_names, own.axis_types, strict=True) if kind == AxisType.Explicit}
        specs = tuple(restricted(s.spec, explicit) for s in self.plan.flat_out_shardings)
        with jax.sharding.use_abstract_mesh(own):
            return jax.sharding.auto_axes(self._nested, axes=tuple(explicit), out_sharding=specs)(*leaves)

    def _guarded(self) -> Callable[..., Any]:
        name = self.name

        @jax.custom_batching.custom_vmap
        def batched(*leaves: Any) -> Any:
            return self.jitted(*leaves)

        @batched.def_vmap
        def _(axis_size: int, in_batched: Any, *leaves: Any) -> Any:
            raise UnsupportedError(f"vmap of {name}, which is partitioned by partir.jit: put the vmap inside")

        @jax.custom_jvp
        def differentiated(*leaves: Any) -> Any:
            return batched(*leaves)

        @differentiated.defjvp
        def _(primals: Any, tangents: Any) -> Any:
            raise UnsupportedError(
                f"jvp or grad of {name}, which is partitioned by partir.jit: put jax.grad inside, as in "
                "partir.jit(jax.grad(loss), …)"
            )

        return differentiated


def _spread(x: Any, sharding: NamedSharding) -> Any:
    """Return an array over several processes, each of which has the complete value and takes its part."""
    shape = shape_of(x)
    bits = np.asarray(jax.random.key_data(x) if is_key(shape) else x, bits_of(shape).dtype)
    out = jax.make_array_from_callback(bits.shape, sharding, lambda index: bits[index])
    return _jax_private.wrap_key(out, shape.dtype) if is_key(shape) else out


def _padded(shape: Shape, sizes: Sequence[int]) -> Shape:
    """Return the shape of all devices' parts together, padding included."""
    return Shape(tuple(sizes), shape.dtype, weak_type=shape.weak_type)


def _pad(x: Any, shape: Sequence[int]) -> Any:
    """Append zeros to dimensions up to the given shape."""
    if x.shape == tuple(shape):
        return x
    return jnp.pad(x, [(0, wide - size) for size, wide in zip(x.shape, shape, strict=True)])


def _cut(x: Any, shape: Sequence[int], sharding: NamedSharding) -> Any:
    """Return the leading elements of each dimension, without padding, sharded as given.

    The padded array is gathered first: XLA makes a slice of a tiled dimension a sum with zeros, which changes -0.0.
    """
    if x.shape == tuple(shape):
        return x
    return jax.lax.with_sharding_constraint(x, sharding)[tuple(slice(0, size) for size in shape)]


def _part(shape: Shape, sharding: NamedSharding) -> Shape:
    """Return the shape of one device's part."""
    spec: PartitionSpec = sharding.spec
    mesh = sharding.mesh.shape
    dims = list(shape.shape)
    for d, entry in enumerate(spec):
        for axis in () if entry is None else (entry,) if isinstance(entry, str) else entry:
            dims[d] //= mesh[axis]
    return Shape(tuple(dims), shape.dtype, weak_type=shape.weak_type)
