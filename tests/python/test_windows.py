"""Windows, scans and reversals along a tiled dimension, on XLA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import openpartir as partir

pytestmark = pytest.mark.quick

ROWS, CHANNELS = 32, 4
DEVICES = [pytest.param(2, marks=pytest.mark.slow), 4, pytest.param(8, marks=pytest.mark.slow)]


def _random(seed: int, *shape: int) -> jax.Array:
    return jnp.asarray(0.3 * np.random.default_rng(seed).standard_normal(shape), jnp.float32)


def _convolution(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def _max_pool(x: jax.Array) -> jax.Array:
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def _logits(params: dict[str, jax.Array], image: jax.Array) -> jax.Array:
    x = _max_pool(jax.nn.relu(_convolution(image, params["stem"])))
    for first, second in (("a", "b"), ("c", "d")):
        x = jax.nn.relu(x + _convolution(jax.nn.relu(_convolution(x, params[first])), params[second]))
    return x.mean((1, 2)) @ params["head"]


def resnet_step(params: dict[str, jax.Array], image: jax.Array, label: jax.Array) -> Any:
    """Return the loss and the parameters after a step of gradient descent."""

    def loss_of(p: dict[str, jax.Array]) -> jax.Array:
        scores = jax.nn.log_softmax(_logits(p, image))
        return -jnp.take_along_axis(scores, label[:, None], 1).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


def _parameters() -> dict[str, jax.Array]:
    names = ("stem", "a", "b", "c", "d")
    kernels = {n: _random(i, 3, 3, 2 if n == "stem" else CHANNELS, CHANNELS) for i, n in enumerate(names)}
    return kernels | {"head": _random(9, CHANNELS, 5)}


def _close(found: Any, wanted: Any) -> None:
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("devices", DEVICES)
def test_max_pooling_by_rows(devices: int) -> None:
    mesh = jax.make_mesh((devices,), ("rows",))
    arguments = (_parameters(), _random(20, 2, ROWS, 8, 2))
    step = partir.jit(
        _logits, mesh=mesh, schedule=[partir.ManualPartition(name="ROWS", axis="rows", inputs={"image": 1})]
    )
    plan = step.lower(*arguments)
    assert plan.verdict.startswith("proved")
    assert plan.collectives["all_gather"] == 0
    _close(step(*arguments), _logits(*arguments))


@pytest.mark.parametrize("devices", DEVICES)
def test_train_step_with_max_pooling_by_rows(devices: int) -> None:
    mesh = jax.make_mesh((devices,), ("rows",))
    arguments = (_parameters(), _random(20, 2, ROWS, 8, 2), jnp.asarray([1, 4]))
    step = partir.jit(
        resnet_step, mesh=mesh, schedule=[partir.ManualPartition(name="ROWS", axis="rows", inputs={"image": 1})]
    )
    assert step.lower(*arguments).verdict.startswith("proved")
    _close(step(*arguments), resnet_step(*arguments))


def _pooled(x: jax.Array, window: int, kind: str, padding: str) -> jax.Array:
    """Return the maxima (or minima) of overlapping windows, at a stride of 2."""
    init, combine = (-jnp.inf, jax.lax.max) if kind == "max" else (jnp.inf, jax.lax.min)
    around = ((0, 0), (1, 1), (1, 1), (0, 0)) if padding == "both" else padding
    return jax.lax.reduce_window(x, init, combine, (1, window, window, 1), (1, 2, 2, 1), around)


@pytest.mark.parametrize(
    "window, kind, padding, shape",
    [
        (3, "max", "both", (2, 2)),
        (4, "min", "SAME", (4,)),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [
                (3, "max", "SAME", (4,)),
                (3, "min", "both", (4,)),
                (4, "max", "SAME", (2, 2)),
            ]
        ),
    ],
)
def test_gradients_of_overlapping_pools_exchange_rows(
    window: int, kind: str, padding: str, shape: tuple[int, ...]
) -> None:
    def gradient(x: jax.Array, weight: jax.Array) -> jax.Array:
        return jax.grad(lambda x: jnp.sum(weight * _pooled(x, window, kind, padding)))(x)

    mesh = jax.make_mesh(shape, ("rows", "columns")[: len(shape)])
    tactics = [
        partir.ManualPartition(name=axis, axis=axis, inputs={"x": k + 1}) for k, axis in enumerate(mesh.axis_names)
    ]
    x = jnp.round(2 * _random(7, 2, 16, 16, 3))  # with many equal elements
    weight = _random(8, 2, 8, 8, 3)
    step = partir.jit(gradient, mesh=mesh, schedule=tactics)
    plan = step.lower(x, weight)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0
    _close(step(x, weight), gradient(x, weight))


def test_the_gradient_of_an_overlapping_pool_of_stride_one_exchanges_rows() -> None:
    def gradient(x: jax.Array, weight: jax.Array) -> jax.Array:
        def pooled(x: jax.Array) -> jax.Array:
            return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 4, 3), (1, 1, 1), "SAME")

        return jax.grad(lambda x: jnp.sum(weight * pooled(x)))(x)

    x = jnp.round(2 * _random(9, 2, 16, 6))  # with many equal elements
    weight = _random(10, 2, 16, 6)
    step = partir.jit(
        gradient,
        mesh=jax.make_mesh((4,), ("rows",)),
        schedule=[partir.ManualPartition(name="rows", axis="rows", inputs={"x": 1})],
    )
    plan = step.lower(x, weight)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0
    _close(step(x, weight), gradient(x, weight))


@pytest.mark.parametrize(
    "rows, window, stride, padding, devices",
    [
        (17, 3, 2, "VALID", 4),
        (16, 3, 2, "VALID", 4),
        (13, 3, 2, "SAME", 4),
        pytest.param(20, 4, 3, "VALID", 4, marks=pytest.mark.slow),
        pytest.param(18, 3, 1, "VALID", 4, marks=pytest.mark.slow),
        pytest.param(23, 3, 2, ((1, 1), (1, 1)), 8, marks=pytest.mark.slow),
        pytest.param(21, 2, 1, "SAME", 8, marks=pytest.mark.slow),
    ],
)
def test_gradients_of_pools_that_do_not_divide_exchange_rows(
    rows: int, window: int, stride: int, padding: str | tuple[tuple[int, int], ...], devices: int
) -> None:
    def pooled(x: jax.Array) -> jax.Array:
        return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (window, window), (stride, stride), padding)

    def gradient(x: jax.Array, weight: jax.Array) -> jax.Array:
        return jax.grad(lambda x: jnp.sum(weight * pooled(x)))(x)

    x = jnp.round(2 * _random(11, rows, 12))  # with many equal elements
    weight = _random(12, *jax.eval_shape(pooled, x).shape)
    step = partir.jit(
        gradient,
        mesh=jax.make_mesh((devices,), ("rows",)),
        schedule=[partir.ManualPartition(name="rows", axis="rows", inputs={"x": 0}, uneven=True)],
    )
    plan = step.lower(x, weight)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0
    _close(step(x, weight), gradient(x, weight))


def test_a_pool_of_what_may_be_infinite_does_not_select_its_padding() -> None:
    def gradient(x: jax.Array, mask: jax.Array, weight: jax.Array) -> jax.Array:
        def pooled(x: jax.Array) -> jax.Array:
            return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (3, 1), (2, 1), ((1, 1), (0, 0)))

        return jax.vjp(pooled, jnp.where(mask, x, -jnp.inf))[1](weight)[0]

    x, weight = _random(13, 16, 4), _random(14, 8, 4)
    schedule = [partir.ManualPartition(name="rows", axis="rows", inputs={"x": 0})]
    step = partir.jit(gradient, mesh=jax.make_mesh((4,), ("rows",)), schedule=schedule)
    mask = jnp.zeros(x.shape, bool)  # each element is as small as the padding, which comes first
    assert step.lower(x, mask, weight).verdict.startswith("proved")
    _close(step(x, mask, weight), gradient(x, mask, weight))


@pytest.mark.parametrize("filling, start", [(0.0, 1), (-jnp.inf, 0), (-jnp.inf, 2), (jnp.inf, 1)])
def test_selections_of_another_padding_are_not_taken_for_a_pool(filling: float, start: int) -> None:
    def gradient(x: jax.Array, weight: jax.Array) -> jax.Array:
        def pooled(x: jax.Array) -> jax.Array:
            padded = jnp.pad(x, ((0, 0), (1, 1), (0, 0)), constant_values=filling)
            return jax.lax.reduce_window(padded, -jnp.inf, jax.lax.max, (1, 3, 1), (1, 2, 1), "VALID")

        def shifted(x: jax.Array) -> jax.Array:
            padded = jnp.pad(x, ((0, 0), (start, 2 - start), (0, 0)))
            return jnp.sum(weight * pooled(padded[:, 1:-1]))

        return jax.grad(shifted)(x)

    mesh = jax.make_mesh((4,), ("rows",))
    x, weight = _random(7, 2, 16, 3), _random(8, 2, 8, 3)
    schedule = [partir.ManualPartition(name="ROWS", axis="rows", inputs={"x": 1})]
    step = partir.jit(gradient, mesh=mesh, schedule=schedule)
    _close(step(x, weight), gradient(x, weight))


SEQUENCES: dict[str, Callable[[jax.Array], jax.Array]] = {
    "cumsum": lambda x: jnp.cumsum(x, 0),
    "cumsum_from_the_end": lambda x: jax.lax.cumsum(x, 0, reverse=True),
    "cumprod": lambda x: jnp.cumprod(1 + 0.1 * x, 0),
    "cummax": lambda x: jax.lax.cummax(x, 0),
    "cummin_from_the_end": lambda x: jax.lax.cummin(x, 0, reverse=True),
    "reverse": lambda x: x[::-1] * 2,
    "flip_both": lambda x: jnp.flip(x),
    "overlapping_minima": lambda x: jax.lax.reduce_window(x, jnp.inf, jax.lax.min, (5, 1), (1, 1), "SAME"),
}


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("devices", DEVICES)
def test_sequences(name: str, devices: int) -> None:
    mesh = jax.make_mesh((devices,), ("sequence",))
    x = _random(3, 64, 3)
    fun = SEQUENCES[name]
    step = partir.jit(fun, mesh=mesh, schedule=[partir.ManualPartition(name="S", axis="sequence", inputs={"x": 0})])
    plan = step.lower(x)
    assert plan.verdict.startswith("proved"), plan.verdict
    whole = x.size * x.itemsize
    assert f"tensor<{x.shape[0]}x{x.shape[1]}xf32>" not in plan.as_text(), whole
    _close(step(x), fun(x))


def _shifted(x: jax.Array) -> jax.Array:
    """Return each row multiplied by the previous one."""
    return x * jnp.pad(x, ((1, 0), (0, 0)))[:-1]


def _periodic(x: jax.Array) -> jax.Array:
    """Return the difference of each row's two neighbours, with the ends joined."""
    around = jnp.pad(x, ((1, 1), (0, 0)), mode="wrap")
    return around[2:] - around[:-2]


