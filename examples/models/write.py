"""Writes the programs of docs/reproduction.md as JAX prints them.

usage: python examples/models/write.py [--debug-info] FOLDER [NAME…]

FOLDER gets NAME.mlir, NAME.json with the names of arguments and results, and for the small programs (…_tiny) NAME.npz
with inputs and the outputs that JAX computes. Without names, all programs are written. Full-size programs are traced,
but never run. --debug-info writes the text with the named scopes, and no .npz.
"""

import dataclasses
import json
import os
import pathlib
import sys
import time

os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")  # the small programs run only once

import decoder
import graph_net
import jax
import llama
import microbatch
import mixture
import mlp
import numpy as np
import pipeline
import recurrent
import train
import transformer
import unet


def training(model, size, loss=None):
    """Return a train step, its arguments' names, a function that creates them, and which are donated."""

    def arguments():
        params = model.init(size)
        return params, train.init_state(params), model.batch(size)

    return train.train_step(loss or model.loss), ("params", "opt_state", "batch"), arguments, (0, 1)


def accumulating(strided):
    """Return the same as training(), for an MLP with four small batches."""
    _, names, arguments, donated = training(mlp, dataclasses.replace(mlp.TINY, batch=32))
    return microbatch.train_step(mlp.loss, 4, strided), names, arguments, donated


def decoding(size, function):
    """Return the same as training(), for a decoding step, or a loop of steps."""

    def arguments():
        kv = decoder.cache(size)
        token = jax.random.randint(jax.random.key(1), (size.batch,), 0, size.vocabulary)
        return decoder.init(size), kv, token, jax.numpy.int32(0)

    return function, ("params", "kv", "token", "pos"), arguments, (1,)


PROGRAMS = {
    "mlp_train": lambda: training(mlp, mlp.MLP),
    "mlp_train_tiny": lambda: training(mlp, mlp.TINY),
    "t32_train": lambda: training(transformer, transformer.T32),
    "t48_train": lambda: training(transformer, transformer.T48),
    "t2_train_tiny": lambda: training(transformer, transformer.TINY),
    "llama3_8b_train": lambda: training(llama, llama.LLAMA3_8B),
    "llama3_8b_scan_train": lambda: training(llama, llama.LLAMA3_8B_SCAN),
    "llama3_405b_train": lambda: training(llama, llama.LLAMA3_405B),
    "llama3_8b_train_tiny": lambda: training(llama, llama.TINY),
    "llama3_8b_scan_train_tiny": lambda: training(llama, dataclasses.replace(llama.TINY, scan=True)),
    "it32_step": lambda: decoding(decoder.IT32, decoder.step),
    "it32_infer": lambda: decoding(decoder.IT32, decoder.decode(decoder.IT32.steps)),
    "it32_step_tiny": lambda: decoding(decoder.TINY, decoder.step),
    "it32_infer_tiny": lambda: decoding(decoder.TINY, decoder.decode(decoder.TINY.steps)),
    "unet_train": lambda: training(unet, unet.UNET, unet.loss_of(unet.UNET)),
    "unet_train_tiny": lambda: training(unet, unet.TINY, unet.loss_of(unet.TINY)),
    "gns_train": lambda: training(graph_net, graph_net.GNS),
    "moe_train": lambda: training(mixture, mixture.MOE, mixture.loss_of(mixture.MOE)),
    "moe_train_tiny": lambda: training(mixture, mixture.TINY, mixture.loss_of(mixture.TINY)),
    "microbatch_train_tiny": lambda: accumulating(strided=False),
    "microbatch_strided_train_tiny": lambda: accumulating(strided=True),
    "rnn_train_tiny": lambda: training(recurrent, recurrent.TINY),
    "pipeline_train": lambda: training(pipeline, pipeline.PIPELINE),
    "pipeline_train_tiny": lambda: training(pipeline, pipeline.TINY),
    "gns_train_tiny": lambda: training(graph_net, graph_net.TINY),
}


def leaves(tree, names=()):
    """Return [{name, shape, dtype}] for a tree; names are key paths as in schedules and begin with those of `names`."""

    def part(key):
        for field in ("key", "name", "idx"):
            if hasattr(key, field):
                return str(getattr(key, field))
        return str(key)

    def text(path):
        first = [names[path[0].idx]] if names else [part(key) for key in path[:1]]
        return "/".join(first + [part(key) for key in path[1:]])

    return [
        {"name": text(path), "shape": list(leaf.shape), "dtype": str(leaf.dtype)}
        for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]
    ]


def write(folder, name, debug_info=False):
    """Write one program."""
    function, names, arguments, donated = PROGRAMS[name]()
    shapes = jax.eval_shape(arguments)
    jitted = jax.jit(function, donate_argnums=donated, keep_unused=True)
    lowered = jitted.lower(*shapes)
    text = lowered.as_text(debug_info=debug_info)
    (folder / f"{name}.mlir").write_text(text.replace(f"{pathlib.Path(__file__).resolve().parents[2]}/", ""))
    named = {"name": name, "jax": jax.__version__, "args": leaves(shapes, names), "results": leaves(lowered.out_info)}
    (folder / f"{name}.json").write_text(json.dumps(named, separators=(",", ":")))
    if name.endswith("_tiny") and not debug_info:
        values = jax.jit(arguments)()
        given = [np.asarray(x) for x in jax.tree.leaves(values)]  # before the step, which may reuse their memory
        out = jax.tree.leaves(jitted(*values))
        arrays = {f"in_{i}": x for i, x in enumerate(given)} | {f"out_{i}": np.asarray(x) for i, x in enumerate(out)}
        np.savez_compressed(folder / f"{name}.npz", **arrays)


def main():
    """Write the requested programs."""
    debug_info = "--debug-info" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--debug-info"]
    if not arguments or any(name not in PROGRAMS for name in arguments[1:]):
        sys.exit(f"{__doc__}\nnames: {' '.join(PROGRAMS)}")
    folder = pathlib.Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name in arguments[1:] or PROGRAMS:
        start = time.monotonic()
        write(folder, name, debug_info)
        print(
            f"{folder / name}.mlir: {(folder / f'{name}.mlir').stat().st_size >> 10} KiB, "
            f"{time.monotonic() - start:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
