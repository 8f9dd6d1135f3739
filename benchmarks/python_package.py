"""Measures the overhead of the Python package: planning compared with JAX's own tracing and lowering, a call compared
with the same module under jax.jit, and a GPT's step compared with plain jax.jit with the same shardings under Shardy
and GSPMD.

    python benchmarks/python_package.py [lower] [call] [step]

Times depend on the machine; the eight CPU devices share its cores.
"""

import argparse
import collections
import os
import pathlib
import re
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np

import openpartir as partir

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples" / "python"))
import gpt

MESH = {"batch": 4, "model": 2}


def t32():
    """The train step of PartIR's T32: 32 layers with nine parameters each, a tied embedding, Adam."""
    width, heads, size, hidden, vocabulary = 4096, 32, 128, 16384, 32000
    shape = jax.ShapeDtypeStruct

    def layer():
        f = jnp.float32
        return {"qkv": shape((3, width, heads, size), f), "out": shape((heads, size, width), f),
                "up": shape((width, hidden), f), "down": shape((hidden, width), f), "up_bias": shape((hidden,), f),
                "scale1": shape((width,), f), "bias1": shape((width,), f), "scale2": shape((width,), f),
                "bias2": shape((width,), f)}  # fmt: skip

    params = {"embed": shape((vocabulary, width), jnp.float32), "layers": [layer() for _ in range(32)]}

    def norm(x, scale, bias):
        x = x - x.mean(-1, keepdims=True)
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale + bias

    def loss(params, batch):
        x = params["embed"][batch["tokens"]]
        for p in params["layers"]:
            q, k, v = jnp.einsum("bsd,zdhe->zbshe", norm(x, p["scale1"], p["bias1"]), p["qkv"])
            scores = jnp.einsum("bshe,bthe->bhst", q, k) * size**-0.5
            scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
            x = x + jnp.einsum("bhst,bthe,hed->bsd", jax.nn.softmax(scores), v, p["out"])
            x = x + jax.nn.gelu(norm(x, p["scale2"], p["bias2"]) @ p["up"] + p["up_bias"]) @ p["down"]
        logits = jax.nn.log_softmax(x @ params["embed"].T)
        return -jnp.mean(jnp.take_along_axis(logits, batch["targets"][..., None], -1))

    def train_step(params, opt_state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, opt_state["mu"], grads)
        nu = jax.tree.map(lambda n, g: 0.99 * n + 0.01 * g * g, opt_state["nu"], grads)
        params = jax.tree.map(lambda p, m, n: p - 1e-3 * m / (jnp.sqrt(n) + 1e-8), params, mu, nu)
        return params, {"mu": mu, "nu": nu}, value

    ids = shape((32, 1024), jnp.int32)
    return train_step, (params, {"mu": params, "nu": params}, {"tokens": ids, "targets": ids})


def lower():
    """Prints the seconds of planning T32, and how much of that is JAX's own tracing and lowering."""
    fun, args = t32()
    schedules = {
        "BP+MP": [gpt.BP, partir.ManualPartition("model", inputs={"params/**/qkv": 2, "params/**/up": 1}, name="MP")]
    }
    schedules["BP+MP+Z3"] = [*schedules["BP+MP"], gpt.Z3]
    print("T32's train step, from the Python function to the plan, checked; seconds, fastest of three")
    print(f"{'schedule':<12}{'operations':>11}{'tracing, lowering':>19}{'text':>7}{'partition':>11}{'outside JAX':>13}")
    for name, schedule in schedules.items():
        rows = []
        for _ in range(3):
            jax.clear_caches()
            start = time.perf_counter()
            lowered = jax.jit(lambda *a: fun(*a), donate_argnums=(0, 1), keep_unused=True).trace(*args).lower()
            own = time.perf_counter() - start
            start = time.perf_counter()
            lowered.as_text(debug_info=True)
            text = time.perf_counter() - start
            del lowered
            jax.clear_caches()
            step = partir.jit(lambda params, opt_state, batch: fun(params, opt_state, batch), mesh=MESH,
                              schedule=schedule, donate_argnums=(0, 1))  # fmt: skip
            start = time.perf_counter()
            plan = step.lower(*args)
            total = time.perf_counter() - start
            rows.append((total - own, own, text, sum(plan.engine.seconds.values())))
        outside, own, text, partition = min(rows)
        print(f"{name:<12}{plan.engine.operations:>11}{own:>19.2f}{text:>7.2f}{partition:>11.2f}{outside:>13.2f}")
        print(f"{'':<12}{plan.verdict}; {plan.collectives}")


def timed(call, calls=10):
    """Returns the seconds of a call."""
    jax.block_until_ready(call())
    start = time.perf_counter()
    for _ in range(calls):
        out = call()
    jax.block_until_ready(out)
    return (time.perf_counter() - start) / calls


