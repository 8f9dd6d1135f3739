"""Defines convolutions with strides, dilations, groups, negative padding and permuted dimensions."""

from __future__ import annotations

from typing import Any

from openpartir.fuzz.draw import Draw
from openpartir.fuzz.operation import Drawn, Operation, register, weighted

LAYOUTS = {
    1: [("NCH", "OIH", "NCH"), ("NHC", "HIO", "NHC"), ("HNC", "IHO", "NCH")],
    2: [("NCHW", "OIHW", "NCHW"), ("NHWC", "HWIO", "NHWC"), ("NHWC", "OIHW", "NCHW")],
}


def _convolution(d: Draw) -> Drawn | None:
    rng = d.rng
    spatial = weighted(rng, {1: 3, 2: 2})
    features, batches = weighted(rng, {(1, 1): 6, (2, 1): 1, (4, 1): 1, (1, 2): 1, (1, 4): 1})
    batch = rng.choice([2, 4, 8]) * (batches if batches > 1 else 1)
    inputs = rng.choice([1, 2, 4]) * features
    outputs = rng.choice([2, 4, 8]) if features == batches == 1 else rng.choice([1, 2]) * features * batches
    sizes = [rng.choice([4, 6, 8, 8, 12, 16]) for _ in range(spatial)]
    p: dict[str, Any] = {k: [] for k in ("window", "strides", "padding", "lhs_dilation", "rhs_dilation")}
    for size in sizes:
        for _ in range(30):
            window = weighted(rng, {1: 1, 2: 2, 3: 4, 4: 1, size: 1})
            stride = weighted(rng, {1: 4, 2: 3, 3: 1})
            padding = [weighted(rng, {0: 5, 1: 3, 2: 1, -1: 1}) for _ in range(2)]
            base, spread = weighted(rng, {1: 6, 2: 2, 3: 1}), weighted(rng, {1: 6, 2: 2})
            if (size - 1) * base + 1 + sum(padding) >= (window - 1) * spread + 1:
                break
        else:
            return None
        for key, value in zip(p, (window, stride, padding, base, spread), strict=True):
            p[key].append(value)
    layout = rng.choice(LAYOUTS[spatial])
    named = {"N": batch, "C": inputs, "O": outputs, "I": inputs // features}
    space = dict(zip("HW", sizes, strict=False))
    kernel = dict(zip("HW", p.pop("window"), strict=False))
    x = d.argument(tuple({**named, **space}[c] for c in layout[0]))
    w = d.argument(tuple({**named, **kernel}[c] for c in layout[1]))
    return [x.name, w.name], {**p, "layout": list(layout), "feature_groups": features, "batch_groups": batches}


def _source(x: list[str], p: dict[str, Any]) -> str:
    text = f"lax.conv_general_dilated({x[0]}, {x[1]}, {tuple(p['strides'])}, {tuple(map(tuple, p['padding']))}"
    for key in ("lhs_dilation", "rhs_dilation"):
        if any(n != 1 for n in p[key]):
            text += f", {key}={tuple(p[key])}"
    text += f", dimension_numbers={tuple(p['layout'])}"
    if p["feature_groups"] != 1:
        text += f", feature_group_count={p['feature_groups']}"
    if p["batch_groups"] != 1:
        text += f", batch_group_count={p['batch_groups']}"
    return text + ")"


register(
    Operation(
        "convolution",
        "convolutions",
        _convolution,
        _source,
        weight=3,
        plain={
            "strides": 1,
            "padding": 0,
            "lhs_dilation": 1,
            "rhs_dilation": 1,
            "feature_groups": 1,
            "batch_groups": 1,
        },
    )
)
