"""Dimensions that the mesh does not divide, on XLA: vocabularies, batches, token sequences, caches."""

from __future__ import annotations

import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from models import cross_entropy, norm

import openpartir as partir

pytestmark = pytest.mark.quick

WIDTH, HEADS = 16, 4


def _random(seed: int, *shape: int) -> jax.Array:
    return jnp.asarray(0.3 * np.random.default_rng(seed).standard_normal(shape), jnp.float32)


def _block(x: jax.Array, p: dict[str, jax.Array], causal: bool) -> jax.Array:
    batch, tokens, width = x.shape
    heads = [(norm(x) @ p[n]).reshape(batch, tokens, HEADS, width // HEADS) for n in ("q", "k", "v")]
    q, k, v = (h.transpose(0, 2, 1, 3) for h in heads)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(width // HEADS)
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), scores, -1e9)
    x = x + (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(x.shape) @ p["o"]
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]


def _weights(layers: int) -> dict[str, jax.Array]:
    square = {n: _random(i, layers, WIDTH, WIDTH) for i, n in enumerate(("q", "k", "v", "o"))}
    return square | {"up": _random(7, layers, WIDTH, 32), "down": _random(8, layers, 32, WIDTH)}


def _gpt_loss(params: Any, tokens: jax.Array, labels: jax.Array) -> jax.Array:
    x = params["embed"][tokens] + params["positions"]
    x, _ = jax.lax.scan(lambda x, p: (_block(x, p, causal=True), None), x, params["layers"])
    return cross_entropy(norm(x) @ params["embed"].T, labels)


def gpt_step(params: Any, tokens: jax.Array, labels: jax.Array) -> Any:
    """Return the loss and the parameters after a step of gradient descent."""
    loss, gradients = jax.value_and_grad(_gpt_loss)(params, tokens, labels)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


def _gpt_arguments() -> Any:
    random = np.random.default_rng(0)
    params = {"embed": _random(1, 509, WIDTH), "positions": _random(2, 7, WIDTH), "layers": _weights(2)}
    tokens, labels = (jnp.asarray(random.integers(0, 509, (6, 7)), jnp.int32) for _ in range(2))
    return params, tokens, labels


def vit_gradient(params: Any, patches: jax.Array, labels: jax.Array) -> Any:
    """Return loss and gradient of a vision transformer, whose class token makes the number of tokens odd."""

    def loss(params: Any) -> jax.Array:
        x = patches @ params["patch"]
        x = jnp.concatenate([jnp.broadcast_to(params["class"], (x.shape[0], 1, WIDTH)), x], 1) + params["positions"]
        x = _block(x, jax.tree.map(lambda p: p[0], params["layers"]), causal=False)
        return cross_entropy(norm(x[:, 0]) @ params["head"], labels)

    return jax.value_and_grad(loss)(params)


def _vit_arguments() -> Any:
    params = {"patch": _random(1, 12, WIDTH), "class": _random(2, 1, 1, WIDTH), "positions": _random(3, 197, WIDTH)}
    params |= {"layers": _weights(1), "head": _random(4, WIDTH, 10)}
    return params, _random(5, 4, 196, 12), jnp.asarray([1, 2, 3, 9], jnp.int32)


def decode(params: Any, cache: dict[str, jax.Array], x: jax.Array, position: jax.Array) -> Any:
    """Return one token's attention over a cache of keys and values, and the cache with the token's own added."""
    keys, values = (
        jax.lax.dynamic_update_slice(cache[n], (x @ params[n])[:, None], (0, position, 0)) for n in ("k", "v")
    )
    scores = jnp.einsum("bd,bsd->bs", x @ params["q"], keys)
    scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -1e9)
    return jnp.einsum("bs,bsd->bd", jax.nn.softmax(scores), values), {"k": keys, "v": values}


def _decode_arguments() -> Any:
    params = {n: _random(i, WIDTH, WIDTH) for i, n in enumerate("qkv")}
    cache = {n: _random(i + 5, 5, 13, WIDTH) for i, n in enumerate("kv")}
    return params, cache, _random(9, 5, WIDTH), jnp.int32(12)


BATCH = partir.ManualPartition("batch", {"tokens": 0, "labels": 0}, uneven=True)
VOCABULARY = partir.ManualPartition("model", {"params/embed": 0}, uneven=True)
CASES = {
    "gpt, batch 6 on 4 and vocabulary 509 on 2": (gpt_step, _gpt_arguments, (4, 2), [BATCH, VOCABULARY]),
    "gpt, vocabulary 509 on 8": (gpt_step, _gpt_arguments, (1, 8), [VOCABULARY]),
    "gpt, vocabulary 509 on 4, batch 6 on 2": (gpt_step, _gpt_arguments, (2, 4), [VOCABULARY, BATCH]),
    "vit, 197 tokens on 4": (
        vit_gradient,
        _vit_arguments,
        (2, 4),
        [
            partir.ManualPartition("batch", {"patches": 0, "labels": 0}),
            partir.ManualPartition("model", {"params/positions": 0}, uneven=True),
        ],
    ),
    "decode, 13 positions on 4, batch 5 on 2": (
        decode,
        _decode_arguments,
        (2, 4),
        [
            partir.ManualPartition("batch", {"x": 0, "cache/*": 0}, uneven=True),
            partir.ManualPartition("model", {"cache/*": 1}, uneven=True),
        ],
    ),
}


