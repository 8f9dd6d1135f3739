"""Defines element-wise operators."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from openpartir.dtensor.aten_operator import Operator, Tensor

__all__ = ["OPERATORS"]

Program = Callable[..., Any]
X = Tensor("MN")


def _of(aten: str, count: int, program: Program, *args: Any, dtype: str = "f32", domain: str = "real") -> Operator:
    overload = aten if "." in aten else f"{aten}.default"
    call = (*["T"] * count, *args) if "T" not in args else args
    return Operator(overload, (Tensor("MN", dtype),) * count, program, call, {}, (domain,))


ONE: dict[str, Program] = {
    "abs": jnp.abs, "neg": jnp.negative, "exp": jnp.exp, "exp2": jnp.exp2, "expm1": jnp.expm1, "square": lambda x: x * x,
    "sin": jnp.sin, "cos": jnp.cos, "tan": lax.tan, "atan": lax.atan, "sinh": lax.sinh, "cosh": lax.cosh,
    "tanh": jnp.tanh, "asinh": lax.asinh, "sigmoid": lax.logistic, "relu": lambda x: lax.max(x, 0.0),
    "relu6": lambda x: lax.clamp(0.0, x, 6.0), "silu": lambda x: x * lax.logistic(x),
    "gelu": lambda x: 0.5 * x * (1 + lax.erf(x * math.sqrt(0.5))),
    "softplus": lambda x: jnp.logaddexp(x, 0.0), "elu": lambda x: jnp.where(x > 0, x, jnp.expm1(x)),
    "selu": lambda x: 1.0507009873554805 * jnp.where(x > 0, x, 1.6732632423543772 * jnp.expm1(x)),
    "celu": lambda x: lax.max(x, 0.0) + lax.min(jnp.expm1(x), 0.0),
    "leaky_relu": lambda x: jnp.where(x > 0, x, 0.01 * x), "hardtanh": lambda x: lax.clamp(-1.0, x, 1.0),
    "hardsigmoid": lambda x: lax.clamp(0.0, x + 3, 6.0) / 6, "hardshrink": lambda x: jnp.where(abs(x) > 0.5, x, 0.0),
    "softshrink": lambda x: jnp.where(x > 0.5, x - 0.5, jnp.where(x < -0.5, x + 0.5, 0.0)),
    "mish": lambda x: x * jnp.tanh(jnp.logaddexp(x, 0.0)), "erf": lax.erf, "erfc": lax.erfc, "floor": jnp.floor,
    "ceil": jnp.ceil, "round": jnp.round, "trunc": lambda x: jnp.where(x < 0, jnp.ceil(x), jnp.floor(x)),
    "frac": lambda x: x - jnp.where(x < 0, jnp.ceil(x), jnp.floor(x)), "sign": jnp.sign, "sgn": jnp.sign,
    "signbit": lambda x: x < 0, "isnan": lambda x: x != x, "isfinite": lax.is_finite,
    "isinf": lambda x: abs(x) == jnp.inf, "isposinf": lambda x: x == jnp.inf, "isneginf": lambda x: x == -jnp.inf,
    "logical_not": lambda x: x == 0, "deg2rad": lambda x: x * (math.pi / 180), "rad2deg": lambda x: x * (180 / math.pi),
    "positive": lambda x: x, "clone": lambda x: x, "alias": lambda x: x, "detach": lambda x: x, "contiguous": lambda x: x,
    "zeros_like": lambda x: jnp.zeros_like(x), "ones_like": lambda x: jnp.ones_like(x), "nan_to_num": lambda x: x,
    "conj_physical": lambda x: x, "sinc": lambda x: jnp.where(x == 0, 1.0, jnp.sin(jnp.pi * x) / (jnp.pi * x)),
    "special_erfcx": lambda x: jnp.exp(x * x) * lax.erfc(x),
}  # fmt: skip
POSITIVE: dict[str, Program] = {
    "log": jnp.log, "log2": lambda x: jnp.log(x) / math.log(2), "log10": lambda x: jnp.log(x) / math.log(10),
    "log1p": jnp.log1p, "sqrt": jnp.sqrt, "rsqrt": lax.rsqrt, "reciprocal": lambda x: 1 / x, "lgamma": lax.lgamma,
    "digamma": lax.digamma, "special_entr": lambda x: -x * jnp.log(x), "acosh": lambda x: lax.acosh(x + 0),
}  # fmt: skip
UNIT: dict[str, Program] = {"asin": lax.asin, "acos": lax.acos, "atanh": lax.atanh, "logit": lambda x: jnp.log(x / (1 - x))}  # fmt: skip
SCALAR: dict[str, Program] = {
    "add.Scalar": lambda x: x + 2, "sub.Scalar": lambda x: x - 2, "mul.Scalar": lambda x: x * 2, "div.Scalar": lambda x: x / 2,
    "rsub.Scalar": lambda x: 2 - x, "eq.Scalar": lambda x: x == 2, "ne.Scalar": lambda x: x != 2, "lt.Scalar": lambda x: x < 2,
    "le.Scalar": lambda x: x <= 2, "gt.Scalar": lambda x: x > 2, "ge.Scalar": lambda x: x >= 2,
    "pow.Tensor_Scalar": lambda x: x * x, "fmod.Scalar": lambda x: lax.rem(x, jnp.float32(2)),
    "remainder.Scalar": lambda x: x - 2 * jnp.floor(x / 2), "clamp_min.default": lambda x: lax.max(x, 2.0),
    "clamp_max.default": lambda x: lax.min(x, 2.0), "copysign.Scalar": jnp.abs,
    "xlogy.Scalar_Other": lambda x: x * math.log(2), "full_like.default": lambda x: jnp.full_like(x, 2),
}  # fmt: skip
TWO: dict[str, Program] = {
    "add.Tensor": jnp.add, "sub.Tensor": jnp.subtract, "mul.Tensor": jnp.multiply, "atan2": lax.atan2,
    "maximum": lax.max, "minimum": lax.min, "fmax": lax.max, "fmin": lax.min, "max.other": lax.max, "min.other": lax.min,
    "eq.Tensor": lambda x, y: x == y, "ne.Tensor": lambda x, y: x != y, "lt.Tensor": lambda x, y: x < y,
    "le.Tensor": lambda x, y: x <= y, "gt.Tensor": lambda x, y: x > y, "ge.Tensor": lambda x, y: x >= y,
    "logical_and": lambda x, y: (x != 0) & (y != 0), "logical_or": lambda x, y: (x != 0) | (y != 0),
    "logical_xor": lambda x, y: (x != 0) ^ (y != 0), "clamp_min.Tensor": lax.max, "clamp_max.Tensor": lax.min,
    "hypot": lambda x, y: jnp.sqrt(x * x + y * y), "logaddexp": jnp.logaddexp,
    "copysign.Tensor": lambda x, y: jnp.where(y < 0, -abs(x), abs(x)),
    "heaviside": lambda x, y: jnp.where(x > 0, 1.0, jnp.where(x == 0, y, 0.0)),
    "sigmoid_backward": lambda g, y: g * (1 - y) * y, "tanh_backward": lambda g, y: g * (1 - y * y),
    "silu_backward": lambda g, x: g * lax.logistic(x) * (1 + x * (1 - lax.logistic(x))),
    "gelu_backward": lambda g, x: g * (0.5 * (1 + lax.erf(x * math.sqrt(0.5))) + x * jnp.exp(-x * x / 2) / math.sqrt(2 * math.pi)),
}  # fmt: skip
TWO_POSITIVE: dict[str, Program] = {
    "div.Tensor": jnp.divide, "true_divide.Tensor": jnp.divide, "fmod.Tensor": lax.rem,
    "remainder.Tensor": lambda x, y: x - y * jnp.floor(x / y), "pow.Tensor_Tensor": lax.pow,
    "xlogy.Tensor": lambda x, y: x * jnp.log(y), "special_xlog1py": lambda x, y: x * jnp.log1p(y),
}  # fmt: skip
INTEGER: dict[str, Program] = {
    "bitwise_and.Tensor": jnp.bitwise_and, "bitwise_or.Tensor": jnp.bitwise_or, "bitwise_xor.Tensor": jnp.bitwise_xor,
}  # fmt: skip

OPERATORS = [
    *(_of(name, 1, f) for name, f in ONE.items()),
    *(_of(name, 1, f, domain="positive") for name, f in POSITIVE.items()),
    *(_of(name, 1, f, domain="unit") for name, f in UNIT.items()),
    *(_of(name, 1, f, 2) for name, f in SCALAR.items()),
    _of("clamp", 1, lambda x: lax.clamp(-1.0, x, 1.0), -1, 1),
    _of("threshold", 1, lambda x: jnp.where(x > 1, x, 2.0), 1, 2),
    _of("pow.Scalar", 1, lambda x: jnp.exp2(x), 2, "T"),
    _of("to.dtype", 1, lambda x: x.astype(jnp.float32), "T", "float32"),
    _of("bitwise_not", 1, jnp.bitwise_not, dtype="i32"),
    *(_of(name, 2, f) for name, f in TWO.items()),
    *(_of(name, 2, f, domain="positive") for name, f in TWO_POSITIVE.items()),
    *(_of(name, 2, f, dtype="i32") for name, f in INTEGER.items()),
    Operator("div.Tensor_mode", (X, X), lambda x, y: jnp.floor(x / y), ("T", "T"), {"rounding_mode": "floor"}, ("positive",)),
    _of("threshold_backward", 2, lambda g, x: jnp.where(x > 1, g, 0.0), 1),
    _of("addcmul", 3, lambda x, y, z: x + y * z),
    _of("addcdiv", 3, lambda x, y, z: x + y / z, domain="positive"),
    _of("lerp.Scalar", 2, lambda x, y: x + 0.25 * (y - x), 0.25),
    _of("lerp.Tensor", 3, lambda x, y, w: x + w * (y - x)),
    _of("clamp.Tensor", 3, lambda x, low, high: lax.min(lax.max(x, low), high)),
    Operator("where.self", (Tensor("MN", "bool"), X, X), jnp.where, ("T", "T", "T"), {}, ("bool", "real")),
    Operator("masked_fill.Scalar", (X, Tensor("MN", "bool")), lambda x, m: jnp.where(m, 2.0, x), ("T", "T", 2), {}, ("real", "bool")),
]  # fmt: skip
