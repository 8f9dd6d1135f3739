"""Runs strategies in PyTorch, in two processes over gloo. A separate program, for an interpreter that has torch.

``torch_replay.py CASES.json RESULTS.json`` starts the processes. A case names an operator and the placements of its
tensors and results. Each process applies the operator to its parts; the parts of the results are exchanged,
combined by the placements that the strategy declares, and compared with the operator on complete tensors, for several
random draws.
With ``"dispatch": true`` DTensor itself is called, in two separate processes: if a case fails on only one of them,
the other waits forever.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, init_device_mesh
from torch_strategies import call_arguments, example, overload

DRAWS = 4
DISPATCH_SECONDS = 120
COMBINED = {
    "sum": sum,
    "avg": lambda parts: sum(parts) / len(parts),
    "max": lambda parts: torch.maximum(*parts),
    "min": lambda parts: torch.minimum(*parts),
    "product": lambda parts: parts[0] * parts[1],
}


def placement(text):
    """Return the placement for "S(0)", "P(max)" or "R"."""
    found = re.fullmatch(r"S\((\d+)\)|P\((\w+)\)|R", text)
    if found is None:
        raise ValueError(f"placement {text}")
    if found[1]:
        return Shard(int(found[1]))
    return Partial(found[2]) if found[2] else Replicate()


def parts_of(tensor, sizes, domain, where):
    """Return a complete value and the parts of both processes; the addends of partial values are drawn independently.

    Both processes draw the same numbers.
    """
    if isinstance(where, Partial):
        parts = [example(tensor, sizes, domain) for _ in range(2)]
        return COMBINED[where.reduce_op](parts), parts
    whole = example(tensor, sizes, domain)
    if isinstance(where, Replicate):
        return whole, [whole, whole]
    size = whole.shape[where.dim]
    first = -(-size // 2)
    return whole, [whole.narrow(where.dim, 0, first), whole.narrow(where.dim, first, size - first)]


def together(parts, where):
    """Return the complete values that a result's parts represent; a replicated result has one for each process."""
    if isinstance(where, Shard):
        return [torch.cat(parts, where.dim)]
    return [COMBINED[where.reduce_op](parts)] if isinstance(where, Partial) else parts


def same(a, b):
    """Return whether two complete values agree."""
    if a.shape != b.shape:
        return False
    return torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-3, equal_nan=True)


def listed(value):
    """Return the results of an operator as a list."""
    return list(value) if isinstance(value, (tuple, list)) else [value]


class Draw:
    """The arguments of one random draw: complete tensors, and the parts of this process."""

    def __init__(self, case, sizes, number, rank):
        """Draw the arguments; both processes draw the same."""
        torch.manual_seed(100 * number + 7)
        self.case, self.sizes = case, {**sizes, **case.get("sizes", {})}
        self.target = overload(case["aten"])
        self.into = [placement(p) for p in case["inputs"]]
        made = [
            parts_of(t, self.sizes, d, p) for t, d, p in zip(case["tensors"], case["domains"], self.into, strict=True)
        ]
        self.parts = [parts[rank] for _, parts in made]
        self.expected = self.called([whole for whole, _ in made], self.sizes)

    def called(self, tensors, sizes):
        """Return the results of the operator on these tensors."""
        return listed(self.target(*call_arguments(self.case["args"], tensors, sizes), **self.case["kwargs"]))

    def on_parts(self):
        """Return the results of the operator on the parts of this process."""
        sizes = dict(self.sizes)
        for t, p, part in zip(self.case["tensors"], self.into, self.parts, strict=True):
            if isinstance(p, Shard) and t["sizes"][p.dim] in sizes:
                sizes[t["sizes"][p.dim]] = part.shape[p.dim]
        return self.called(self.parts, sizes)

    def by_dtensor(self, mesh):
        """Return DTensor's results as complete tensors, and their placements."""
        found = self.called(
            [DTensor.from_local(x, mesh, [p]) for x, p in zip(self.parts, self.into, strict=True)], self.sizes
        )
        return [f.full_tensor() for f in found], [str(f.placements[0]) for f in found]

    def judged(self, found, placements):
        """Return the first difference of complete results, or None. `found` has the values of each result."""
        for i, (e, values) in enumerate(zip(self.expected, found, strict=True)):
            for w in values:
                if not same(e, w):
                    said = {"expected": str(e)[:300], "found": str(w)[:300]}
                    return {"state": "wrong", "result": i, "placements": placements, **said}
        return None