SLOW_CASES = {"gpt, vocabulary 509 on 4, batch 6 on 2", "gpt, vocabulary 509 on 8"}


@pytest.mark.parametrize("case", [pytest.param(c, marks=[pytest.mark.slow] if c in SLOW_CASES else []) for c in CASES])
def test_values_are_those_of_one_device(case: str) -> None:
    """The step is proved, and its values on eight devices are those of jax.jit on one."""
    function, arguments, sizes, schedule = CASES[case]
    mesh = jax.make_mesh(sizes, ("batch", "model"))
    step = partir.jit(function, mesh=mesh, schedule=schedule)
    plan = step.lower(*arguments())
    assert plan.verdict.startswith("proved"), plan.verdict
    assert "partir.shape" in plan.as_text()
    wanted = jax.jit(function)(*arguments())
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5), step(*arguments()), wanted)


def test_arrays_outside_are_jax_arrays() -> None:
    """Outside the step, a padded dimension is replicated; the other dimensions are laid out as planned."""
    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    step = partir.jit(lambda x: 2 * x, mesh=mesh, schedule=[partir.ManualPartition("batch", {"x": 0}, uneven=True)])
    x = np.arange(12.0, dtype=np.float32).reshape(6, 2)
    y = step(x)
    assert y.shape == (6, 2)
    assert y.sharding.spec == jax.sharding.PartitionSpec()
    np.testing.assert_array_equal(y, 2 * x)
    assert json.dumps(step.lower(x).schedule["tactics"]).count('"uneven": true') == 1


@pytest.mark.parametrize("rows", [4, 6, 8])
@pytest.mark.parametrize("side", ["inputs", "results"])
def test_two_axes_along_one_dimension(rows: int, side: str) -> None:
    """The second tactic's request pads what the first one leaves of a dimension, in arguments and in results."""
    x = _random(1, rows, 2)
    schedule = [
        partir.ManualPartition("b", **{side: {"*": 0}}),
        partir.ManualPartition("a", **{side: {"*": 0}}, uneven=True),
    ]
    step = partir.jit(lambda x: 2 * x, mesh=jax.make_mesh((2, 2), ("a", "b")), schedule=schedule)
    assert step.lower(x).verdict.startswith("proved")
    np.testing.assert_array_equal(step(x), 2 * x)


def test_bits_of_results_are_kept() -> None:
    """Zeros keep their signs, and subnormal numbers their values, where a padded result leaves the step."""
    x = np.array([[-0.0, 1e-40, -1e-40, 1.0]], np.float32)
    mesh = jax.make_mesh((8,), ("a",))
    step = partir.jit(lambda x: x * 1, mesh=mesh, schedule=[partir.ManualPartition("a", {"x": 1}, uneven=True)])
    np.testing.assert_array_equal(np.asarray(step(x)).view(np.uint32), x.view(np.uint32))


@pytest.mark.parametrize("lookup", ["read", "update"])
def test_padded_indices_are_promised_nothing(lookup: str) -> None:
    """A batched lookup promises sorted and unique indices; the padding of the indices may hold any."""
    x, i = _random(1, 7, 3), jnp.arange(7) % 3

    def read(x: jax.Array, i: jax.Array) -> jax.Array:
        return jax.vmap(lambda row, j: row[j])(x, i)

    def update(x: jax.Array, i: jax.Array) -> jax.Array:
        return jax.vmap(lambda row, j: jax.lax.dynamic_update_slice(row, jnp.ones(1), (j,)))(x, i)

    function = {"read": read, "update": update}[lookup]
    mesh = jax.make_mesh((2,), ("a",))
    step = partir.jit(function, mesh=mesh, schedule=[partir.ManualPartition("a", {"i": 0}, uneven=True)])
    plan = step.lower(x, i)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert "indices_are_sorted = true" not in plan.as_text()
    np.testing.assert_array_equal(step(x, i), function(x, i))


def test_a_library_call_beside_padding_is_not_refuted() -> None:
    """One of the several results of a LAPACK call is padded after it; the call itself is not."""
    a, y = _random(1, 8, 4), _random(2, 8, 4)

    def project(a: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.linalg.svd(a, full_matrices=False)[0].T @ y

    mesh = jax.make_mesh((3,), ("a",), devices=jax.devices()[:3])
    step = partir.jit(project, mesh=mesh, schedule=[partir.ManualPartition("a", {"y": 0}, uneven=True)])
    assert step.lower(a, y).verdict.startswith("proved")
    np.testing.assert_allclose(step(a, y), project(a, y), rtol=1e-4, atol=1e-5)


def test_what_does_not_divide_is_said_without_it() -> None:
    """Without uneven=True a dimension must divide."""
    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    step = partir.jit(lambda x: x + 1, mesh=mesh, schedule=[partir.ManualPartition("batch", {"x": 0})])
    with pytest.raises(partir.PartirError, match="local size 6"):
        step.lower(np.zeros((6, 2), np.float32))
