"""Models under their schedules, compared with jax.jit on one device."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from models import MODELS

import openpartir as partir

# Relative to the largest value of an output. Results that are rounded to bfloat16 inside may differ in the last place.
TOLERANCE = {"mixed_precision": 2e-2}


def bits(x):
    return jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x


def close(got, want, tolerance):
    got, want = np.asarray(bits(got)), np.asarray(bits(want))
    assert got.dtype == want.dtype and got.shape == want.shape
    if not np.issubdtype(want.dtype, np.floating):
        np.testing.assert_array_equal(got, want)
    elif want.size:
        np.testing.assert_allclose(got, want, rtol=0, atol=tolerance * max(1e-6, np.abs(want).max()))


CASES = [(m, s) for m, (_, schedules, _) in MODELS.items() for s in schedules]


@pytest.mark.parametrize(("name", "schedule"), CASES, ids=[f"{m}-{s}" for m, s in CASES])
def test_model(name, schedule):
    make, schedules, donate = MODELS[name]
    step, args = make()
    traces = []

    def traced(*args):
        traces.append(1)
        return step(*args)

    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    partitioned = partir.jit(renamed(traced, step), mesh=mesh, schedule=schedules[schedule], donate_argnums=donate)
    plan = partitioned.lower(*args)
    assert plan.verdict.startswith("proved"), plan.verdict
    want = jax.jit(step)(*args)
    placed = put(args, plan.in_shardings)
    out = partitioned(*placed)
    jax.tree.map(lambda a, b: close(a, b, TOLERANCE.get(name, 1e-4)), out, want)
    assert jax.tree.map(lambda x: x.sharding, out) == plan.out_shardings
    for i in (donate,) if isinstance(donate, int) else donate:
        assert all(x.is_deleted() for x in jax.tree.leaves(placed[i]))
    partitioned(*put(args, plan.in_shardings))
    assert len(traces) == 1 and plan.runner.jitted._cache_size() == 1


def put(args, shardings):
    """Copies the arrays: device_put to where an array already is would share its memory with the original."""
    return jax.tree.map(lambda x, s: jax.device_put(x.copy(), s), args, shardings)


def renamed(wrapper, fun):
    """Gives the wrapper the function's signature, because schedules refer to its parameters by name."""
    wrapper.__wrapped__ = fun
    return wrapper