def failed(error):
    """Return the state of a case that raised an exception."""
    return {"state": "fails", "error": f"{type(error).__name__}: {error}"[:300]}


def run(case, sizes, rank):
    """Return "right", or what is wrong. Both processes exchange equally often even on failure, and return the same."""
    for number in range(DRAWS):
        draw = error = parts = None
        try:
            draw = Draw(case, sizes, number, rank)
            parts = draw.on_parts()
        except Exception as raised:
            error = failed(raised)
        both = [None, None]
        dist.all_gather_object(both, (error, parts))
        for error, _ in both:
            if error:
                return error
        try:
            out = [placement(p) for p in case["outputs"]]
            found = [together([parts[i] for _, parts in both], p) for i, p in enumerate(out)]
            wrong = draw.judged(found, case["outputs"])
        except Exception as raised:  # parts that do not fit together, in both processes alike
            return failed(raised)
        if wrong:
            return wrong
    return {"state": "right", "placements": case["outputs"]}


def run_dispatch(case, sizes, rank, mesh):
    """Return the same as `run`, for a call of DTensor."""
    for number in range(DRAWS):
        draw = Draw(case, sizes, number, rank)
        found, placements = draw.by_dtensor(mesh)
        wrong = draw.judged([[f] for f in found], placements)
        if wrong:
            return wrong
    return {"state": "right", "placements": placements}


def process(rank, cases, results, port):
    """Run as one of the two processes."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2)
    request = json.loads(pathlib.Path(cases).read_text())
    if request["dispatch"]:
        (case,) = request["cases"]
        try:
            out = [run_dispatch(case, request["sizes"], rank, init_device_mesh("cpu", (2,)))]
        except Exception as error:
            out = [failed(error)]
    else:
        out = [run(case, request["sizes"], rank) for case in request["cases"]]
    pathlib.Path(f"{results}.{rank}").write_text(json.dumps(out))


def in_two_processes(request, seconds):
    """Return the results of each of two processes; None if they do not terminate or die."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with tempfile.TemporaryDirectory(prefix="openpartir") as folder:
        cases, results = pathlib.Path(folder) / "cases.json", pathlib.Path(folder) / "results.json"
        cases.write_text(json.dumps(request))
        both = [subprocess.Popen([sys.executable, __file__, str(r), str(cases), str(results), port]) for r in range(2)]
        until = time.monotonic() + seconds
        while any(p.poll() is None for p in both):
            if time.monotonic() > until or any(p.poll() for p in both):
                break
            time.sleep(0.05)
        for p in both:
            p.kill()
            p.wait()
        if not all(pathlib.Path(f"{results}.{r}").exists() for r in range(2)):
            return None
        return [json.loads(pathlib.Path(f"{results}.{r}").read_text()) for r in range(2)]


def main():
    """Start both processes, or run as one of them."""
    if len(sys.argv) == 5:
        process(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4])
        return 0
    request = json.loads(pathlib.Path(sys.argv[1]).read_text())
    results = [None] * len(request["cases"])
    local = [i for i, case in enumerate(request["cases"]) if not case.get("dispatch")]
    groups = [(local, False, 60 + 20 * len(local))] if local else []
    groups += [([i], True, DISPATCH_SECONDS) for i in range(len(results)) if i not in local]
    for numbers, dispatch, seconds in groups:
        cases = [request["cases"][i] for i in numbers]
        found = in_two_processes({"sizes": request["sizes"], "cases": cases, "dispatch": dispatch}, seconds)
        if found is None and not dispatch:
            print(f"two processes died or came to no end in {seconds} s", file=sys.stderr)
            return 1
        found = found or [[{"state": "fails", "error": "one process died or waited for the other without end"}]] * 2
        for i, a, b in zip(numbers, *found, strict=True):
            results[i] = b if a["state"] == "right" else a
    pathlib.Path(sys.argv[2]).write_text(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