def _valid(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    return jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


@pytest.mark.parametrize("devices", DEVICES)
def test_rows_that_move_are_sent_alone(devices: int) -> None:
    x = _random(5, 32, 3)
    step = partir.jit(
        lambda x: (jax.value_and_grad(lambda x: jnp.sin(_shifted(x)).sum())(x), _periodic(x)),
        mesh=jax.make_mesh((devices,), ("rows",)),
        schedule=[partir.ManualPartition(name="S", axis="rows", inputs={"x": 0})],
    )
    plan = step.lower(x)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0, plan.collectives
    _close(step(x), (jax.value_and_grad(lambda x: jnp.sin(_shifted(x)).sum())(x), _periodic(x)))


@pytest.mark.parametrize("devices", DEVICES)
@pytest.mark.parametrize("stride", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_windows_without_padding_and_their_gradients(devices: int, stride: int) -> None:
    def loss(params: dict[str, jax.Array], image: jax.Array) -> jax.Array:
        x = jnp.tanh(_valid(image, params["a"], stride))
        return (_valid(x, params["b"]) ** 2).mean()

    params = {"a": _random(1, 3, 3, 2, CHANNELS), "b": _random(2, 3, 3, CHANNELS, CHANNELS)}
    image = _random(3, 2, 32, 12, 2)
    step = partir.jit(
        jax.value_and_grad(loss),
        mesh=jax.make_mesh((devices,), ("rows",)),
        schedule=[partir.ManualPartition(name="S", axis="rows", inputs={"image": 1})],
    )
    plan = step.lower(params, image)
    assert plan.verdict.startswith("proved"), plan.verdict
    assert plan.collectives["all_gather"] == 0, plan.collectives
    _close(step(params, image), jax.value_and_grad(loss)(params, image))
