"""Asks the installed PyTorch for its op strategies. A separate program, for an interpreter that has torch.

It reads operators as JSON on standard input, and writes for each its strategies over one mesh dimension as placements
of inputs and results: ``{"add.Tensor": [[["S(0)", "S(0)"], ["S(0)"]], …]}``.
"""

import json
import sys

import torch
from torch.distributed.tensor._ops import strategy_validation as validation
from torch.testing._internal.distributed.fake_pg import FakeStore

DTYPES = {"f32": torch.float32, "i32": torch.int64, "bool": torch.bool}


def overload(name):
    """Return the overload with a name such as "add.Tensor"."""
    packet, _, variant = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), variant)


def call_arguments(template, tensors, sizes):
    """Insert tensors and sizes into a template such as ["T", 0, ["M", -1]]."""
    rest = iter(tensors)

    def filled(a):
        if a == "T":
            return next(rest)
        if isinstance(a, list):
            return [filled(x) for x in a]
        if isinstance(a, str) and a in sizes:
            return sizes[a]
        return getattr(torch, a) if a == "float32" else a

    return tuple(filled(a) for a in template)


def shape_of(symbols, sizes):
    """Return the shape for symbols such as "MN1"."""
    return tuple(sizes[s] if s in sizes else int(s) for s in symbols)


def example(tensor, sizes, domain):
    """Return a random tensor within the domain."""
    shape = shape_of(tensor["sizes"], sizes)
    if domain.startswith("index:"):
        bound = domain.split(":")[1]
        return torch.randint(0, sizes[bound] if bound in sizes else int(bound), shape)
    if tensor["dtype"] == "bool":
        return torch.rand(shape) < 0.5
    if tensor["dtype"] == "i32":
        return torch.randint(-50, 50, shape)
    if domain == "positive":
        return torch.rand(shape) * 2 + 0.5
    if domain == "unit":
        return torch.rand(shape) * 0.8 + 0.1
    # Zeros and equal values reveal errors that random numbers do not: x != 0, the first of several maxima.
    return torch.randint(-2, 3, shape).float() if torch.rand(()) < 0.5 else torch.randn(shape) * 2


def strategies(op, sizes):
    """Return the strategies of an operator, or a reason why there are none."""
    try:
        target = overload(op["aten"])
    except AttributeError:
        return {"reason": "this PyTorch does not have it"}
    tensors = [example(t, sizes, d) for t, d in zip(op["tensors"], op["domains"], strict=True)]
    args = call_arguments(op["args"], tensors, sizes)
    try:
        results = target(*args, **op["kwargs"])
    except Exception as error:
        return {"reason": f"it does not run: {str(error)[:200]}"}
    results = results if isinstance(results, (tuple, list)) else (results,)
    rules = validation._query_dtensor_rules(
        target,
        [(f"x{i}", t) for i, t in enumerate(tensors)],
        args,
        op["kwargs"],
        tuple(tuple(t.shape) for t in tensors),
        tuple(tuple(r.shape) for r in results),
        2,
        False,
    )
    shapes = [list(r.shape) for r in results]
    return {"rules": sorted([list(i), list(o)] for i, o in rules), "shapes": shapes, "results": len(results)}


def main():
    """Answer for all operators on standard input."""
    request = json.load(sys.stdin)
    torch.manual_seed(0)
    torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    out = {op["name"]: strategies(op, request["sizes"]) for op in request["operators"]}
    json.dump({"torch": torch.__version__, "operators": out}, sys.stdout)


if __name__ == "__main__":
    main()
