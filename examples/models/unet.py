"""The denoising network of a diffusion model: residual blocks down and up, attention at the lower resolutions."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw


@dataclass(frozen=True)
class Size:
    """Channels of each resolution, residual blocks per resolution, and the sizes of one batch of images."""

    channels: tuple = (256, 512, 768)
    blocks: int = 3
    heads: int = 4
    batch: int = 64
    image: int = 64


UNET = Size()
TINY = Size(channels=(4, 8), blocks=1, heads=2, batch=8, image=8)
KERNEL = ("NHWC", "HWIO", "NHWC")


def dense(draw, m, n):
    """Return a dense layer's parameters."""
    return {"w": draw(m, n), "b": jnp.zeros(n)}


def conv(draw, m, n, k=3):
    """Return a convolution's parameters."""
    return {"w": draw(k, k, m, n, fan=k * k * m), "b": jnp.zeros(n)}


def norm(n):
    """Return a normalisation's parameters."""
    return {"g": jnp.ones(n), "b": jnp.zeros(n)}


def init(size):
    """Return the parameters."""
    draw, first, last = Draw(), size.channels[0], size.channels[-1]
    time = 4 * first

    def residual(m, n):
        out = {
            "n1": norm(m),
            "c1": conv(draw, m, n),
            "t": dense(draw, time, n),
            "n2": norm(n),
            "c2": conv(draw, n, n),
        }
        return out | ({"skip": conv(draw, m, n, 1)} if m != n else {})

    def attention(n):
        return {"n": norm(n), "qkv": dense(draw, n, 3 * n), "out": dense(draw, n, n)}

    def level(i, inputs):
        n = size.channels[i]
        out = {"res": [residual(m, n) for m in inputs]}
        return out | ({"attn": [attention(n) for _ in inputs]} if i > 0 else {})

    down, up, before = [], [], first
    for i, n in enumerate(size.channels):
        down.append(level(i, [before] + [n] * (size.blocks - 1)))
        if i + 1 < len(size.channels):
            down[-1]["down"] = conv(draw, n, n)
        before = n
    for i in reversed(range(len(size.channels))):
        n = size.channels[i]
        up.append(level(i, [before + n] + [2 * n] * (size.blocks - 1)))
        if i > 0:
            up[-1]["up"] = conv(draw, n, size.channels[i - 1])
        before = size.channels[max(i - 1, 0)]
    return {
        "time": [dense(draw, first, time), dense(draw, time, time)],
        "in": conv(draw, 3, first),
        "down": down,
        "mid": {"res": [residual(last, last) for _ in range(2)], "attn": [attention(last)]},
        "up": up,
        "out": {"n": norm(first), "c": conv(draw, first, 3)},
    }


def batch(size):
    """Return images, noise and times."""
    keys = jax.random.split(jax.random.key(1), 3)
    shape = (size.batch, size.image, size.image, 3)
    return {
        "image": jax.random.normal(keys[0], shape),
        "noise": jax.random.normal(keys[1], shape),
        "time": jax.random.uniform(keys[2], (size.batch,)),
    }


def convolve(x, p, stride=1):
    """Apply a convolution to x[batch, height, width, channels]."""
    return jax.lax.conv_general_dilated(x, p["w"], (stride, stride), "SAME", dimension_numbers=KERNEL) + p["b"]


def normalise(x, p):
    """Divide each image and channel by the root of its mean square over the positions.

    The mean is not subtracted: a bias before it would have no gradient except rounding, which Adam amplifies.
    """
    return x * jax.lax.rsqrt(jnp.mean(x * x, (1, 2), keepdims=True) + 1e-5) * p["g"] + p["b"]


def residual(x, t, p):
    """Apply two convolutions with a shortcut, and add the time between them."""
    y = convolve(jax.nn.silu(normalise(x, p["n1"])), p["c1"])
    y = y + (jax.nn.silu(t) @ p["t"]["w"] + p["t"]["b"])[:, None, None]
    y = convolve(jax.nn.silu(normalise(y, p["n2"])), p["c2"])
    return y + (convolve(x, p["skip"]) if "skip" in p else x)


def attend(x, p, heads):
    """Compute self-attention between the positions of each image."""
    b, h, w, c = x.shape
    y = normalise(x, p["n"]).reshape(b, h * w, c)
    qkv = (y @ p["qkv"]["w"] + p["qkv"]["b"]).reshape(b, h * w, 3, heads, c // heads)
    q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
    weights = jax.nn.softmax(jnp.einsum("bshe,bthe->bhst", q, k) * (c // heads) ** -0.5)
    y = jnp.einsum("bhst,bthe->bshe", weights, v).reshape(b, h, w, c)
    return x + y @ p["out"]["w"] + p["out"]["b"]


def predict(params, x, time, heads):
    """Return the predicted noise of noisy images x[batch, height, width, 3]."""
    half = params["in"]["w"].shape[-1] // 2
    angles = time[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    t = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)
    t = jax.nn.silu(t @ params["time"][0]["w"] + params["time"][0]["b"])
    t = t @ params["time"][1]["w"] + params["time"][1]["b"]
    x = convolve(x, params["in"])
    kept = []
    for level in params["down"]:
        for i, p in enumerate(level["res"]):
            x = residual(x, t, p)
            x = attend(x, level["attn"][i], heads) if "attn" in level else x
            kept.append(x)
        x = convolve(x, level["down"], 2) if "down" in level else x
    x = residual(x, t, params["mid"]["res"][0])
    x = residual(attend(x, params["mid"]["attn"][0], heads), t, params["mid"]["res"][1])
    for level in params["up"]:
        for i, p in enumerate(level["res"]):
            x = residual(jnp.concatenate([x, kept.pop()], -1), t, p)
            x = attend(x, level["attn"][i], heads) if "attn" in level else x
        if "up" in level:
            b, h, w, c = x.shape
            x = jnp.broadcast_to(x[:, :, None, :, None], (b, h, 2, w, 2, c)).reshape(b, 2 * h, 2 * w, c)
            x = convolve(x, level["up"])
    return convolve(jax.nn.silu(normalise(x, params["out"]["n"])), params["out"]["c"])


def loss_of(size):
    """Return the loss, which is the mean squared error of the predicted noise."""

    def loss(params, batch):
        time = batch["time"][:, None, None, None]
        noisy = jnp.sqrt(1 - time) * batch["image"] + jnp.sqrt(time) * batch["noise"]
        return jnp.mean((predict(params, noisy, batch["time"], size.heads) - batch["noise"]) ** 2)

    return loss
