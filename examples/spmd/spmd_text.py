"""Returns the StableHLO text of a JAX function, and of the program that each device runs under jax.shard_map.

`device_text` takes the body of the `sdy.manual_computation` to which shard_map is lowered and writes it as a
device-local module: the program that a device runs, with explicit collectives, in which `partir.mesh` and
`partir.sharding` state how global arrays map to it.
"""

import os
import re

os.environ.setdefault("JAX_PLATFORMS", "cpu")
if "host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec


def structs(arrays):
    """Return shapes as (sizes, dtype) pairs, or sizes alone for f32."""
    out = []
    for a in arrays:
        sizes, dtype = a if len(a) == 2 and isinstance(a[0], tuple) else (a, "float32")
        out.append(jax.ShapeDtypeStruct(sizes, dtype))
    return out


def source_text(f, arrays):
    return jax.jit(f).lower(*structs(arrays)).as_text()


def sharding(spec, rank):
    """Return "[{x}, {}]" for PartitionSpec("x", None)."""
    parts = list(spec) + [None] * (rank - len(spec))
    names = [() if p is None else (p,) if isinstance(p, str) else tuple(p) for p in parts]
    return "[" + ", ".join("{" + ", ".join(n) + "}" for n in names) + "]"


def specs(texts):
    """Parse shardings: "x -" is PartitionSpec("x", None); "a+b" puts two axes on one dimension; "" is a scalar."""
    out = []
    for t in texts:
        parts = [None if p == "-" else tuple(p.split("+")) if "+" in p else p for p in t.split()]
        out.append(PartitionSpec(*parts))
    return tuple(out)


def device_text(f, mesh, inputs, outputs, arrays, expect):
    """Return a device-local module.

    `mesh` is "batch=4,model=2"; specs() parses `inputs` and `outputs`; `expect` is the verdict in the first line.
    """
    axes = [(a.split("=")[0], int(a.split("=")[1])) for a in mesh.split(",")]
    count = int(np.prod([n for _, n in axes]))
    devices = Mesh(np.array(jax.devices()[:count]).reshape([n for _, n in axes]), [a for a, _ in axes])
    single = len(outputs) == 1
    out_specs = specs(outputs)
    mapped = jax.shard_map(
        f, mesh=devices, in_specs=specs(inputs), out_specs=out_specs[0] if single else out_specs, check_vma=False
    )
    text = jax.jit(mapped).lower(*structs(arrays)).as_text()
    return as_device_module(
        text,
        mesh,
        count,
        [sharding(s, len(a.shape)) for s, a in zip(specs(inputs), structs(arrays), strict=True)],
        out_specs,
        expect,
    )


def frontend(name, value):
    """Return the text of a frontend attribute."""
    return f'{{mhlo.frontend_attributes = {{{name} = "{value}"}}}}'


def rank_of(tensor):
    """Return 2 for "tensor<4x8xf32>"."""
    return tensor.count("x") - (1 if "complex" in tensor else 0) if "x" in tensor else 0


def as_device_module(text, mesh, count, arguments, out_specs, expect):
    lines = text.split("\n")
    start = next(k for k, line in enumerate(lines) if "sdy.manual_computation" in line)
    depth = lines[start].index("%")
    end = next(k for k in range(start + 1, len(lines)) if lines[k].startswith(" " * depth + "} : "))
    block = re.search(r"manual_axes=\{[^}]*\} \((.*)\) \{$", lines[start])[1]
    names = re.findall(r"(%\w+): (tensor<[^>]*>+)", block)
    results = re.search(r"sdy.return (.*?)(?: : (.*))?$", lines[end - 1])
    types = re.findall(r"tensor<(?:[^<>]|<[^<>]*>)*>", results[2] or "")
    args = ", ".join(
        f"{name}: {type_} {frontend('partir.sharding', given)}"
        for (name, type_), given in zip(names, arguments, strict=True)
    )
    rets = ", ".join(
        f"{type_} {frontend('partir.sharding', sharding(spec, rank_of(type_)))}"
        for type_, spec in zip(types, out_specs, strict=True)
    )
    body = [line[2:] for line in lines[start + 1 : end - 1]]
    tail = lines[end + 1 :]
    tail = tail[next(k for k, line in enumerate(tail) if line.startswith("  }")) + 1 :]
    head = [
        f"// EXPECT: {expect}",
        f'module @spmd attributes {{mhlo.frontend_attributes = {{partir.mesh = "{mesh}"}}, '
        f"mhlo.num_partitions = {count} : i32, mhlo.num_replicas = 1 : i32}} {{",
        f"  func.func public @main({args}) -> ({rets}) {{",
    ]
    return "\n".join(head + body + [f"    return {results[1]} : {results[2]}", "  }"] + tail)


def write(folder, name, source, variants, arrays):
    """Write a source and its variants; `variants` maps a name to (function, mesh, inputs, outputs, expect)."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".seq.mlir"), "w") as f:
        f.write(source_text(source, arrays))
    for variant, (function, mesh, inputs, outputs, expect) in variants.items():
        with open(os.path.join(folder, f"{name}.{variant}.spmd.mlir"), "w") as f:
            f.write(device_text(function, mesh, inputs, outputs, arrays, expect))
