"""Partitions a hundred unusual JAX programs by several schedules, and compares each verdict with execution.

usage: odd_programs.py PARTIR [--only NAME…] [--seed N] [--quick]

The programs use what models seldom have: narrow integers, 8-bit floats, complex numbers, random bits, loops with
captured values and nested loops, bit tricks, signed zeros and infinities, empty dimensions. Each is partitioned by each
schedule through the Python package. The program and its partition run in XLA on CPU devices, on ordinary numbers and on
special ones (zeros of both signs, infinities, NaN, ends of integer ranges):

- proved bit-exact: every result must agree on special inputs as well, in every bit but a NaN's (functions of floats may
  differ by 4 units in the last place because of XLA's vectorisation);
- proved over the reals: results must agree on ordinary inputs, within a tolerance;
- refuted: counted as an error, because the partition is the project's own;
- unknown: listed with its reason, and must agree as over the reals.

Where XLA disagrees with a verdict, our interpreter runs both programs. If it agrees with the verdict, the difference is
the backend's and is listed ("XLA's own"). The exit status is 1 if a verdict and an execution still disagree.
"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile
import traceback

import jax

jax.config.update("jax_num_cpu_devices", 4)
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

import openpartir as partir  # noqa: E402

F32 = ((4, 8), "float32")
F64 = ((4, 8), "float64")
I32 = ((4, 8), "int32")
I8 = ((4, 8), "int8")
U8 = ((4, 8), "uint8")
I16 = ((4, 8), "int16")
U16 = ((4, 8), "uint16")
U32 = ((4, 8), "uint32")
I64 = ((4, 8), "int64")
U64 = ((4, 8), "uint64")
B = ((4, 8), "bool")
C64 = ((4, 8), "complex64")
F16 = ((4, 8), "float16")
BF16 = ((4, 8), "bfloat16")
E4 = ((4, 8), "float8_e4m3fn")
E5 = ((4, 8), "float8_e5m2")
KEY = ((4, 2), "uint32")

PROGRAMS = {}


def program(*arguments):
    def add(f):
        assert f.__name__ not in PROGRAMS, f.__name__
        PROGRAMS[f.__name__] = (f, arguments)
        return f

    return add


def family(prefix, table):
    """Registers programs of one line each: name -> (function, arguments)."""
    for name, (f, *arguments) in table.items():
        assert f"{prefix}_{name}" not in PROGRAMS
        PROGRAMS[f"{prefix}_{name}"] = (f, tuple(arguments))


def bits(x, to):
    return lax.bitcast_convert_type(x, to)


family("narrow", {
    "sum_i8": (lambda x: x.sum(0, dtype=jnp.int8), I8),
    "product_i8": (lambda x: x.prod(1, dtype=jnp.int8), I8),
    "matmul_i8": (lambda x, y: lax.dot(x, y.T, preferred_element_type=jnp.int8), I8, I8),
    "matmul_i8_to_i32": (lambda x, y: lax.dot(x, y.T, preferred_element_type=jnp.int32), I8, I8),
    "max_of_differences_u8": (lambda x, y: (x - y).max(1), U8, U8),
    "min_of_negatives_u16": (lambda x: (-x).min(0), U16),
    "mean_as_integer_i16": (lambda x: x.sum(0, dtype=jnp.int32) // 4, I16),
    "cumsum_u8": (lambda x: jnp.cumsum(x, axis=1, dtype=jnp.uint8), U8),
    "widen_after_wrap": (lambda x, y: (x + y).astype(jnp.int32).sum(0), I8, I8),
    "narrow_after_sum": (lambda x: x.sum(0).astype(jnp.int8), I32),
    "shift_and_mask": (lambda x: ((x << 3) | (x >> 5)) & jnp.uint8(0x5A), U8),
    "remainders": (lambda x, y: lax.rem(x, jnp.where(y == 0, jnp.int8(1), y)), I8, I8),
    "floor_division": (lambda x: x // jnp.int16(7), I16),
    "clip_i8": (lambda x: jnp.clip(x, -5, 100).sum(1, dtype=jnp.int8), I8),
    "argmax_i8": (lambda x: jnp.argmax(x, axis=1), I8),
    "argmin_u8": (lambda x: jnp.argmin(x, axis=0), U8),
    "take_by_u8": (lambda x, i: jnp.take(x, i % 4, axis=0, mode="clip"), F32, ((6,), "uint8")),
    "power_i32": (lambda x: x**3 + x, I32),
    "abs_of_least": (lambda x: jnp.abs(x).max(0), I8),
})  # fmt: skip
family("bits", {
    "float_sign": (lambda x: bits(x, jnp.uint32) >> 31, F32),
    "float_parts": (lambda x: (bits(x, jnp.uint32) >> 23) & 255, F32),
    "swap_halves": (lambda x: (x << 16) | (x >> 16), U32),
    "popcount_sum": (lambda x: lax.population_count(x).sum(0), U32),
    "leading_zeros": (lambda x: lax.clz(x).max(1), I32),
    "xor_reduce": (lambda x: lax.reduce(x, np.uint32(0), lax.bitwise_xor, (0,)), U32),
    "and_reduce": (lambda x: lax.reduce(x, np.uint32(0xFFFFFFFF), lax.bitwise_and, (0,)), U32),
    "or_reduce": (lambda x: lax.reduce(x, np.int8(0), lax.bitwise_or, (1,)), I8),
    "fast_inverse_root": (lambda x: bits(jnp.uint32(0x5F3759DF) - (bits(x, jnp.uint32) >> 1), jnp.float32), F32),
    "bytes_of_words": (lambda x: bits(x, jnp.uint8).reshape(4, -1), U32),
    "words_of_bytes": (lambda x: bits(x.reshape(4, 2, 4), jnp.uint32), U8),
    "gray_code": (lambda x: x ^ (x >> 1), U64),
    "parity": (lambda x: lax.population_count(x) & 1, U64),
    "next_after": (lambda x, y: jnp.nextafter(x, y), F32, F32),
    "mulhi": (lambda x, y: ((x.astype(jnp.uint64) * y.astype(jnp.uint64)) >> 32).astype(jnp.uint32), U32, U32),
    "float_as_order_key": (lambda x: jnp.sort(bits(x, jnp.int32), axis=1), F32),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 5, 10), F32),
})  # fmt: skip
family("zeros", {
    "negative_zero_slice": (lambda x: 1 / x[:, 2:6], F32),
    "copysign": (lambda x, y: jnp.copysign(x, y), F32, F32),
    "signbit_of_roll": (lambda x: jnp.signbit(jnp.roll(x, 3, axis=1)), F32),
    "flip_and_concatenate": (lambda x: jnp.concatenate([x[:, ::-1], -x], 1), F32),
    "pad_with_negative_zero": (lambda x: jnp.pad(x, ((1, 1), (0, 2)), constant_values=-0.0), F32),
    "pad_with_infinity": (lambda x: jnp.pad(x, ((0, 0), (2, 2)), constant_values=jnp.inf).max(0), F32),
    "masked_max": (lambda x, p: jnp.where(p, x, -jnp.inf).max(1), F32, B),
    "masked_softmax": (lambda x, p: jax.nn.softmax(jnp.where(p, x, -1e30), axis=1), F32, B),
    "is_finite_all": (lambda x: jnp.isfinite(x).all(0), F32),
    "nan_max": (lambda x: x.max(0), F32),
    "nan_min_abs": (lambda x: jnp.abs(x).min(1), F32),
    "where_nan": (lambda x: jnp.where(jnp.isnan(x), 0.0, x), F32),
    "nan_to_num": (lambda x: jnp.nan_to_num(x), F32),
    "sort_specials": (lambda x: jnp.sort(x, axis=1), F32),
    "argmax_specials": (lambda x: jnp.argmax(x, axis=0), F32),
    "minimum_of_zeros": (lambda x: jnp.minimum(x, -0.0), F32),
    "negative_zero_gather": (lambda x, i: x[i], F32, ((6,), "int32")),
    "scatter_set": (lambda x, i: x.at[i % 4].set(-0.0), F32, ((2,), "int32")),
    "dynamic_slice_specials": (lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (2, 4)), F32, ((2,), "int32")),
    "update_specials": (
        lambda x, y, i: lax.dynamic_update_slice(x, y[:2, :3], (i[0], np.int32(1))), F32, F32, ((1,), "int32"),
    ),
    "sum_of_infinities": (lambda x: jnp.where(x > 2, jnp.inf, x).sum(0), F32),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, axis=0), F32),
})  # fmt: skip
family("complex", {
    "sum": (lambda z: z.sum(0), C64),
    "matmul": (lambda z, w: z @ w.T.conj(), C64, C64),
    "abs_max": (lambda z: jnp.abs(z).max(1), C64),
    "exp": (lambda z: jnp.exp(1j * z.real), C64),
    "parts": (lambda z: z.real * 2 - z.imag.sum(0), C64),
    "fft_rows": (lambda z: jnp.fft.fft(z, axis=1), C64),
    "ifft_after_fft": (lambda z: jnp.fft.ifft(jnp.fft.fft(z, axis=0), axis=0), C64),
    "rfft": (lambda x: jnp.fft.rfft(x, axis=1), F32),
    "divide": (lambda z, w: z / (w + 3), C64, C64),
    "power": (lambda z: z**3, C64),
    "compare": (lambda z, w: (z == w).any(1), C64, C64),
    "of_parts": (lambda x, y: lax.complex(x, y) * 1j, F32, F32),
})  # fmt: skip
family("random", {
    "uniform": (lambda x: x + jax.random.uniform(jax.random.key(3), x.shape), F32),
    "normal_by_row": (lambda k: jax.vmap(lambda q: jax.random.normal(jax.random.wrap_key_data(q), (8,)))(k), KEY),
    "bits": (lambda x: x ^ jax.random.bits(jax.random.key(1), x.shape, jnp.uint8), U8),
    "fold_in": (
        lambda i: jax.vmap(lambda n: jax.random.uniform(jax.random.fold_in(jax.random.key(5), n)))(i), ((8,), "uint32"),
    ),
    "permutation": (lambda x: jax.random.permutation(jax.random.key(2), x, axis=0), F32),
    "categorical": (lambda x: jax.random.categorical(jax.random.key(4), x, axis=1), F32),
    "dropout": (lambda x: jnp.where(jax.random.bernoulli(jax.random.key(9), 0.5, x.shape), x * 2, 0.0), F32),
    "rng_bit_generator": (lambda s: lax.rng_bit_generator(s, (4, 8), jnp.uint32), ((4,), "uint32")),
    "randint": (lambda x: x + jax.random.randint(jax.random.key(7), x.shape, 0, 9, jnp.int32), I32),
})  # fmt: skip
family("eight", {
    "round_e4m3": (lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32), F32),
    "round_e5m2": (lambda x: x.astype(jnp.float8_e5m2).astype(jnp.float32), F32),
    "transpose": (lambda x: x.T, E4),
    "widen_and_sum": (lambda x: x.astype(jnp.float32).sum(0), E5),
    "matmul": (lambda x, y: lax.dot(x, y.T, preferred_element_type=jnp.float32), E4, E4),
    "scale": (lambda x: (x.astype(jnp.float32) * 0.5).astype(jnp.float8_e4m3fn), E4),
    "quantise": (
        lambda x: (x / jnp.maximum(jnp.abs(x).max(1, keepdims=True), 1e-3)).astype(jnp.float8_e5m2).astype(jnp.float32),
        F32,
    ),
    "half_sum": (lambda x: x.sum(1), F16),
    "bf16_matmul": (lambda x, y: x @ y.T, BF16, BF16),
    "slice": (lambda x: x[1:3, ::2], E5),
})  # fmt: skip
family("empty", {
    "sum": (lambda x: x.sum(0), ((0, 8), "float32")),
    "max_with_initial": (lambda x: x.max(1, initial=-1.0), ((4, 0), "float32")),
    "concatenate": (lambda x, y: jnp.concatenate([x, y], 1), ((4, 0), "float32"), F32),
    "matmul": (lambda x, y: x @ y, ((4, 0), "float32"), ((0, 8), "float32")),
    "slice_of_nothing": (lambda x: x[:, 3:3].sum(1), F32),
    "reshape": (lambda x: x.reshape(0, 4), ((4, 0), "int32")),
})  # fmt: skip


@program(F32, ((), "int32"))
def while_with_captured_array(x, n):
    y = jnp.sin(x)
    return lax.while_loop(lambda s: s[0] < n % 5, lambda s: (s[0] + 1, s[1] * 0.5 + y), (jnp.int32(0), x))[1]


@program(F32)
def while_until_small(x):
    return lax.while_loop(lambda v: jnp.abs(v).max() > 0.1, lambda v: v * 0.5, jnp.tanh(x))


@program(F32, F32)
def scan_of_scans(x, w):
    def outer(c, row):
        def inner(d, v):
            return d * 0.9 + v, d

        d, all_of = lax.scan(inner, c, w)
        return d + row, all_of.sum()

    return lax.scan(outer, x[0], x)


@program(I8)
def scan_that_wraps(x):
    return lax.scan(lambda c, r: (c * 3 + r, c), jnp.zeros((8,), jnp.int8), x)


@program(F32)
def scan_reversed_with_stack(x):
    return lax.scan(lambda c, r: (jnp.maximum(c, r), c), jnp.full((8,), -jnp.inf), x, reverse=True)


@program(F32, ((), "int32"))
def switch_of_three(x, i):
    return lax.switch(i, [lambda v: v, lambda v: -v, lambda v: v.sum(0, keepdims=True) + v], x)


@program(F32, ((), "bool"))
def cond_with_captured(x, p):
    y = x.sum(1, keepdims=True)
    return lax.cond(p, lambda v: v + y, lambda v: v - y, x)


@program(F32)
def associative_scan(x):
    return lax.associative_scan(jnp.add, x, axis=1)


@program(F32)
def associative_scan_max(x):
    return lax.associative_scan(jnp.maximum, x, axis=0, reverse=True)


@program(F32, F32)
def fori_matmul(x, w):
    return lax.fori_loop(0, 3, lambda i, v: jnp.tanh(v @ w.T @ w), x)


@program(U32)
def collatz_steps(x):
    def step(s):
        v, k = s
        return jnp.where(v % 2 == 0, v // 2, 3 * v + 1), k + (v > 1).astype(jnp.int32)

    start = (x % 30 + 1, jnp.zeros(x.shape, jnp.int32))
    return lax.while_loop(lambda s: (s[0] > 1).any() & (s[1].max() < 20), step, start)[1]


@program(F32)
def map_of_rows(x):
    return lax.map(lambda r: jnp.sort(r)[::-1], x)


@program(F32)
def callback_that_prints(x):
    jax.debug.print("max {m}", m=x.max())
    return x * 2


@program(F32)
def pure_callback(x):
    return jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x).sum(0)


@program(F32, F32)
def custom_gradient(x, y):
    @jax.custom_vjp
    def f(a):
        return jnp.clip(a, -1, 1)

    f.defvjp(lambda a: (f(a), a), lambda a, g: (jnp.where(jnp.abs(a) > 1, 0.0, g),))
    return jax.grad(lambda a: (f(a) * y).sum())(x)


@program(F32)
def cholesky_of_each(x):
    m = x[:, :4, None] * x[:, None, :4] + 20 * jnp.eye(4)
    return jnp.linalg.cholesky(m)


@program(F32)
def top_k(x):
    return lax.top_k(x, 3)


@program(F32)
def windows_of_products(x):
    return lax.reduce_window(x, np.float32(1), lax.mul, (1, 3), (1, 1), "SAME")


@program(F32)
def windows_of_maxima(x):
    return lax.reduce_window(x, np.float32(-np.inf), lax.max, (2, 2), (2, 2), "VALID")


@program(F32, ((6,), "int32"))
def segment_max(x, i):
    return jax.ops.segment_max(x[:, 0][i % 4], i % 3, num_segments=3)


@program(I32, ((4,), "int32"))
def scatter_that_wraps(x, i):
    return jnp.zeros((8,), jnp.int32).at[i % 8].add(x[:, 0] * 65536 * 16384)


SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 3.0, 1e-40, -1e-40, 3e38, 1 / 3]


def drawn(spec, random, special):
    shape, name = spec
    dtype = jnp.dtype(name)
    if jnp.issubdtype(dtype, jnp.bool_):
        return jnp.asarray(random.integers(0, 2, shape).astype(bool))
    if jnp.issubdtype(dtype, jnp.integer):
        info = jnp.iinfo(dtype)
        low = 0 if info.min == 0 else -3
        values = random.integers(low, 6, shape)
        if (special and dtype.itemsize * 8 != 32) or (special and len(shape) > 1):
            ends = np.array([int(info.min), int(info.max), int(info.max) - 1, 0, 1], dtype=object)
            values = np.where(random.integers(0, 2, shape) == 1, ends[random.integers(0, 5, shape)], values)
        return jnp.asarray(np.asarray(values).astype(dtype))
    if jnp.issubdtype(dtype, jnp.complexfloating):
        re, im = (drawn((shape, "float32"), random, special) for _ in range(2))
        return lax.complex(re, im).astype(dtype)
    values = random.choice(SPECIAL, shape) if special else random.uniform(-2, 2, shape)
    return jnp.asarray(np.asarray(values, np.float64).astype(np.float32)).astype(dtype)


def schedules(specs):
    """Returns names and tactics: the first dimension of the first argument, its last dimension, all arguments, and both
    axes.
    """
    ranks = [len(s[0]) for s in specs]
    out = []
    if ranks[0] > 0:
        out.append(("rows", [("a", {0: 0})]))
    if ranks[0] > 1:
        out.append(("columns", [("b", {0: 1})]))
    if len(ranks) > 1 and ranks[1] > 0:
        out.append(("second", [("a", {1: ranks[1] - 1})]))
    out.append(("first_divisible", [("a", {k: partir.FIRST_DIVISIBLE_DIM for k, r in enumerate(ranks) if r > 0})]))
    if ranks[0] > 1:
        out.append(("both", [("a", {0: 0}), ("b", {0: 1})]))
    return out


def as_numbers(x):
    x = np.asarray(x)
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return np.stack([x.real, x.imag]).astype(np.float64)
    if jnp.issubdtype(x.dtype, jnp.floating):
        return x.astype(np.float64)
    return x


def difference(wanted, got, exact):
    """Returns where the two differ, as text, or None if they agree."""
    w, g = as_numbers(wanted), as_numbers(got)
    if w.shape != g.shape:
        return f"shape {g.shape} where {w.shape} is wanted"
    if w.dtype.kind != "f":
        bad = w != g
    elif exact:
        same = (np.isnan(w) & np.isnan(g)) | ((w == g) & (np.signbit(w) == np.signbit(g)))
        eps = 0.0 if np.asarray(wanted).dtype.kind not in "fcV" else 5e-7
        close = np.isfinite(w) & np.isfinite(g) & (np.abs(w - g) <= eps * np.abs(w)) & (np.signbit(w) == np.signbit(g))
        bad = ~(same | close)
    else:
        narrow = {1: 0.3, 2: 3e-2}.get(np.asarray(wanted).dtype.itemsize, 2e-5)
        scale = max(1.0, float(np.max(np.abs(w), initial=0.0, where=np.isfinite(w))))
        bad = np.isfinite(w) & ~(np.abs(w - g) <= narrow * scale)
    if not bad.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(bad))
    return f"{g[at]!r} where {w[at]!r} is wanted, at {at} ({int(bad.sum())} of {bad.size})"


def interpreted(engine, text, values, count):
    """Returns the results of our interpreter, or None if it cannot run the module."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, n) for n in ("p.mlir", "in.npz", "out.npz")]
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(text)
        np.savez(paths[1], **{f"in_{k}": np.asarray(v) for k, v in enumerate(values)})
        command = [engine, "run", paths[0], "--inputs", paths[1], "--outputs", paths[2]]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        with np.load(paths[2]) as out:
            return [out[f"out_{k}"] for k in range(count)]


