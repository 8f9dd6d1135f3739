"""Decodes with a cache of keys and values that is tiled by batch and by heads, or by position.

usage: python decoding.py [--tokens 16] [--by heads|position]

The cache is donated, so each step updates it in place.
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np

import openpartir as partir

jax.config.update("jax_num_cpu_devices", 8)  # used if there are no accelerators

VOCABULARY, WIDTH, HEADS, SIZE, BATCH, LENGTH = 64, 32, 4, 8, 8, 32


def decode_step(params, cache, tokens, position):
    """Return the next token of each sequence; cache is [2, batch, position, head, size]."""
    x = params["embed"][tokens]
    q, k, v = jnp.einsum("bd,zdhe->zbhe", x, params["qkv"])
    cache = jax.lax.dynamic_update_slice(cache, jnp.stack([k, v])[:, :, None], (0, 0, position, 0, 0))
    scores = jnp.einsum("bhe,bthe->bht", q, cache[0]) * SIZE**-0.5
    weights = jax.nn.softmax(jnp.where(jnp.arange(LENGTH) <= position, scores, -1e9))
    x = x + jnp.einsum("bht,bthe,hed->bd", weights, cache[1], params["out"])
    return cache, jnp.argmax(x @ params["head"], -1).astype(jnp.int32), position + 1


SCHEDULES = {
    "heads": [
        partir.ManualPartition(name="BP", axis="batch", inputs={"cache": 1, "tokens": 0}),
        partir.ManualPartition(name="MP", axis="model", inputs={"params/qkv": 2}),
    ],
    "position": [
        partir.ManualPartition(name="BP", axis="batch", inputs={"cache": 1, "tokens": 0}),
        partir.ManualPartition(name="SEQ", axis="model", inputs={"cache": 2}),
    ],
}


def main():
    """Decode, and compare with a run on one device."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=16)
    parser.add_argument("--by", choices=SCHEDULES, default="heads")
    options = parser.parse_args()
    keys = jax.random.split(jax.random.key(0), 4)
    params = {
        "embed": jax.random.normal(keys[0], (VOCABULARY, WIDTH)),
        "qkv": jax.random.normal(keys[1], (3, WIDTH, HEADS, SIZE)) / 4,
        "out": jax.random.normal(keys[2], (HEADS, SIZE, WIDTH)) / 4,
        "head": jax.random.normal(keys[3], (WIDTH, VOCABULARY)),
    }
    step = partir.jit(
        decode_step,
        mesh=jax.make_mesh((4, 2), ("batch", "model")),
        schedule=SCHEDULES[options.by],
        donate_argnums=1,
    )

    def decode(step):
        cache = jnp.zeros((2, BATCH, LENGTH, HEADS, SIZE))
        tokens, position = jnp.arange(BATCH, dtype=jnp.int32), jnp.int32(0)
        out = []
        for _ in range(options.tokens):
            cache, tokens, position = step(params, cache, tokens, position)
            out.append(np.asarray(tokens))
        return np.stack(out, 1), cache

    text, cache = decode(step)
    print(step.lower(params, cache, text[:, 0], jnp.int32(0)))
    print("cache:", cache.sharding.spec)
    print("first sequence:", *text[0])
    assert (text == decode(jax.jit(decode_step))[0]).all()
    print("the same tokens as on one device")


if __name__ == "__main__":
    main()
