"""Implements `partir.jit`, which plans a function on its first call and runs it on the mesh."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax

from openpartir import _engine, _jax_private
from openpartir._mesh import AnyMesh, axes_of, inside_mesh, outside_meshes, platform_of, split, to_mesh
from openpartir._program import Call, Program, Signature, trace
from openpartir._progress import progress
from openpartir._run import Runner, refuse_shard_map
from openpartir.errors import PartirError
from openpartir.plan import Plan
from openpartir.requests import engine_tactics
from openpartir.schedule import Tactic

__all__ = ["Partitioned", "jit"]


def plan_program(
    program: Program, mesh: AnyMesh, schedule: Sequence[Tactic], *, check: bool, device: str | None
) -> Plan:
    """Partition a traced function."""
    tactics = engine_tactics(schedule, program.arguments, program.results)
    with progress(f"partitioning {program.name}"):
        engine = _engine.partition(
            program=program.text,
            name=program.name,
            mesh=axes_of(mesh),
            arguments=program.arguments.names,
            results=program.results.names,
            tactics=tactics,
            schedule_file=schedule[0].file if schedule else "the schedule",
            check=check,
            device=device,
        )
    return Plan(program, split(mesh, engine.mesh), engine.schedule, engine)


class Partitioned:
    """A function that runs partitioned. Created by `openpartir.jit`."""

    def __init__(
        self,
        fun: Callable[..., Any],
        mesh: AnyMesh,
        schedule: Sequence[Tactic],
        signature: Signature,
        check: bool,
        device: str | None,
    ) -> None:
        """See `openpartir.jit`."""
        functools.update_wrapper(self, fun)
        self.__name__: str = getattr(fun, "__name__", "function")
        self.mesh = mesh
        self.schedule = schedule
        self.signature = signature
        self._check = check
        self._device = device
        self._plans: dict[Any, Plan] = {}
        self._latest: dict[Any, Runner] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function on the mesh; its results have the planned shardings."""
        if jax.sharding.get_abstract_mesh().empty:
            return self._call(args, kwargs)
        refuse_shard_map(self.__name__)
        call = self.signature.call(args, kwargs)
        if any(map(_jax_private.is_tracer, call.leaves)):
            plan = self.lower(*args, **kwargs)
            return jax.tree.unflatten(plan.program.out_tree, plan.runner.nested(call.leaves))
        with outside_meshes():
            return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        call = self.signature.call(args, kwargs)
        key = self._key(call)
        runner = self._latest.get(key)
        if runner is None or not runner.accepts(call.leaves):
            plan = self._plan(key, call, args, kwargs)
            runner = plan.runner
            if any(map(_jax_private.is_tracer, call.leaves)):
                return jax.tree.unflatten(plan.program.out_tree, runner.nested(call.leaves))
            call = Call(runner.place(call.leaves), call.tree, call.static)
            self._latest[key] = runner
        return jax.tree.unflatten(runner.out_tree, runner.jitted(*call.leaves))

    def lower(self, *args: Any, **kwargs: Any) -> Plan:
        """Plan for arguments like these, which may be arrays or ShapeDtypeStructs; nothing runs."""
        call = self.signature.call(args, kwargs)
        with outside_meshes():
            return self._plan(self._key(call), call, args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind like a function; the instance then becomes an argument, which may be static or a pytree."""
        return self if instance is None else functools.partial(self, instance)

    def _key(self, call: Call) -> Any:
        """Return everything but the shapes that determines which program is traced."""
        try:
            hash(call.static)
        except TypeError as error:
            raise ValueError(f"a static argument of {self.__name__} is not hashable: {error}") from None
        return call.tree, call.static, _jax_private.configuration()

    def _plan(self, key: Any, call: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Plan:
        shapes = tuple((s.shape, s.dtype, s.weak_type) for s in self.signature.shapes(call, args, kwargs))
        plan = self._plans.get((key, shapes))
        if plan is None:
            with inside_mesh(self.mesh):
                program = trace(self.signature, args, kwargs, platform_of(self.mesh))
            plan = plan_program(program, self.mesh, self.schedule, check=self._check, device=self._device)
            if plan.engine.verdict == "unknown":
                warnings.warn(f"{self.__name__}: not known to be right: {plan.engine.reason}", stacklevel=3)
            self._plans[(key, shapes)] = plan
        return plan

    def __repr__(self) -> str:
        """Return a text with the function's name."""
        return f"<partir.jit of {self.__name__}>"


def jit(
    fun: Callable[..., Any],
    *,
    mesh: AnyMesh | Mapping[str, int],
    schedule: Sequence[Tactic],
    static_argnums: int | Sequence[int] | None = (),
    static_argnames: str | Sequence[str] | None = (),
    donate_argnums: int | Sequence[int] | None = (),
    device: str | None = None,
    check: bool = True,
) -> Partitioned:
    """Partition a function by a schedule, and run it on a mesh.

    The function is traced for one device, and tactics tile its values. The program that each device runs is written
    with explicit collectives, and is proved to compute the function. Like `jax.jit` it traces once for each combination
    of shapes, types, pytrees and static arguments.

    Args:
        fun: a function of pytrees of arrays, as for `jax.jit`.
        mesh: a `jax.sharding.Mesh` to run on, or an `AbstractMesh` or a mapping from axes to sizes, to plan only.
        schedule: tactics, in order; a later one never undoes an earlier one.
        static_argnums: as for `jax.jit`; so are static_argnames and donate_argnums.
        static_argnames: as for `jax.jit`.
        donate_argnums: as for `jax.jit`.
        device: simulate a step on this device after each tactic (`Plan.tactics`); a name, or a path of a device file.
        check: prove that the partition is right; if False, the verdict is "skipped".

    Raises:
        PartirError: when called or lowered, if the schedule does not fit the function or the mesh.
        UnsupportedError: if the function calls back into Python, or the result is called under vmap, grad or shard_map.

    Example::

        step = partir.jit(train_step, mesh=jax.make_mesh((4, 2), ("batch", "model")), donate_argnums=(0, 1), schedule=[
            partir.ManualPartition(name="BP", axis="batch", inputs={"batch": 0}),
            partir.ManualPartition(name="MP", axis="model", inputs={"params/layers/*/qkv": 2, "params/**/out": 0}),
        ])
        print(step.lower(params, opt_state, batch))
        params, opt_state, loss = step(params, opt_state, batch)
    """
    if not isinstance(schedule, Sequence) or isinstance(schedule, str):
        raise PartirError(code="schedule", found=repr(schedule), wanted="a list of tactics")
    if not isinstance(check, bool):
        raise PartirError(found=f"check={check!r}", wanted="True or False")
    if not isinstance(device, str | None):
        raise PartirError(found=f"device={device!r}", wanted="the name of a device, or the path of its file")
    signature = Signature(fun, static_argnums, static_argnames, donate_argnums)
    return Partitioned(fun, to_mesh(mesh), list(schedule), signature, check, device)
