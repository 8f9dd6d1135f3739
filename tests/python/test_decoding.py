"""Decoding steps of language models: beam search, drafts, sequences of different lengths."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from models import draw, tactic, tokens

import openpartir as partir

BP = tactic("BP", "batch", inputs={"cache": 0, "prompt": 0})
VOCAB = tactic("VOCAB", "model", inputs={"params/embed": 0})
BATCH, BEAMS, DIM, WORDS, STEPS = 8, 4, 16, 32, 3


def beam_search(params, cache, prompt):
    """Each step keeps the best beams of all continuations, with their states and tokens."""

    def step(carry, position):
        cache, scores, last, words = carry
        h = jnp.tanh(jnp.concatenate([cache, params["embed"][last]], -1) @ params["mix"])
        logits = jax.nn.log_softmax(h @ params["out"]) + scores[..., None]
        scores, best = lax.top_k(logits.reshape(BATCH, -1), BEAMS)
        beam, last = best // WORDS, best % WORDS
        h, words = (jnp.take_along_axis(a, beam[..., None], 1) for a in (h, words))
        return (h, scores, last, lax.dynamic_update_index_in_dim(words, last, position, 2)), None

    scores = jnp.where(jnp.arange(BEAMS) == 0, 0.0, -1e9) * jnp.ones((BATCH, 1))
    words = jnp.zeros((BATCH, BEAMS, STEPS), jnp.int32)
    carry = cache, scores, jnp.repeat(prompt[:, None], BEAMS, 1), words
    (cache, scores, _, words), _ = lax.scan(step, carry, jnp.arange(STEPS))
    return words, scores, cache


def beams():
    params = {"embed": draw(0, WORDS, DIM), "mix": draw(1, 2 * DIM, DIM), "out": draw(2, DIM, WORDS)}
    return params, draw(3, BATCH, BEAMS, DIM), tokens(4, BATCH, vocabulary=WORDS)


@pytest.fixture(scope="module")
def mesh():
    return jax.make_mesh((4, 2), ("batch", "model"))


@pytest.mark.quick
def test_beams_over_a_tiled_vocabulary_are_proved(mesh):
    """Tokens are looked up by bits in a loop, at positions that come from reassociated scores."""
    search = partir.jit(beam_search, mesh=mesh, schedule=[BP, VOCAB])
    plan = search.lower(*beams())
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0
    got, want = search(*beams()), jax.jit(beam_search)(*beams())
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_allclose(got[1], want[1], rtol=1e-5)


def test_a_collective_of_what_a_loop_carries_is_explained(mesh):
    def sums(x, w):
        return lax.fori_loop(0, 3, lambda i, c: jnp.cos(jnp.linalg.norm(lax.sort(c, dimension=0)) * c @ w), x)

    plan = partir.jit(sums, mesh=mesh, schedule=[tactic("BP", "batch", inputs={"x": 0})]).lower(
        draw(0, 8, 4), draw(1, 4, 4)
    )
    assert plan.collectives["all_gather"] > 0
    assert "what is carried by line" in plan.explain("all_gather")


HEADS, PLACES = 4, 16


def ragged_step(params, cache, prompt, lengths):
    """Decodes one token for each sequence, at a cache position of its own."""
    put = jax.vmap(lambda c, new, length: lax.dynamic_update_slice(c, new[None], (length, 0, 0)))
    q, k, v = jnp.einsum("bd,dchk->cbhk", params["embed"][prompt], params["qkv"])
    cache = {"k": put(cache["k"], k, lengths), "v": put(cache["v"], v, lengths)}
    scores = jnp.einsum("bhk,bthk->bht", q, cache["k"])
    scores = jnp.where(jnp.arange(PLACES) <= lengths[:, None, None], scores, -1e9)
    out = jnp.einsum("bht,bthk->bhk", jax.nn.softmax(scores), cache["v"])
    return cache, jnp.einsum("bhk,hkv->bv", out, params["out"])


def ragged():
    width = DIM // HEADS
    params = {
        "embed": draw(0, WORDS, DIM),
        "qkv": draw(1, DIM, 3, HEADS, width),
        "out": draw(2, HEADS, width, WORDS),
    }
    cache = {"k": draw(3, BATCH, PLACES, HEADS, width), "v": draw(4, BATCH, PLACES, HEADS, width)}
    return params, cache, tokens(5, BATCH, vocabulary=WORDS), tokens(6, BATCH, vocabulary=PLACES)


@pytest.mark.quick
def test_caches_of_different_lengths_stay_tiled_by_heads(mesh):
    """Each update spans all heads of the cache, so that every device can update its own heads."""
    heads = tactic("HEADS", "model", inputs={"params/qkv": 2, "cache": 2})
    batch = tactic("BP", "batch", inputs={"cache": 0, "prompt": 0, "lengths": 0})
    step = partir.jit(ragged_step, mesh=mesh, schedule=[batch, heads])
    plan = step.lower(*ragged())
    assert plan.verdict.startswith("proved"), plan.verdict
    assert {k: n for k, n in plan.collectives.items() if n} == {"all_reduce": 1}
    got, want = step(*ragged()), jax.jit(ragged_step)(*ragged())
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), got, want)
