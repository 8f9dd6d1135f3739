"""Runs strategies in PyTorch, in two processes over gloo. Runs by itself, on an interpreter that has torch.

``torch_replay.py CASES.json RESULTS.json`` starts the two processes. A case names an operator and the placements of its
tensors and results. Each process applies the operator to its parts; results are read back by the placements that the
strategy declares and compared with the operator on whole tensors, for several draws. With ``"dispatch": true`` DTensor
itself is called.
"""

import json
import os
import re
import subprocess
import sys

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor, init_device_mesh
from torch_strategies import call_arguments, example, overload

DRAWS = 4


def placement(text):
    """Return the placement of "S(0)", "P(max)", "R"."""
    found = re.fullmatch(r"S\((\d+)\)|P\((\w+)\)|R", text)
    if found is None:
        raise ValueError(f"placement {text}")
    if found[1]:
        return Shard(int(found[1]))
    return Partial(found[2]) if found[2] else Replicate()


def spread(tensor, sizes, domain, where, mesh):
    """Return a DTensor of this placement and its whole value; parts of partial ones are drawn apart."""
    if not isinstance(where, Partial):
        whole = example(tensor, sizes, domain)
        dist.broadcast(whole, 0)
        return distribute_tensor(whole, mesh, [where]), whole
    torch.manual_seed(torch.initial_seed() + 1)  # the same in both processes
    parts = [example(tensor, sizes, domain) for _ in range(2)]
    operation = {
        "sum": sum,
        "avg": lambda p: sum(p) / 2,
        "max": lambda p: torch.maximum(*p),
        "min": lambda p: torch.minimum(*p),
    }
    return DTensor.from_local(parts[dist.get_rank()], mesh, [where]), operation[where.reduce_op](parts)


def same(a, b):
    """Whether two whole values agree."""
    if a.shape != b.shape:
        return False
    return torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-3, equal_nan=True)


def run(case, sizes, mesh):
    """Return "right", or what is wrong."""
    target = overload(case["aten"])
    sizes = {**sizes, **case.get("sizes", {})}
    into, out = ([placement(p) for p in case[k]] for k in ("inputs", "outputs"))
    for draw in range(DRAWS):
        torch.manual_seed(100 * draw + 7)
        made = [spread(t, sizes, d, p, mesh) for t, d, p in zip(case["tensors"], case["domains"], into, strict=True)]
        expected = target(*call_arguments(case["args"], [w for _, w in made], sizes), **case["kwargs"])
        expected = expected if isinstance(expected, (tuple, list)) else (expected,)
        if case.get("dispatch"):
            found = target(*call_arguments(case["args"], [x for x, _ in made], sizes), **case["kwargs"])
            found = found if isinstance(found, (tuple, list)) else (found,)
            placements = [str(f.placements[0]) for f in found]
            whole = [f.full_tensor() for f in found]
        else:
            local_sizes = dict(sizes)
            for t, p in zip(case["tensors"], into, strict=True):
                if isinstance(p, Shard) and t["sizes"][p.dim] in sizes:
                    local_sizes[t["sizes"][p.dim]] = sizes[t["sizes"][p.dim]] // 2
            found = target(
                *call_arguments(case["args"], [x.to_local() for x, _ in made], local_sizes), **case["kwargs"]
            )
            found = found if isinstance(found, (tuple, list)) else (found,)
            placements = case["outputs"]
            whole = [
                DTensor.from_local(f, mesh, [p], shape=e.shape, stride=e.stride()).full_tensor()
                for f, p, e in zip(found, out, expected, strict=True)
            ]
        for i, (e, w) in enumerate(zip(expected, whole, strict=True)):
            if not same(e, w):
                return {
                    "state": "wrong",
                    "result": i,
                    "placements": placements,
                    "expected": str(e)[:300],
                    "found": str(w)[:300],
                }
    return {"state": "right", "placements": placements}


def process(rank, cases, results, port):
    """Be one of the two."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    with open(cases) as file:
        request = json.load(file)
    out = []
    for case in request["cases"]:
        try:
            out.append(run(case, request["sizes"], mesh))
        except Exception as error:
            out.append({"state": "fails", "error": f"{type(error).__name__}: {error}"[:300]})
    gathered = [None, None]
    dist.all_gather_object(gathered, out)
    if rank == 0:
        merged = [b if a["state"] == "right" else a for a, b in zip(*gathered, strict=True)]
        with open(results, "w") as file:
            json.dump(merged, file)
    dist.destroy_process_group()


def main():
    """Start both, or be one."""
    if len(sys.argv) == 5:
        process(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4])
        return 0
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    both = [subprocess.Popen([sys.executable, __file__, str(r), sys.argv[1], sys.argv[2], port]) for r in range(2)]
    return max([p.wait() for p in both])


if __name__ == "__main__":
    sys.exit(main())