def call_seconds(step, count):
    """Returns the seconds of a call of our step, and of the same module under jax.jit with the same shardings."""
    xs = step([np.zeros((8, 8), np.float32)] * count)
    plan = step.lower(xs)
    module = plan.runner.jitted
    # The same pytree on both sides, so that both include flattening and shardings.
    plain = jax.jit(lambda xs: list(module(*xs)), in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)
    step(xs), plain(xs)
    # Alternate, and take the fastest of each: eight devices share few cores, which other processes may use too.
    pairs = [(timed(lambda: step(xs)), timed(lambda: plain(xs))) for _ in range(60)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def own_seconds(step, xs, calls=500):
    """Returns the seconds that a call spends in our Python: all of it but the call of the compiled module."""
    runner = step.lower(xs).runner
    compiled, seconds = runner.jitted, []
    runner.jitted = lambda *leaves: leaves
    for _ in range(5):
        start = time.thread_time()
        for _ in range(calls):
            step(xs)
        seconds.append((time.thread_time() - start) / calls)
    runner.jitted = compiled
    return min(seconds)


def call():
    """Prints the time of a call, and of the same module called as a plain jitted function."""
    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    print("microseconds of a call: ours, and the same module under jax.jit, with their ratio, which is noisy where")
    print(
        "devices share cores; what our Python adds to jax.jit's call, measured by itself, and the ratio that this makes"
    )
    print(f"{'arguments':>9}{'ours':>9}{'jax.jit':>9}{'ratio':>7}{'Python':>8}{'ratio':>7}")
    for count in (1, 8, 64, 256):
        step = partir.jit(
            lambda xs: [x + 1 for x in xs],
            mesh=mesh,
            schedule=[partir.ManualPartition("batch", inputs={"xs": 0})],
        )
        ours, theirs = call_seconds(step, count)
        own = own_seconds(step, step([np.zeros((8, 8), np.float32)] * count))
        ratios = ours / theirs, 1 + own / theirs
        print(f"{count:>9}{1e6 * ours:>9.0f}{1e6 * theirs:>9.0f}{ratios[0]:>7.2f}{1e6 * own:>8.1f}{ratios[1]:>7.2f}")


def moved(text):
    """Returns the bytes that the collectives of a compiled module deliver to each device."""
    sizes = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8, "f64": 8}
    total = 0
    for kind in re.findall(r"= (.*?) (?:all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute)\(", text):
        for element, dims in re.findall(r"(\w+)\[([\d,]*)\]", kind):
            total += sizes[element] * int(np.prod([int(d) for d in dims.split(",") if d], dtype=int))
    return total


def step():
    """Prints step times of a GPT with four layers."""
    gpt.LAYERS = 4
    mesh = jax.make_mesh((4, 2), ("batch", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    params = jax.tree.map(np.asarray, gpt.init(jax.random.key(0)))
    state = (params, jax.tree.map(np.asarray, gpt.optimizer.init(params)))
    batch = next(gpt.batches(1))
    print(
        "GPT, 4 layers, 8 CPU devices; milliseconds of a step, fastest of 5 x 10, the three partitions in turn; KB that"
    )
    print("collectives give each device; KB of temporary memory on each device")
    print(f"{'schedule':<10}{'by':<10}{'ms':>8}{'collectives':>13}{'KB moved':>10}{'KB temporary':>14}")
    for name, schedule in gpt.SCHEDULES.items():
        ours = partir.jit(gpt.train_step, mesh=mesh, schedule=schedule, donate_argnums=(0, 1))
        plan = ours.lower(*state, batch)
        places = (*plan.in_shardings,)

        def jitted(places=places, plan=plan):
            return jax.jit(gpt.train_step, in_shardings=places, out_shardings=plan.out_shardings, donate_argnums=(0, 1))

        tokens = jax.device_put(batch, places[2])
        runs, states, seconds, modules = {}, {}, collections.defaultdict(list), {}
        for by in ("partir", "Shardy", "GSPMD"):
            jax.config.update("jax_use_shardy_partitioner", by != "GSPMD")
            runs[by] = ours if by == "partir" else jitted()
            modules[by] = plan.compile() if by == "partir" else runs[by].lower(*state, batch).compile()
            states[by] = runs[by](*jax.device_put(state, places[:2]), tokens)[:2]
        for _ in range(5):
            for by, run in runs.items():
                jax.config.update("jax_use_shardy_partitioner", by != "GSPMD")
                current = states[by]
                start = time.perf_counter()
                for _ in range(10):
                    *current, value = run(*current, tokens)
                    value.block_until_ready()
                seconds[by].append((time.perf_counter() - start) / 10)
                states[by] = current
        for by, compiled in modules.items():
            text = compiled.as_text()
            memory = compiled.memory_analysis()
            count = len(re.findall(r" (?:all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute)\(", text))
            print(f"{name:<10}{by:<10}{1e3 * min(seconds[by]):>8.1f}{count:>13}{moved(text) / 1e3:>10.0f}"
                  f"{memory.temp_size_in_bytes / 1e3:>14.0f}", flush=True)  # fmt: skip
    jax.config.update("jax_use_shardy_partitioner", True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parts = {"lower": lower, "call": call, "step": step}
    parser.add_argument("what", nargs="*", metavar="|".join(parts))
    wanted = parser.parse_args().what or list(parts)
    if unknown := set(wanted) - set(parts):
        parser.error(f"{', '.join(sorted(unknown))}: wanted {', '.join(parts)}")
    for what in wanted:
        parts[what]()
        print()
