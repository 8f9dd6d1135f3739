"""Trains a byte-level GPT with optax on this repository's own text under schedules that only the last lines contain.

usage: python gpt.py [--steps 200] [--schedules BP BP+MP BP+MP+Z3] [--x64]

The model is plain JAX. Data parallelism, Megatron's tensor parallelism and ZeRO-3 are tactics; the loss curve of each
schedule is printed next to that of the unpartitioned step.
"""

import argparse
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import optax

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)  # used if there are no accelerators

LAYERS, HEADS, WIDTH, LENGTH, BATCH = 2, 4, 64, 64, 16


def init(key):
    """Return parameters; matrices are named by the way in which Megatron splits them."""
    keys = iter(jax.random.split(key, 2 + 4 * LAYERS))

    def normal(*shape):
        return jax.random.normal(next(keys), shape) * 0.02

    return {
        "embed": normal(256, WIDTH),
        "position": normal(LENGTH, WIDTH),
        "layers": [
            {
                "qkv": normal(3, WIDTH, HEADS, WIDTH // HEADS),
                "out": normal(HEADS, WIDTH // HEADS, WIDTH),
                "up": normal(WIDTH, 4 * WIDTH),
                "down": normal(4 * WIDTH, WIDTH),
                "scale": jnp.ones((2, WIDTH)),
            }
            for _ in range(LAYERS)
        ],
    }


def norm(x, scale):
    """Normalise the last dimension."""
    return x * jax.lax.rsqrt(jnp.mean(x**2, -1, keepdims=True) + 1e-6) * scale


def attend(x, layer):
    """Compute causal self-attention."""
    q, k, v = jnp.einsum("bsd,zdhe->zbshe", x, layer["qkv"])
    scores = jnp.einsum("bshe,bthe->bhst", q, k) * q.shape[-1] ** -0.5
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    return jnp.einsum("bhst,bthe,hed->bsd", weights, v, layer["out"])


def loss(params, batch):
    """Return the mean cross-entropy of the next byte."""
    x = params["embed"][batch[:, :-1]] + params["position"]
    for layer in params["layers"]:
        x = x + attend(norm(x, layer["scale"][0]), layer)
        x = x + jax.nn.gelu(norm(x, layer["scale"][1]) @ layer["up"]) @ layer["down"]
    logits = norm(x, 1.0) @ params["embed"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch[:, 1:]).mean()


optimizer = optax.adamw(optax.warmup_cosine_decay_schedule(0, 3e-3, 20, 200))


def train_step(params, opt_state, batch):
    """Run one step of AdamW."""
    value, grads = jax.value_and_grad(loss)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def batches(steps):
    """Yield batches of bytes from this repository's documents."""
    root = pathlib.Path(__file__).resolve().parents[2]
    files = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("proofs_notes/*.md")])
    text = np.frombuffer(b"".join(f.read_bytes() for f in files), np.uint8)
    draw = np.random.default_rng(0)
    for _ in range(steps):
        starts = draw.integers(0, len(text) - LENGTH - 1, BATCH)
        yield np.stack([text[s : s + LENGTH + 1] for s in starts]).astype(np.int32)


def curve(step, steps):
    """Train from the same initial state and return the losses."""
    params = init(jax.random.key(0))
    opt_state = optimizer.init(params)
    losses = []
    for batch in batches(steps):
        params, opt_state, value = step(params, opt_state, batch)
        losses.append(float(value))
    return np.array(losses)


BP = partir.ManualPartition(name="BP", axis="batch", inputs={"batch": 0})
MP = partir.ManualPartition(name="MP", axis="model", inputs={"params/layers/*/qkv": 2, "params/layers/*/up": 1})
Z3 = partir.ManualPartition(
    name="Z3",
    axis="batch",
    inputs={"params/**": partir.FIRST_DIVISIBLE_DIM, "opt_state/**": partir.FIRST_DIVISIBLE_DIM},
)
SCHEDULES = {"BP": [BP], "BP+MP": [BP, MP], "BP+MP+Z3": [BP, MP, Z3]}


def main():
    """Print the loss curves side by side."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--schedules", nargs="+", default=list(SCHEDULES), choices=SCHEDULES)
    parser.add_argument("--x64", action="store_true", help="double precision: rounding is all that differs")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", options.x64)
    mesh = jax.make_mesh((4, 2), ("batch", "model"))

    curves = {"unpartitioned": curve(jax.jit(train_step, donate_argnums=(0, 1)), options.steps)}
    for name in options.schedules:
        step = partir.jit(train_step, mesh=mesh, schedule=SCHEDULES[name], donate_argnums=(0, 1))
        curves[name] = curve(step, options.steps)
        params = jax.eval_shape(init, jax.random.key(0))
        plan = step.lower(params, jax.eval_shape(optimizer.init, params), next(batches(1)))
        counts = ", ".join(f"{n} {kind}" for kind, n in plan.collectives.items() if n)
        print(f"{name}: {counts}; {plan.verdict}")
    print(f"\n{'step':>5}" + "".join(f"{name:>15}" for name in curves))
    for i in sorted({0, options.steps - 1, *range(0, options.steps, 50)}):
        print(f"{i:>5}" + "".join(f"{c[i]:>15.6f}" for c in curves.values()))
    for name in options.schedules:
        print(f"{name}: largest difference {np.abs(curves[name] - curves['unpartitioned']).max():.1e}")


if __name__ == "__main__":
    main()
