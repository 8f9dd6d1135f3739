"""Measures matrix products, copies, functions of one element and collectives on all devices that JAX has here, at once.

The measurements are written as CSV, from which `partir simulate --calibrate` creates a device file:

    python3 examples/python/measure_device.py measured.csv [--largest 2048] [--seconds 0.2]
    partir simulate --calibrate measured.csv --device a100 -o my_device.json

On a CPU, XLA_FLAGS=--xla_force_host_platform_device_count=8 measures eight devices that share its cores, as eight
devices of a program then do. Each figure is the median of several runs of a loop on the device, so that calls from
Python do not count.
"""

import argparse
import csv
import os
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

CLOCKS = {"wall": time.perf_counter, "cpu": lambda: time.process_time() / os.cpu_count()}
COLUMNS = ("kind", "type", "rows", "columns", "depth", "bytes", "operations", "devices", "seconds", "module")
TYPES = {"f32": jnp.float32, "bf16": jnp.bfloat16}


class Devices:
    """Runs a function of one device's array on all devices at once."""

    def __init__(self, seconds, clock):
        self.now = CLOCKS[clock]
        self.mesh = Mesh(np.array(jax.devices()), ("d",))
        self.count, self.seconds = len(jax.devices()), seconds

    def array(self, shape, dtype):
        sharding = NamedSharding(self.mesh, PartitionSpec("d"))
        values = (np.arange(np.prod(shape)) % 7 / 7).reshape(shape).astype(np.float32)
        return jax.device_put(np.stack([values] * self.count).astype(dtype), sharding)

    def time(self, body, *arrays):
        """Return the median seconds of body(*values) -> first value, repeated on the device."""

        def many(times):
            def local(*values):
                values = [v[0] for v in values]
                loop = jax.lax.fori_loop(0, times, lambda _, x: body(x, *values[1:]), values[0])
                return loop[None]

            spec = PartitionSpec("d")
            return jax.jit(
                jax.shard_map(local, mesh=self.mesh, in_specs=(spec,) * len(arrays), out_specs=spec, check_vma=False)
            )

        def run(f):
            start = self.now()
            jax.block_until_ready(f(*arrays))
            return self.now() - start

        few = many(2)
        run(few)
        once = max(run(few) / 2, 1e-7)
        times = int(min(2000, max(3, self.seconds / 3 / once)))
        f, empty = many(times), many(0)
        run(f), run(empty)
        return max(1e-9, statistics.median(run(f) - run(empty) for _ in range(5)) / times)


def square_products(devices, size, dtype):
    """Return the seconds of a product of square matrices."""
    a, b = devices.array((size, size), dtype), devices.array((size, size), dtype)
    return devices.time(lambda x, y: (x @ y) * jnp.asarray(1 / size, dtype), a, b)


def long_products(devices, size):
    """Return the seconds of two products, with many rows and few columns as in models."""
    a, b, c = (devices.array(s, jnp.float32) for s in ((4 * size, size), (size, size // 2), (size // 2, size)))
    return devices.time(lambda x, y, z: ((x @ y) @ z) * (1 / size**2), a, b, c)


def products(devices, largest):
    size = 64
    while size <= largest:
        for name, dtype in TYPES.items():
            if name == "bf16" and jax.devices()[0].platform == "cpu":
                continue  # emulated on this platform
            seconds = square_products(devices, size, dtype)
            yield {"kind": "matmul", "type": name, "rows": size, "columns": size, "depth": size, "seconds": seconds}
        yield {
            "kind": "matmul",
            "type": "f32",
            "rows": 4 * size,
            "columns": size // 2,
            "depth": size,
            "seconds": long_products(devices, size) / 2,
        }
        size *= 2


def copies(devices, largest):
    elements = 64
    while elements * 4 <= largest * largest * 4:
        seconds = devices.time(lambda x: x * 1.0001 + 0.1, devices.array((elements,), jnp.float32))
        yield {"kind": "copy", "bytes": 8 * elements, "seconds": seconds}
        elements *= 4


def functions(devices):
    elements, depth = 4096, 32
    x = devices.array((elements,), jnp.float32)

    def arithmetic(x):
        for _ in range(depth):
            x = x * 0.999 + 0.001
        return x

    def special(x):
        for _ in range(depth // 4):
            x = jnp.tanh(x) * 0.999
        return x

    yield {"kind": "vector", "type": "f32", "operations": 2 * depth * elements, "seconds": devices.time(arithmetic, x)}
    yield {"kind": "special", "type": "f32", "operations": depth // 4 * elements, "seconds": devices.time(special, x)}


def launches(devices):
    """Measure kernels that hardly compute, one after another: products, which are never fused."""
    count = 32
    x, y = devices.array((4, 4), jnp.float32), devices.array((4, 4), jnp.float32)

    def many(x, y):
        for k in range(count):
            x = x @ (y if k % 2 else y.T)
        return x * 1e-3

    yield {"kind": "launch", "seconds": devices.time(many, x, y) / count}


def collectives(devices, largest):
    n = devices.count
    if n == 1:
        return

    def all_reduce(v):
        return jax.lax.psum(v, "d") * (1 / n)

    def all_gather(v):
        return jax.lax.all_gather(v, "d", tiled=True)[: v.size]

    def reduce_scatter(v):
        return jnp.tile(jax.lax.psum_scatter(v, "d", tiled=True) * (1 / n), n)

    def all_to_all(v):
        return jax.lax.all_to_all(v.reshape(n, -1), "d", 0, 0).reshape(-1)

    elements = 64 * n
    while elements <= largest * largest // 4:
        x = devices.array((elements,), jnp.float32)
        common = {"bytes": 4 * elements, "devices": n}
        yield {"kind": "all_reduce", **common, "seconds": devices.time(all_reduce, x)}
        part = devices.array((elements // n,), jnp.float32)
        yield {"kind": "all_gather", **common, "seconds": devices.time(all_gather, part)}
        yield {"kind": "reduce_scatter", **common, "seconds": devices.time(reduce_scatter, x)}
        yield {"kind": "all_to_all", **common, "seconds": devices.time(all_to_all, x)}
        elements *= 8


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--largest", type=int, default=2048, help="side of the largest product; copies reach its bytes")
    parser.add_argument("--seconds", type=float, default=0.2, help="about so long for each figure")
    parser.add_argument(
        "--clock",
        choices=CLOCKS,
        default="wall",
        help="cpu: processor time over cores, for eight devices on a CPU that others use, too",
    )
    options = parser.parse_args()
    devices = Devices(options.seconds, options.clock)
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for kind in (
            products(devices, options.largest),
            copies(devices, options.largest),
            functions(devices),
            launches(devices),
            collectives(devices, options.largest),
        ):
            for row in kind:
                row["seconds"] = f"{row['seconds']:.4g}"
                writer.writerow(row)
                print(", ".join(f"{k} {v}" for k, v in row.items()), flush=True)


if __name__ == "__main__":
    main()
