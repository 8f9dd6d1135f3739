"""Replaces calls of private functions by their operations, because a claim is a single function."""

from __future__ import annotations

from typing import Any

__all__ = ["inlined"]


def _replace(call: Any, callee: Any) -> None:
    """Insert the callee's operations in place of the call."""
    from jaxlib.mlir import ir

    block = callee.regions[0].blocks[0]
    known: list[tuple[Any, Any]] = list(zip(block.arguments, call.operands, strict=True))

    def of(value: Any) -> Any:
        return next((new for old, new in known if old == value), value)

    for op in block.operations:
        operands = [of(v) for v in op.operands]
        if op.operation.name == "func.return":
            for result, value in zip(call.results, operands, strict=True):
                result.replace_all_uses_with(value)
            continue
        copy = op.operation.clone(ip=ir.InsertionPoint(call))
        for i, value in enumerate(operands):
            copy.operands[i] = value
        known += list(zip(op.results, copy.results, strict=True))
    call.erase()


def inlined(text: str) -> str:
    """Return the module with all operations in its main function."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        functions = {str(f.attributes["sym_name"]).strip('"'): f for f in module.body.operations}
        main = functions["main"]
        while True:
            calls = [op for op in main.regions[0].blocks[0].operations if op.operation.name == "func.call"]
            if not calls:
                break
            for call in calls:
                name = str(call.attributes["callee"]).lstrip("@")
                _replace(call.operation, functions[name])
        for name, function in functions.items():
            if name != "main":
                function.erase()
        return str(module)