def is_of_the_backend(engine, f, plan, values, exact):
    """Returns whether our interpreter finds no difference between the program and its partition on these inputs."""
    wanted = interpreted(engine, jax.jit(f).lower(*values).as_text(), values, plan_results(f, values))
    got = interpreted(engine, plan.as_text(), values, plan_results(f, values))
    if wanted is None or got is None:
        return False
    return all(difference(w, g, exact) is None for w, g in zip(wanted, got, strict=True))


def plan_results(f, values):
    return len(jax.tree.leaves(jax.eval_shape(f, *values)))


def examined(engine, name, seed):
    """Yields (schedule, verdict, disagreement or None) for each schedule."""
    f, specs = PROGRAMS[name]
    random = np.random.default_rng(seed)
    inputs = {"ordinary": [drawn(s, random, False) for s in specs], "special": [drawn(s, random, True) for s in specs]}
    mesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    wanted = {kind: jax.tree.leaves(jax.jit(f)(*values)) for kind, values in inputs.items()}

    for schedule, tactics in schedules(specs):
        steps = []
        for axis, dims in tactics:
            named = {f"args/{k}": d for k, d in dims.items()}
            steps.append(partir.ManualPartition(name=axis, axis=axis, inputs=named))
        try:
            plan = partir.jit(lambda *args: f(*args), mesh=mesh, schedule=steps).lower(*inputs["ordinary"])
        except partir.errors.PartirError as error:
            yield schedule, "rejected: " + str(error).split("\n")[0][:120], None
            continue
        verdict = plan.verdict
        if verdict.startswith("refuted"):
            yield schedule, verdict, "the partitioner's own work is refuted"
            continue
        try:
            compiled = plan.compile()
        except Exception as error:  # XLA's refusals are of many types
            yield (
                schedule,
                verdict,
                None if "UNIMPLEMENTED" in str(error) else "XLA: " + " ".join(str(error).split())[:160],
            )
            continue
        exact = "bit-exact" in verdict
        found = None
        for kind in ("ordinary", "special") if exact else ("ordinary",):
            got = jax.tree.leaves(compiled(*inputs[kind]))
            for k, (w, g) in enumerate(zip(wanted[kind], got, strict=True)):
                text = difference(w, g, exact)
                if text and not found:
                    found = f"{kind} inputs, result {k}: {text}"
                    if is_of_the_backend(engine, f, plan, inputs[kind], exact):
                        found = "XLA's own: " + found
        yield schedule, verdict, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("partir", help="the command line program")
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="every tenth program")
    arguments = parser.parse_args()
    names = arguments.only or list(PROGRAMS)[:: 10 if arguments.quick else 1]
    counts = collections.Counter()
    bad = 0
    backend = 0
    for name in names:
        try:
            for schedule, verdict, wrong in examined(arguments.partir, name, arguments.seed):
                kind = verdict.split(" ")[0].rstrip(":,") + (" bit-exact" if "bit-exact" in verdict else "")
                counts[kind] += 1
                own = wrong is not None and wrong.startswith("XLA's own")
                backend += own
                bad += wrong is not None and not own
                if wrong or not verdict.startswith("proved"):
                    how = "" if wrong is None else f" — {'' if own else 'DISAGREES: '}{wrong}"
                    print(f"{name} by {schedule}: {verdict[:160]}{how}", flush=True)
        except partir.errors.UnsupportedError as error:  # effects and callbacks
            counts["rejected"] += 1
            print(f"{name}: rejected: {error}", flush=True)
        except Exception:  # one program's failure leaves the others theirs
            bad += 1
            print(f"{name}: failed\n{traceback.format_exc(limit=3)}", flush=True)
    print(
        f"{len(names)} programs, {sum(counts.values())} partitions:", ", ".join(f"{n} {k}" for k, n in counts.items())
    )
    print(f"{bad} disagreements, {backend} differences that are XLA's own")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
