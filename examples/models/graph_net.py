"""A graph network: encoders, message-passing steps between nodes along edges, and a decoder."""

import itertools
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from train import Draw


@dataclass(frozen=True)
class Size:
    """Steps of message passing, widths of the networks, and the sizes of a batch with one graph."""

    steps: int = 24
    depth: int = 5
    width: int = 1024
    latent: int = 512
    nodes: int = 2048
    edges: int = 65536


GNS = Size()
TINY = Size(steps=2, depth=2, width=8, latent=4, nodes=16, edges=32)


def network(draw, size, inputs, outputs):
    """Return the parameters of a network of dense layers."""
    widths = [inputs] + [size.width] * (size.depth - 1) + [outputs]
    return [{"w": draw(m, n), "b": jnp.zeros(n)} for m, n in itertools.pairwise(widths)]


def init(size):
    """Return the parameters."""
    draw, n = Draw(), size.latent
    return {
        "node_enc": network(draw, size, 8, n),
        "edge_enc": network(draw, size, 4, n),
        "steps": [
            {"edge": network(draw, size, 3 * n, n), "node": network(draw, size, 2 * n, n)} for _ in range(size.steps)
        ],
        "dec": network(draw, size, n, 3),
    }


def batch(size):
    """Return a random graph with features of its nodes and edges, and the targets of the nodes."""
    keys = jax.random.split(jax.random.key(1), 5)
    return {
        "nodes": jax.random.normal(keys[0], (size.nodes, 8)),
        "edges": jax.random.normal(keys[1], (size.edges, 4)),
        "senders": jax.random.randint(keys[2], (size.edges,), 0, size.nodes),
        "receivers": jax.random.randint(keys[3], (size.edges,), 0, size.nodes),
        "target": jax.random.normal(keys[4], (size.nodes, 3)),
    }


def apply(layers, x):
    """Apply a network to x[rows, width]."""
    for i, p in enumerate(layers):
        x = x @ p["w"] + p["b"]
        x = jax.nn.relu(x) if i + 1 < len(layers) else x
    return x


def loss(params, batch):
    """Return the mean squared error of the nodes."""
    nodes = apply(params["node_enc"], batch["nodes"])
    edges = apply(params["edge_enc"], batch["edges"])
    for step in params["steps"]:
        ends = [nodes[batch["senders"]], nodes[batch["receivers"]]]
        edges = edges + apply(step["edge"], jnp.concatenate([edges, *ends], -1))
        received = jnp.zeros_like(nodes).at[batch["receivers"]].add(edges)
        nodes = nodes + apply(step["node"], jnp.concatenate([nodes, received], -1))
    return jnp.mean((apply(params["dec"], nodes) - batch["target"]) ** 2)
